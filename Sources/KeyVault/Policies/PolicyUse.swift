import Codecs

/// What a signature used of the limits of a policy, or another event that limits count: one entry
/// of a key's window (VaultFormat.md, "Policies"). The vault does not interpret `content`.
package struct PolicyUse: Equatable, Sendable {
    /// Seconds since 1970.
    package let time: Int64
    package let content: Content

    package enum Content: Equatable, Sendable {
        /// A signature, 1 to 1,024 bytes. A slice shares the bytes of the row that it was read
        /// from.
        case signature(ArraySlice<UInt8>)
        /// The vault was restored from a copy, which may lack later uses: each rolling
        /// limit counts as used up until its window, which starts then, has passed.
        case restored
    }

    package init(time: Int64, _ content: Content) { (self.time, self.content) = (time, content) }

    /// The most signatures among the uses of a key.
    package static let maximumCount = 10_000
    /// The most bytes of a signature's content.
    package static let maximumContent = 1_024
}

/// A row of the table `counters` with uses of a key, in the order of their times. The rows of a key
/// are in one bucket, so that one digest proves all of them.
struct PolicyUseRow: TableRow {
    static let table = VaultTable.counters
    /// The most bytes of a row. A signature writes only the last row.
    private static let maximumSize = 8_192
    private static let version: UInt8 = 1

    let key: EntryName
    /// Ascending, without gaps, from any number.
    let number: UInt32
    private(set) var uses: [PolicyUse] = []
    private var size = 0

    init(_ key: EntryName, number: UInt32) { (self.key, self.number) = (key, number) }

    var rowName: String { Self.prefix(of: key) + Hex.encode(number.bigEndianBytes) }
    var values: [SQLiteValue] { [.blob(value)] }

    private static let prefix = "used:"

    private static func prefix(of key: EntryName) -> String { "\(prefix)\(key.text):" }

    /// The bucket of all rows of a key.
    static func leaf(of key: EntryName) -> Manifest.Leaf { Manifest.Leaf(of: prefix(of: key), in: .counters) }

    /// Whether a row of the table belongs to any key's uses.
    static func isName(_ name: String) -> Bool { name.hasPrefix(prefix) }

    /// The key whose uses the row with this name has; nil for another row.
    static func key(ofName name: String) -> EntryName? {
        guard isName(name), name.utf8.count > prefix.utf8.count + 9 else { return nil }
        return EntryName(String(name.dropFirst(prefix.count).dropLast(9)))
    }

    /// - Returns: false if the row has no room. The use is then the first of the next row.
    mutating func append(_ use: PolicyUse) -> Bool {
        let added = Self.encoded(use).count
        guard uses.isEmpty || size + added <= Self.maximumSize else { return false }
        uses.append(use)
        size += added
        return true
    }

    /// Removes uses. A row that others follow is never made empty: it then stays as it is.
    /// - Returns: false if nothing was removed.
    mutating func removeUses(isLast: Bool, where isRemoved: (PolicyUse) -> Bool) -> Bool {
        let left = uses.filter { !isRemoved($0) }
        guard left.count < uses.count, isLast || !left.isEmpty else { return false }
        uses = left
        size = left.reduce(0) { $0 + Self.encoded($1).count }
        return true
    }

    // MARK: bytes

    private var value: [UInt8] { uses.reduce(into: [Self.version]) { $0 += Self.encoded($1) } }

    private static func encoded(_ use: PolicyUse) -> [UInt8] {
        var content: ArraySlice<UInt8> = []
        if case .signature(let bytes) = use.content { content = bytes }
        return use.time.littleEndianBytes + UInt16(truncatingIfNeeded: content.count).littleEndianBytes + content
    }

    /// Reads the row with this name and value; nil for a row that does not belong to the key.
    /// - Throws: `damaged(.row(.counters))` for a row of the key that no writer produces.
    static func read(_ name: String, _ value: [UInt8], of key: EntryName) throws(VaultError) -> PolicyUseRow? {
        let prefix = prefix(of: key)
        guard name.hasPrefix(prefix) else { return nil }
        guard let number = UInt32(name.dropFirst(prefix.count), radix: 16) else { throw .damaged(.counters) }
        do {
            return try ByteReader.readStored(value, version: version) { reader throws(AuditEvent.BodyError) in
                var row = PolicyUseRow(key, number: number)
                guard row.rowName == name else { throw AuditEvent.BodyError() }
                repeat { try row.readUse(of: value, from: &reader) } while !reader.isAtEnd
                return row
            }
        } catch { throw .damaged(.counters) }
    }

    /// - Parameter value: all bytes of the reader.
    private mutating func readUse(
        of value: [UInt8], from reader: inout ByteReader
    ) throws(AuditEvent.BodyError) {
        let time = try reader.readTime()
        let count: UInt16 = try reader.read()
        guard count <= PolicyUse.maximumContent, uses.last.map({ $0.time <= time }) ?? true else {
            throw AuditEvent.BodyError()
        }
        let start = reader.offset
        try reader.withBytes(Int(count), orThrow: { _ in AuditEvent.BodyError() }) {
            _ throws(AuditEvent.BodyError) in
        }
        uses.append(PolicyUse(time: time, count == 0 ? .restored : .signature(value[start..<reader.offset])))
        size += 10 + Int(count)
    }
}
