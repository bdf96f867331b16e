/// Searches a part of an untrusted file for the parts of a vault. Each one is recognised by itself,
/// at any offset and in any page. So a damaged byte costs only the part that contains it.
///
/// Recognition proves nothing. A slot is proved by the secret that opens it, an entry by its seal.
struct ScannedBytes {
    let bytes: [UInt8]
    /// The number of bytes that are start positions. The bytes after them complete what begins
    /// before. Nothing that is searched for is longer than a page.
    let startCount: Int
    /// The offset of the bytes in their file.
    let offset: Int64

    init(_ bytes: [UInt8], startCount: Int, offset: Int64 = 0) {
        self.bytes = bytes
        self.startCount = min(startCount, bytes.count)
        self.offset = offset
    }

    /// The most work per page. One unit takes about as long as comparing one seal. An intact page
    /// has at most 28 entries or 60 labels. A crafted page could request work at every byte.
    static let workPerPage = 256
    /// The units for a slot, whose checksum is compared for eight slot numbers, and for a text that
    /// may be a public key.
    private static let slotWork = 8
    private static let nameWork = 4
    /// No record that is searched for is longer than a page.
    private static let maximumRecordCount = VaultFormat.pageSize

    /// Visits each start position until the work of its page is used up. `look` returns the units
    /// that it used.
    private func visitStarts<Failure: Error>(_ look: (Int) throws(Failure) -> Int) throws(Failure) {
        for page in stride(from: 0, to: startCount, by: VaultFormat.pageSize) {
            var left = Self.workPerPage
            var start = page
            let end = min(page + VaultFormat.pageSize, startCount)
            while left > 0, start < end {
                left -= try look(start)
                start += 1
            }
        }
    }

    private func record(at start: Int, columnCount: Int) -> ScannedRecord? {
        ScannedRecord(in: bytes, at: start, columnCount: columnCount, limit: Self.maximumRecordCount)
    }

    /// Visits each record with this number of columns. `look` returns the units that it used.
    func visitRecords<Failure: Error>(
        columnCount: Int, _ look: (PageTree.Row, _ start: Int) throws(Failure) -> Int
    ) throws(Failure) {
        try visitStarts { start throws(Failure) in
            guard let record = record(at: start, columnCount: columnCount) else { return 0 }
            return try look(PageTree.Row(number: nil, record: record, bytes: bytes), start)
        }
    }

    // MARK: slots

    /// Visits each slot body that is followed by its valid checksum, as in a slot's row. The
    /// checksum determines the number.
    /// - Parameter kind: visited in addition to the kinds that this version always opens.
    func visitSlots<Failure: Error>(
        of kind: SlotKind? = nil, _ visit: (NumberedSlot, _ start: Int) throws(Failure) -> Void
    ) throws(Failure) {
        try visitStarts { start throws(Failure) in
            guard let body = slotBody(at: start, kind) else { return 0 }
            let checksum = bytes[body.endIndex..<(body.endIndex + Sodium.digestCount)]
            let content = Array(body)
            for number in 0..<VaultFormat.maximumSlotCount
            where checksum.elementsEqual(Slot.checksum(content, number: number)) {
                if let slot = try? Slot(body: content) {
                    try visit(NumberedSlot(number: number, slot: slot), start)
                }
            }
            return Self.slotWork * (body.count / Slot.minimumBodyCount)
        }
    }

    /// A possible body: version 1, a kind that is visited, a known derivation, padding, details
    /// that fit into one page, and room for the checksum.
    private func slotBody(at start: Int, _ wanted: SlotKind?) -> ArraySlice<UInt8>? {
        let lengthOffset = start + Slot.detailLengthOffset
        guard bytes[start] == Slot.bodyVersion,
            bytes.count - start >= Slot.minimumBodyCount + Sodium.digestCount,
            bytes[start + 2] <= 1, bytes[start + 3] == 0
        else { return nil }
        let kind = SlotKind(number: bytes[start + 1])
        let count = Slot.minimumBodyCount + Int(bytes[lengthOffset]) + Int(bytes[lengthOffset + 1]) << 8
        guard kind.isKnown || kind == wanted, kind.storesDetails || count == Slot.minimumBodyCount,
            count + Sodium.digestCount <= VaultFormat.pageSize,
            bytes.count - start >= count + Sodium.digestCount
        else { return nil }
        return bytes[start..<(start + count)]
    }

    // MARK: the vault row

    func visitVaultRows(_ visit: (Manifest, _ start: Int) -> Void) {
        visitRecords(columnCount: 6) { row, start in
            guard row.isNull(0), let row = Manifest(row) else { return 0 }
            visit(row, start)
            return 1
        }
    }

    // MARK: entries

    enum Entry: Equatable {
        case row(EntryRow)
        /// A record with the columns of an entry but with invalid values. `name` is nil when it
        /// can't be read.
        case malformed(name: EntryName?)

        /// - Returns: nil when the types and lengths of the columns are not an entry's. They are
        ///   checked before anything is copied.
        init?(_ row: PageTree.Row) {
            let record = row.record
            guard record.integer(0) != nil, case .text(let name) = record.columns[1],
                name.count <= EntryName.maximumCount, case .blob(let nonce) = record.columns[7],
                nonce.count == Sodium.nonceCount, case .blob(let sealed) = record.columns[8],
                sealed.count >= Sodium.tagCount, case .blob = record.columns[6],
                [2, 4, 5].allSatisfy({ record.integer($0) != nil })
            else { return nil }
            switch record.columns[3] {
            case .null, .text: break
            default: return nil
            }
            if let row = EntryRow(inAnyBucket: row), row.hasPossibleCounts {
                self = .row(row)
            } else {
                self = .malformed(name: row.text(1).flatMap { EntryName($0) })
            }
        }
    }

    /// Visits each record with the columns of an entry.
    /// - Parameter visit: returns the number of seals that it compared.
    func visitEntries<Failure: Error>(_ visit: (Entry, _ start: Int) throws(Failure) -> Int) throws(Failure) {
        try visitRecords(columnCount: 9) { row, start throws(Failure) in
            guard let entry = Entry(row) else { return 0 }
            return try 1 + visit(entry, start)
        }
    }

    // MARK: names

    /// Visits each text of a public key outside the records of the audit log. Such a text shows
    /// that there was an entry, even if its row is gone. Records of the audit log are skipped,
    /// because they also name removed keys.
    /// - Parameters:
    ///   - isKnown: true to skip a name; a skipped name is not decoded.
    ///   - visit: receives texts with the length and the characters of a public key. Whether a text
    ///     is a public key takes longer to check, and is not checked here.
    func visitNames(unless isKnown: (EntryName) -> Bool, _ visit: (EntryName) -> Void) {
        var logged = loggedRanges()[...]
        visitStarts { start in
            while let first = logged.first, first.upperBound <= start { logged.removeFirst() }
            guard bytes[start] == UInt8(ascii: "E") || bytes[start] == UInt8(ascii: "P"),
                logged.first?.contains(start) != true,
                let name = keyText(at: start)
            else { return 0 }
            guard !isKnown(name) else { return 1 }
            visit(name)
            return Self.nameWork
        }
    }

    /// A prefix of an entry's name, followed by as many base58 characters as a name has. 37 bytes
    /// always take 50 characters, of which the first is 2 or 3.
    private func keyText(at start: Int) -> EntryName? {
        for prefix in ["EOS", "PUB_R1_"] where bytes[start...].starts(with: prefix.utf8) {
            let text = bytes[start...].prefix(prefix.utf8.count + 50)
            return String(validating: text, as: UTF8.self).flatMap { EntryName($0) }
        }
        return nil
    }

    /// The ranges of audit log records, ascending: rows with a number, a blob, and a blob of 32
    /// bytes.
    private func loggedRanges() -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for start in 0..<startCount {
            guard let record = record(at: start, columnCount: 3), record.isNull(0),
                case .blob = record.columns[1],
                case .blob(let mac) = record.columns[2], mac.count == Sodium.digestCount,
                start >= ranges.last?.upperBound ?? 0
            else { continue }
            ranges.append(record.range)
        }
        return ranges
    }
}

extension Slot {
    /// The offset of the length of the details in a body.
    fileprivate static let detailLengthOffset = 88
    /// The length of a body without details.
    fileprivate static let minimumBodyCount = 162
}
