import Codecs

/// A policy as the vault stores it, in a row of the table `policies` (VaultFormat.md, "Policies").
/// The vault does not interpret the document.
package struct StoredPolicy: TableRow, Equatable, Sendable {
    /// The keys that a policy applies to. A key's own policy replaces the policy of all keys.
    package enum Subject: Hashable, Sendable {
        case allKeys
        case key(EntryName)

        /// The name of the row: the public key, or `*`.
        package var rowName: String {
            switch self {
            case .allKeys: "*"
            case .key(let name): name.text
            }
        }

        init?(rowName: String) {
            if rowName == "*" {
                self = .allKeys
            } else {
                guard let name = EntryName(rowName), name.publicKey != nil else { return nil }
                self = .key(name)
            }
        }

        /// True if a policy for this subject limits a key. A key's own policy replaces the policy
        /// of all keys until it is removed.
        package func includes(_ key: EntryName) -> Bool { self == .allKeys || self == .key(key) }

        /// True if an entry leaves the vault only with the second method of the policy. A seed
        /// discloses all its keys, so every policy holds it.
        package func holds(_ entry: EntryName) -> Bool {
            entry.firstKeyOfSeed != nil || entry.publicKey != nil && includes(entry)
        }
    }

    package let subject: Subject
    /// The text of the policy, 1 byte to 1 MiB.
    package let document: [UInt8]
    /// The unlock method that a looser policy, and the release of the key, require.
    package let secondMethod: SecondMethod
    /// Seconds since 1970.
    package let setAt: Int64

    static let maximumDocument = 1 << 20
    private static let version: UInt8 = 1

    /// - Throws: `policySize`.
    package init(
        _ subject: Subject, document: [UInt8], secondMethod: SecondMethod, setAt: Int64
    ) throws(VaultError) {
        guard (1...Self.maximumDocument).contains(document.count) else {
            throw .input(.tooLarge(.policy, maximum: Self.maximumDocument))
        }
        (self.subject, self.document, self.secondMethod, self.setAt) = (
            subject, document, secondMethod, setAt
        )
    }

    /// The SHA-256 of the document, by which the audit log identifies the policy.
    package var hash: [UInt8] { HashFunction.sha256.hash(document) }

    // MARK: rows

    static let table = VaultTable.policies

    var rowName: String { subject.rowName }
    var values: [SQLiteValue] { [.blob(value)] }

    private var value: [UInt8] {
        let slot = secondMethod.slot.body
        let count = UInt16(truncatingIfNeeded: slot.count)
        return [Self.version] + setAt.littleEndianBytes + count.littleEndianBytes + slot + document
    }

    /// Reads a row of `name, value`.
    /// - Throws: `policySet` for a row that this version does not interpret: it could forbid
    ///   anything.
    init(_ row: borrowing some RowColumns & ~Copyable) throws(VaultError) {
        guard let name = row.text(0), let value = row.blob(1) else { throw .input(.policySet) }
        try self.init(name: name, value: value)
    }

    /// Reads the values of a row.
    init(name: String, value: [UInt8]) throws(VaultError) {
        guard let subject = Subject(rowName: name),
            let read = try? ByteReader.readStored(
                value, version: Self.version,
                { reader throws(AuditEvent.BodyError) in try Self.read(subject, from: &reader) })
        else { throw .input(.policySet) }
        self = read
    }

    private static func read(
        _ subject: Subject, from reader: inout ByteReader
    ) throws(AuditEvent.BodyError) -> StoredPolicy {
        let setAt = try reader.readTime()
        let length: UInt16 = try reader.read()
        do {
            let slot = try Slot(body: reader.readBytes(Int(length)))
            let document = try reader.readBytes(reader.remaining)
            return try StoredPolicy(
                subject, document: document, secondMethod: SecondMethod(slot), setAt: setAt)
        } catch { throw AuditEvent.BodyError() }
    }
}

extension VaultTable {
    package static let policies = named(
        6, "policies", isBucketed: false, maximumRowSize: VaultFormat.maximumValueCount)
}
