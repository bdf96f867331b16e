import Curves
import KeyText

/// A piece of a file that nobody vouches for, and what looks like a vault's in it: each thing is recognised by itself, at whatever
/// offset it stands, in whatever page, so that a damaged byte costs what it stands in and nothing else.
///
/// What is recognised is proved by nothing yet: a slot proves itself by what opens it, an entry by its seal.
struct CarvedBytes {
    let bytes: [UInt8]
    /// How many of them a thing may begin at; the rest is there for what begins before it. No thing is longer than a page.
    let startCount: Int

    init(_ bytes: [UInt8], startCount: Int) {
        self.bytes = bytes
        self.startCount = min(startCount, bytes.count)
    }

    /// The most places of a page that are looked at more closely than their first bytes tell. A sound page has a few dozen rows; a crafted
    /// one could ask for work at every byte.
    static let closeLooksPerPage = 64

    /// Visits each place until those of its page are used up; `look` says whether it was work.
    private func visitStarts<Failure: Error>(_ look: (Int) throws(Failure) -> Bool) throws(Failure) {
        for page in stride(from: 0, to: startCount, by: VaultFormat.pageSize) {
            var left = Self.closeLooksPerPage
            var start = page
            let end = min(page + VaultFormat.pageSize, startCount)
            while left > 0, start < end {
                if try look(start) { left -= 1 }
                start += 1
            }
        }
    }

    // MARK: slots

    /// Each body with its sound checksum behind it, as a slot's row has them, and the number it is the checksum of.
    func visitSlots<Failure: Error>(_ visit: (Int, Slot) throws(Failure) -> Void) throws(Failure) {
        try visitStarts { start throws(Failure) in
            guard let body = slotBody(at: start) else { return false }
            let checksum = bytes[body.endIndex..<(body.endIndex + Sodium.digestCount)]
            let content = Array(body)
            for number in 0..<VaultFormat.maximumSlotCount where checksum.elementsEqual(Slot.checksum(content, number: number)) {
                if let slot = try? Slot(body: content) { try visit(number, slot) }
            }
            return true
        }
    }

    /// What may be a body: version 1, a derivation that there is, padding, and a length that leaves room for the checksum.
    private func slotBody(at start: Int) -> ArraySlice<UInt8>? {
        guard bytes[start] == Slot.bodyVersion, bytes.count - start >= Slot.minimumBodyCount + Sodium.digestCount,
            bytes[start + 2] <= 1, bytes[start + 3] == 0
        else { return nil }
        let lengthOffset = start + Slot.detailLengthOffset
        let detailCount = Int(bytes[lengthOffset]) | Int(bytes[lengthOffset + 1]) << 8
        guard detailCount <= Slot.maximumDetailCount, bytes.count - start >= Slot.minimumBodyCount + detailCount + Sodium.digestCount
        else { return nil }
        return bytes[start..<(start + Slot.minimumBodyCount + detailCount)]
    }

    // MARK: the vault row

    /// What a row of the table `vault` says of itself.
    struct VaultRow: Equatable {
        let vaultID: [UInt8]
        let generation: Int64
        let entryCount: Int64
    }

    func visitVaultRows(_ visit: (VaultRow) -> Void) {
        visitStarts { start in
            guard let record = CarvedRecord(in: bytes, at: start, columnCount: 6), record.isNull(0),
                let vaultID = record.blob(1, in: bytes),
                vaultID.count == VaultFormat.vaultIDCount, let createdAt = record.integer(2), VaultFormat.allowedTimes.contains(createdAt),
                let generation = record.integer(3), generation >= 0, let entryCount = record.integer(4), entryCount >= 0,
                case .blob(let root) = record.columns[5], root.count == Sodium.digestCount
            else { return false }
            visit(VaultRow(vaultID: vaultID, generation: generation, entryCount: entryCount))
            return true
        }
    }

    // MARK: entries

    enum Entry: Equatable {
        case row(EntryRow)
        /// The columns of an entry with values that no entry has; its name, when that can be read.
        case malformed(name: String?)
    }

    /// Each row with the columns of an entry.
    func visitEntries<Failure: Error>(_ visit: (Entry) throws(Failure) -> Void) throws(Failure) {
        try visitStarts { start throws(Failure) in
            guard let record = CarvedRecord(in: bytes, at: start, columnCount: 9), let entry = entry(record) else { return false }
            try visit(entry)
            return true
        }
    }

    /// - Returns: nil when the types and lengths of the columns are not an entry's.
    private func entry(_ record: CarvedRecord) -> Entry? {
        guard record.integer(0) != nil, case .text(let nameRange) = record.columns[1], nameRange.count <= EntryRow.maximumNameCount,
            let kind = record.integer(2), let createdAt = record.integer(4), let generation = record.integer(5),
            let details = record.blob(6, in: bytes), let nonce = record.blob(7, in: bytes), nonce.count == Sodium.nonceCount,
            let sealed = record.blob(8, in: bytes), sealed.count >= Sodium.tagCount
        else { return nil }
        var label: Label?
        switch record.columns[3] {
        case .null: break
        case .text:
            label = record.text(3, in: bytes).flatMap { try? Label($0) }
            if label == nil { return .malformed(name: name(record)) }
        default: return nil
        }
        guard let name = name(record), let kind = UInt8(exactly: kind), VaultFormat.allowedTimes.contains(createdAt), generation >= 0 else {
            return .malformed(name: name(record))
        }
        return .row(
            EntryRow(
                name: name, kind: EntryKind(number: kind), label: label, createdAt: createdAt, generation: generation, details: details,
                nonce: nonce, sealed: sealed))
    }

    private func name(_ record: CarvedRecord) -> String? {
        record.text(1, in: bytes).flatMap { EntryRow.isName($0) ? $0 : nil }
    }

    // MARK: names

    /// Each text of a public key, but those in records of the audit log, which also names keys that were removed: what tells of an entry
    /// whose own row is gone.
    func visitNames(_ visit: (String) -> Void) {
        var logged = loggedRanges()[...]
        visitStarts { start in
            while let first = logged.first, first.upperBound <= start { logged.removeFirst() }
            guard bytes[start] == UInt8(ascii: "E") || bytes[start] == UInt8(ascii: "P"), logged.first?.contains(start) != true,
                let text = keyText(at: start)
            else { return false }
            if let key = try? PublicKey(text), key.text == text { visit(text) }
            return true
        }
    }

    /// A prefix of the entries' names and as many base58 characters as they have: 37 bytes are always 50, with 2 or 3 as their first.
    private func keyText(at start: Int) -> String? {
        for prefix in ["EOS", "PUB_R1_"] where bytes[start...].starts(with: prefix.utf8) {
            let text = bytes[start...].prefix(prefix.utf8.count + 50)
            guard let text = String(validating: text, as: UTF8.self), EntryRow.isName(text) else { return nil }
            return text
        }
        return nil
    }

    /// Where records of the log stand, rising: rows with a number, a blob and 32 bytes behind it.
    private func loggedRanges() -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for start in 0..<startCount {
            guard let record = CarvedRecord(in: bytes, at: start, columnCount: 3), record.isNull(0), case .blob = record.columns[1],
                case .blob(let mac) = record.columns[2], mac.count == Sodium.digestCount, start >= ranges.last?.upperBound ?? 0
            else { continue }
            ranges.append(record.range)
        }
        return ranges
    }
}

extension Slot {
    /// Where the length of the details stands in a body.
    fileprivate static let detailLengthOffset = 88
    /// A body without details.
    fileprivate static let minimumBodyCount = 162
}

extension EntryRow {
    fileprivate init(
        name: String, kind: EntryKind, label: Label?, createdAt: Int64, generation: Int64, details: [UInt8], nonce: [UInt8], sealed: [UInt8]
    ) {
        // The bucket follows from the name: the seal tells whether this is the row that was sealed.
        bucket = VaultTable.entries.bucket(of: name)
        self.name = name
        self.kind = kind
        self.label = label
        self.createdAt = createdAt
        self.generation = generation
        self.details = details
        self.nonce = nonce
        self.sealed = sealed
    }
}
