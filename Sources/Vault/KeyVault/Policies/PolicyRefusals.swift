import Codecs

/// Requests that policies refused after the unlock: their number, and the times of the first and
/// the last. They are counted in one setting, so that they can't fill the log; the next change of
/// the vault records them.
package struct PolicyRefusals: Equatable, Sendable {
    /// The key whose policy refused, the code of the error, and the part of the policy.
    package struct Kind: Hashable, Sendable {
        package let key: EntryName
        /// 1 to 64 bytes.
        package let code: String
        /// The part as a JSON pointer into the policy, 0 to 64 bytes: `/rules/0`.
        package let part: String

        package init(key: EntryName, code: String, part: String) {
            (self.key, self.code, self.part) = (key, code, part)
        }

        fileprivate var isValid: Bool { (1...64).contains(code.utf8.count) && part.utf8.count <= 64 }
        fileprivate var order: (String, String, String) { (key.text, code, part) }
    }

    /// Of all requests.
    package internal(set) var count: Int64
    /// Seconds since 1970.
    package internal(set) var first: Int64
    package internal(set) var last: Int64
    /// The numbers of the first kinds. Requests of other kinds are in `count` only.
    package internal(set) var counts: [Kind: Int64] = [:]

    package init(count: Int64, first: Int64, last: Int64, counts: [Kind: Int64] = [:]) {
        (self.count, self.first, self.last, self.counts) = (count, first, last, counts)
    }

    static let settingName = "policy-refusals"
    private static let version: UInt8 = 1
    /// The most kinds.
    static let maximumKindCount = 64

    /// In the order of the stored bytes.
    package var sortedCounts: [(kind: Kind, count: Int64)] {
        counts.map { (kind: $0.key, count: $0.value) }.sorted { $0.kind.order < $1.kind.order }
    }

    mutating func add(_ new: [Kind: Int64], at time: Int64) {
        for (kind, number) in new.sorted(by: { $0.key.order < $1.key.order }) where kind.isValid {
            count = Self.sum(count, number)
            guard counts[kind] != nil || counts.count < Self.maximumKindCount else { continue }
            counts[kind] = Self.sum(counts[kind] ?? 0, number)
        }
        last = time
    }

    private static func sum(_ one: Int64, _ other: Int64) -> Int64 {
        let (sum, overflow) = one.addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    // MARK: bytes

    var value: [UInt8] {
        var writer = ByteWriter()
        writer.write(byte: Self.version)
        write(to: &writer)
        return writer.bytes
    }

    func write(to writer: inout ByteWriter) {
        for number in [count, first, last] { writer.write(integer: number) }
        writer.write(byte: UInt8(clamping: counts.count))
        for (kind, count) in sortedCounts {
            writer.write(name: kind.key)
            writer.write(text: kind.code.utf8)
            writer.write(text: kind.part.utf8)
            writer.write(integer: count)
        }
    }

    init(from reader: inout ByteReader) throws(AuditEvent.BodyError) {
        self.init(
            count: try reader.readCount(from: 1), first: try reader.readTime(), last: try reader.readTime())
        let number: UInt8 = try reader.read()
        var before: Kind?
        for _ in 0..<number {
            let kind = Kind(
                key: try reader.readName(), code: try reader.readText(), part: try reader.readText())
            guard kind.isValid, before.map({ $0.order < kind.order }) ?? true,
                counts.count < Self.maximumKindCount
            else { throw AuditEvent.BodyError() }
            counts[kind] = try reader.readCount(from: 1)
            before = kind
        }
    }

    /// - Throws: `damaged(.row(.settings))` for a value that no writer produces.
    init(_ value: [UInt8]) throws(VaultError) {
        do {
            self = try ByteReader.readStored(value, version: Self.version) {
                reader throws(AuditEvent.BodyError) in
                try PolicyRefusals(from: &reader)
            }
        } catch { throw .damaged(.settings) }
    }
}
