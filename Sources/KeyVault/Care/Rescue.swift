import Curves
import KeyText
import SecureMemory

/// Takes out of a damaged vault what proves itself, in three readings: the slots, of which the way in opens one and so yields the
/// master key; the entries, each of which its own seal proves, whatever stands around it; and the names of keys whose rows are gone.
///
/// Rows are kept sealed; what is kept of rows that don't open is capped, so that a crafted file decides over no memory.
struct Rescue {
    /// A master key that a slot gave: two of them in a vault whose `rekey` a crash cut short.
    private struct Opened {
        let vaultID: [UInt8]
        let keys: VaultKeys

        /// What a row may be sealed under, the format's newest version first: a crash may have cut a migration short too.
        var contexts: [SealContext] {
            (1...VaultFormat.version).reversed().map { SealContext(version: $0, vaultID: vaultID, keys) }
        }
    }

    /// An entry that opens, as it stands in the file.
    private struct Found {
        let row: EntryRow
        /// What opens it.
        let context: SealContext
        let inJournal: Bool
    }

    private struct Candidate: Equatable {
        let number: Int
        let slot: Slot
    }

    /// The most slots that are tried: eight, and eight that stood there before a change that was cut short.
    private static let maximumTries = 16
    private static let maximumListedLosses = 10_000

    /// The slot that opened first.
    let slot: Slot
    private let contexts: [SealContext]
    private var vaultRow: CarvedBytes.VaultRow?
    private var found: [String: Found] = [:]
    private var losses: [String: RescueReport.Reason] = [:]
    private var namelessLosses = 0
    private var unlistedLosses = 0

    /// - Throws: `wrongWayIn` when no slot takes the way in, `noSlot` when there is none of its kind, `kdfCost` when those that there are ask for
    ///   more than is allowed, the errors of the machine.
    init(_ vault: borrowing DamagedVault, _ way: borrowing WayIn) throws(VaultError) {
        var candidates: [Candidate] = []
        var rows: [CarvedBytes.VaultRow] = []
        try vault.visit { piece, _ throws(VaultError) in
            piece.visitSlots { number, slot in
                let candidate = Candidate(number: number, slot: slot)
                if candidates.count < 4 * Self.maximumTries, !candidates.contains(candidate) { candidates.append(candidate) }
            }
            piece.visitVaultRows { row in
                if rows.count < Self.maximumTries, !rows.contains(row) { rows.append(row) }
            }
        }
        let opened: [Opened]
        (opened, slot) = try Self.open(candidates, way)
        contexts = opened.flatMap(\.contexts)
        // The first is the journal's: what the vault was before a change that was not finished.
        vaultRow = rows.first { row in opened.contains { $0.vaultID == row.vaultID } }
        try vault.visit { piece, inJournal throws(VaultError) in
            try piece.visitEntries { entry throws(VaultError) in try take(entry, inJournal: inJournal) }
        }
        vault.visit { piece, _ in
            piece.visitNames { name in note(name, .rowGone) }
        }
    }

    private static func open(_ candidates: [Candidate], _ way: borrowing WayIn) throws(VaultError) -> ([Opened], Slot) {
        var opened: [Opened] = []
        var first: Slot?
        var refusal: VaultError?
        var budget = KDFBudget()
        let kind = way.kind
        let ours = candidates.filter { $0.slot.kind == kind }
        for candidate in ours.prefix(maximumTries) {
            do throws(VaultError) {
                guard let master = try candidate.slot.open(under: candidate.slot.secret(of: way, &budget), number: candidate.number) else {
                    continue
                }
                let keys = try VaultKeys(master: master)
                if !opened.contains(where: { $0.keys.seal.isEqual(to: keys.seal) }) {
                    opened.append(Opened(vaultID: candidate.slot.vaultID, keys: keys))
                }
                if first == nil { first = candidate.slot }
            } catch {
                // Another slot may open: an edited one, or one whose cost is refused, takes nothing away.
                refusal = refusal ?? error
            }
        }
        guard let first else {
            if let refusal { throw refusal }
            guard ours.isEmpty else { throw .wrongWayIn(kind, damagedSlots: []) }
            throw .noSlot(kind, others: Set(candidates.map(\.slot.kind)).sorted { $0.number < $1.number })
        }
        return (opened, first)
    }
}

// MARK: entries

extension Rescue {
    private mutating func take(_ entry: CarvedBytes.Entry, inJournal: Bool) throws(VaultError) {
        switch entry {
        case .malformed(let name): note(name, .malformed)
        case .row(let row):
            var reason = RescueReport.Reason.seal
            for context in contexts {
                do {
                    _ = try row.open(context)
                    keep(Found(row: row, context: context, inJournal: inJournal))
                    return
                } catch .entryDamaged(let fault) {
                    if fault == .key { reason = .key }
                } catch .unsupportedKind(let kind) {
                    reason = .unsupportedKind(kind)
                }
            }
            note(row.name, reason)
        }
    }

    /// Of two versions of a row that both open, the journal's is the one that the last finished change left; else the later one.
    private mutating func keep(_ new: Found) {
        if let old = found[new.row.name] {
            guard old.inJournal == new.inJournal, old.row.generation <= new.row.generation else { return }
        }
        found[new.row.name] = new
    }

    private mutating func note(_ name: String?, _ reason: RescueReport.Reason) {
        guard let name else {
            namelessLosses += 1
            return
        }
        guard found[name] == nil, losses[name] == nil else { return }
        if losses.count < Self.maximumListedLosses { losses[name] = reason } else { unlistedLosses += 1 }
    }
}

// MARK: what came of it

extension Rescue {
    /// The entries by time of creation and name.
    private var entries: [Found] {
        found.values.sorted { left, right in
            left.row.createdAt != right.row.createdAt ? left.row.createdAt < right.row.createdAt : left.row.name < right.row.name
        }
    }

    /// Puts each key into a new vault. A label that several claim goes to none of them: whoever can write the file can have an older row say it.
    func write(to transaction: inout VaultTransaction) throws(VaultError) -> RescueReport {
        var rescued: [EntryDescription] = []
        var droppedLabels: [EntryDescription] = []
        var claims: [Label: Int] = [:]
        for entry in entries { if let label = entry.row.label { claims[label, default: 0] += 1 } }
        for entry in entries {
            let key = try entry.row.open(entry.context)
            let isContested = entry.row.label.map { claims[$0] != 1 } ?? false
            if isContested { droppedLabels.append(entry.row.description) }
            rescued.append(
                try transaction.insert(
                    key, label: isContested ? nil : entry.row.label, createdAt: entry.row.createdAt, origin: .rescued))
        }
        try transaction.record(.rescued(count: Int64(rescued.count)))
        return report(rescued, droppedLabels)
    }

    var hasKeys: Bool { !found.isEmpty }

    /// With no key rescued.
    var report: RescueReport { report([], []) }

    private func report(_ rescued: [EntryDescription], _ droppedLabels: [EntryDescription]) -> RescueReport {
        let named = losses.filter { found[$0.key] == nil }.sorted { $0.key < $1.key }.map {
            RescueReport.Loss(name: $0.key, reason: $0.value)
        }
        let nameless = [RescueReport.Loss](
            repeating: .init(name: nil, reason: .malformed), count: min(namelessLosses, Self.maximumListedLosses))
        return RescueReport(
            rescued: rescued, losses: named + nameless, unlistedLosses: unlistedLosses + namelessLosses - nameless.count,
            droppedLabels: droppedLabels, entryCount: vaultRow?.entryCount)
    }
}
