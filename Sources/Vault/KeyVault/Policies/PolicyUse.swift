import Codecs
import Signing

/// A key's uses of the limits of its policies: parts that the vault does not interpret
/// (VaultFormat.md, "Policies").
package struct PolicyUses: Equatable, Sendable {
    /// In ascending order of the numbers.
    package internal(set) var parts: [Part] = []
    /// Nil for a key without uses.
    package internal(set) var times: Times?

    package struct Part: Equatable, Sendable {
        package let number: UInt32
        /// 1 byte to 4 MiB.
        package let content: [UInt8]

        package init(number: UInt32, content: [UInt8]) { (self.number, self.content) = (number, content) }
    }

    package typealias Times = PolicyLedger.Times

    package init() {}

    /// The most bytes of a part.
    package static let maximumContent = 4 << 20
    /// The most bytes of all parts of a key.
    package static let maximumSize = 64 << 20
}

extension VaultTable {
    /// Numbers that signatures change: uses of limits, the payment history.
    package static let counters = named(
        7, "counters", isBucketed: true, maximumRowSize: PolicyUses.maximumContent + 1_024)
}

/// A row of the table `counters` with a part of the uses of a key, or with their times. The rows of
/// a key are in one bucket, so that one digest proves all of them.
struct PolicyUseRow: TableRow {
    enum Content: Equatable {
        case part([UInt8])
        case times(PolicyUses.Times)
    }

    static let table = VaultTable.counters
    private static let version: UInt8 = 1
    /// The number of the row with the times. No part has it.
    static let timesNumber = UInt32.max

    let key: EntryName
    let number: UInt32
    let content: Content

    init(_ key: EntryName, _ part: PolicyUses.Part) {
        (self.key, number, content) = (key, part.number, .part(part.content))
    }

    init(_ key: EntryName, _ times: PolicyUses.Times) {
        (self.key, number, content) = (key, Self.timesNumber, .times(times))
    }

    var rowName: String { Self.name(of: number, of: key) }
    var values: [SQLiteValue] { [.blob(value)] }

    private var value: [UInt8] {
        switch content {
        case .part(let bytes): [Self.version] + bytes
        case .times(let times):
            [Self.version] + times.last.littleEndianBytes + (times.restored.map(\.littleEndianBytes) ?? [])
        }
    }

    private static let prefix = "used:"

    private static func prefix(of key: EntryName) -> String { "\(prefix)\(key.text):" }

    static func name(of number: UInt32, of key: EntryName) -> String {
        prefix(of: key) + Hex.encode(number.bigEndianBytes)
    }

    /// The bucket of all rows of a key.
    static func leaf(of key: EntryName) -> Manifest.Leaf { Manifest.Leaf(of: prefix(of: key), in: .counters) }

    /// True if a row of the table belongs to any key's uses.
    static func isName(_ name: String) -> Bool { name.hasPrefix(prefix) }

    /// The key whose uses the row with this name has; nil for another row.
    static func key(ofName name: String) -> EntryName? {
        guard isName(name), name.utf8.count > prefix.utf8.count + 9 else { return nil }
        return EntryName(String(name.dropFirst(prefix.count).dropLast(9)))
    }

    /// Reads the row with this name and value; nil for a row that does not belong to the key.
    /// - Throws: `damaged(.row(.counters))` for a row of the key that no writer produces.
    static func read(_ name: String, _ value: [UInt8], of key: EntryName) throws(VaultError) -> PolicyUseRow?
    {
        let prefix = prefix(of: key)
        guard name.hasPrefix(prefix) else { return nil }
        guard let number = UInt32(name.dropFirst(prefix.count), radix: 16),
            self.name(of: number, of: key) == name
        else {
            throw .damaged(.counters)
        }
        guard number == timesNumber else {
            guard value.first == version, (2...PolicyUses.maximumContent + 1).contains(value.count) else {
                throw .damaged(.counters)
            }
            return PolicyUseRow(key, PolicyUses.Part(number: number, content: Array(value[1...])))
        }
        do {
            return try ByteReader.readStored(value, version: version) { reader throws(AuditEvent.BodyError) in
                let last = try reader.readTime()
                let restored = reader.isAtEnd ? nil : try reader.readTime()
                return PolicyUseRow(key, PolicyUses.Times(last: last, restored: restored))
            }
        } catch { throw .damaged(.counters) }
    }
}
