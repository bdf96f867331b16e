/// Receives the number of tried slots outside of the tables, and the number of all of them, before
/// each try.
package typealias SlotProgress = (_ tried: Int, _ total: Int) -> Void

/// The slots that a rescue finds in a damaged vault.
///
/// Anyone who can write the file can plant any number of slots in bytes that the vault does not
/// use. So the rows of the slot tables come first. All others follow, the cheapest first. Each
/// different slot occurs once. Of the others only the place is kept, so that they take little
/// memory.
struct RescueSlots {
    /// The first 16 bytes of a checksum. It covers the number and the body of a slot.
    struct Identity: Hashable {
        private let high: UInt64
        private let low: UInt64

        init(_ candidate: NumberedSlot) {
            let checksum = Slot.checksum(candidate.slot.body, number: candidate.number)
            (high, low) = (checksum.bigEndian(at: 0, count: 8), checksum.bigEndian(at: 8, count: 8))
        }
    }

    /// Where a slot is, and the work of its derivation.
    private struct Place {
        let offset: Int64
        let work: UInt64
        let number: UInt8
        let isJournal: Bool
    }

    /// The rows of both slot tables with the wanted kind.
    let inTables: [NumberedSlot]
    /// The kinds of all slots.
    private(set) var kinds: Set<SlotKind> = []
    /// The number of slots in the tables of kinds that this version does not support.
    let unsupportedCount: Int
    private let vault: DamagedVault
    private let kind: SlotKind
    private var places: [Place] = []

    init(of vault: DamagedVault, _ kind: SlotKind) {
        (self.vault, self.kind) = (vault, kind)
        let rows = Self.tableRows(of: vault)
        var known: Set<Identity> = []
        inTables = rows.filter { $0.slot.kind == kind && known.insert(Identity($0)).inserted }
        kinds = Set(rows.map(\.slot.kind))
        unsupportedCount = Set(rows.filter { !$0.slot.kind.isKnown }.map(\.number)).count
        vault.visit { piece, isJournal in
            piece.visitSlots(of: kind) { found, start in
                kinds.insert(found.slot.kind)
                guard found.slot.kind == kind, known.insert(Identity(found)).inserted else { return }
                places.append(
                    Place(
                        offset: piece.offset + Int64(start), work: found.slot.work,
                        number: UInt8(truncatingIfNeeded: found.number), isJournal: isJournal))
            }
        }
        // An attacker's expensive slots do not delay a usual one. Slots of the file come before
        // slots of the journal.
        places.sort {
            ($0.work, $0.isJournal ? 1 : 0, $0.offset) < ($1.work, $1.isJournal ? 1 : 0, $1.offset)
        }
    }

    /// The number of slots outside of the tables.
    var otherCount: Int { places.count }

    /// A slot outside of the tables; nil if the disk no longer returns it.
    func other(_ index: Int) -> NumberedSlot? {
        let place = places[index]
        let bytes =
            (place.isJournal ? vault.journal?.page(at: place.offset) : vault.file.page(at: place.offset))
            ?? []
        var slot: NumberedSlot?
        ScannedBytes(bytes, startCount: 1).visitSlots(of: kind) { found, _ in
            if found.number == Int(place.number) { slot = found }
        }
        return slot
    }

    /// The first intact row of each number in each table, in the file and in the state before an
    /// unfinished change.
    private static func tableRows(of vault: DamagedVault) -> [NumberedSlot] {
        var rows: [NumberedSlot] = []
        for pages in [VaultPages(of: vault), VaultPages(restoring: vault)].compactMap(\.self) {
            var tree = PageTree(of: pages)
            let stated = TableRoots(of: pages, &tree)
            for table in [VaultTable.slots, .slotCopies] {
                for root in Set([stated[table], TableRoots()[table]]).sorted() {
                    var found: [Int: Slot] = [:]
                    tree.forget()
                    tree.walk(root, of: pages, columnCount: table.columnCount) { row in
                        guard let number = row.number.flatMap({ Int(exactly: $0) }),
                            (0..<VaultFormat.maximumSlotCount).contains(number), found[number] == nil,
                            let body = row.blob(1),
                            row.blob(2) == Slot.checksum(body, number: number)
                        else { return }
                        found[number] = try? Slot(body: body)
                    }
                    rows += found.sorted { $0.key < $1.key }.map {
                        NumberedSlot(number: $0.key, slot: $0.value)
                    }
                }
            }
        }
        return rows
    }
}

extension Slot {
    /// A measure of the time that the derivation takes.
    fileprivate var work: UInt64 {
        guard let derivation else { return 0 }
        let (passes, memory) = (derivation.passes, derivation.memory)
        return UInt64(passes).multipliedReportingOverflow(by: memory >> 10).partialValue
    }
}
