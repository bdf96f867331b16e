import Codecs
import Keys
import Signing

/// A row of the table `counters` with a part of the payment history (VaultFormat.md, "The payment
/// history"): records whose fingerprints begin with the same byte, the oldest first.
///
/// The rows of one kind and byte are a sequence in one bucket. A signature writes the last row of
/// each sequence that it adds to, so many signatures write few rows.
package struct HistoryRow: TableRow, Equatable, Sendable {
    static let table = VaultTable.counters
    private static let version: UInt8 = 1

    /// The subject of the records.
    enum Kind: String, CaseIterable, Sendable {
        /// Accounts that were paid.
        case paid
        /// Signatures that were made.
        case signed = "made"

        /// The most records of a row.
        var maximumCount: Int { self == .paid ? 1_024 : 512 }
        /// The rows of a sequence that are kept whatever their age. 256 sequences have more than
        /// 1,000,000 records then, also if some have fewer than others.
        var keptRowCount: Int { self == .paid ? 6 : 10 }
    }

    /// The rows of a sequence that are kept for the time of `keptSeconds`.
    static let maximumRowCount = 64
    static let keptSeconds: Int64 = 30 * 86_400

    /// The rows of a kind whose fingerprints begin with a byte.
    struct Sequence: Hashable, Sendable {
        let kind: Kind
        let byte: UInt8

        var prefix: String { "\(kind.rawValue):\(Hex.encode([byte])):" }
        var leaf: Manifest.Leaf { Manifest.Leaf(of: prefix, in: .counters) }
    }

    struct Record: Equatable, Sendable {
        let fingerprint: Fingerprint
        /// Seconds since 1970.
        let time: UInt32
        /// nil for a payment.
        let signature: PaymentHistory.Signature?
    }

    let sequence: Sequence
    let number: UInt32
    /// The keys of the signatures, each once.
    private var keys: [PublicKey] = []
    /// The records as they are stored. A lookup compares bytes: a row may have hundreds of records.
    private var content: [UInt8] = []

    init(_ sequence: Sequence, number: UInt32) { (self.sequence, self.number) = (sequence, number) }

    package var rowName: String { sequence.prefix + Hex.encode(number.bigEndianBytes) }
    var values: [SQLiteValue] { [.blob(value)] }

    /// The time of the newest record.
    var newest: Int64 { times.reduce(0, max) }
    /// The time of the oldest record.
    var oldest: Int64 { times.reduce(.max, min) }

    private var times: [Int64] {
        (0..<count).map { Int64(number(at: $0 * recordSize + Fingerprint.size)) }
    }

    private func number(at index: Int) -> UInt32 {
        let number: UInt32 = content.number(at: index)
        return number.littleEndian
    }

    /// - Returns: false if the row has no room. The record is then the first one of the next row.
    mutating func append(_ record: Record) -> Bool {
        guard count < sequence.kind.maximumCount else { return false }
        if let signature = record.signature, !keys.contains(signature.key) {
            guard keys.count < UInt8.max else { return false }
            keys.append(signature.key)
        }
        var writer = ByteWriter()
        writer.write(bytes: record.fingerprint.bytes)
        writer.write(integer: record.time)
        if let signature = record.signature {
            writer.write(bytes: signature.transaction)
            writer.write(integer: signature.expiration)
            writer.write(byte: UInt8(truncatingIfNeeded: keys.firstIndex(of: signature.key) ?? 0))
        }
        content += writer.bytes
        count += 1
        return true
    }

    // MARK: records

    /// The bytes of a record.
    private var recordSize: Int { Fingerprint.size + 4 + (sequence.kind == .signed ? 32 + 4 + 1 : 0) }

    /// The bytes of all records.
    var size: Int { content.count }

    private(set) var count = 0

    var records: [Record] { (0..<count).map(record) }

    private func record(_ index: Int) -> Record {
        let start = index * recordSize
        let rest = start + Fingerprint.size + 4
        return Record(
            fingerprint: fingerprint(index),
            time: number(at: start + Fingerprint.size),
            signature: sequence.kind == .paid
                ? nil
                : PaymentHistory.Signature(
                    key: keys[Int(content[rest + 36])], transaction: Array(content[rest..<rest + 32]),
                    expiration: number(at: rest + 32)))
    }

    private func fingerprint(_ index: Int) -> Fingerprint {
        let (high, low): (UInt64, UInt64) = (
            content.number(at: index * recordSize), content.number(at: index * recordSize + 8)
        )
        return Fingerprint(high: high.bigEndian, low: low.bigEndian)
    }

    func contains(_ fingerprint: Fingerprint) -> Bool {
        (0..<count).contains { self.fingerprint($0) == fingerprint }
    }

    /// True if the row has the record, whatever its time.
    func contains(_ record: Record) -> Bool {
        guard let signature = record.signature else { return contains(record.fingerprint) }
        let beginning: UInt64 = signature.transaction.number(at: 0)
        return (0..<count).contains { index in
            // Most records differ here.
            guard content.number(at: index * recordSize + Fingerprint.size + 4) == beginning,
                fingerprint(index) == record.fingerprint
            else { return false }
            let found = self.record(index).signature
            return found?.key == signature.key && found?.transaction == signature.transaction
        }
    }

    /// The newest signatures with a fingerprint, the oldest first.
    func signatures(of fingerprint: Fingerprint, atMost limit: Int) -> [PaymentHistory.Signature] {
        var found: [PaymentHistory.Signature] = []
        for index in (0..<count).reversed() where self.fingerprint(index) == fingerprint {
            guard found.count < limit else { break }
            if let signature = record(index).signature { found.append(signature) }
        }
        return found.reversed()
    }

    // MARK: bytes

    package var value: [UInt8] {
        var writer = ByteWriter()
        writer.write(byte: Self.version)
        if sequence.kind == .signed {
            writer.write(byte: UInt8(truncatingIfNeeded: keys.count))
            for key in keys { writer.write(name: EntryName(key)) }
        }
        return writer.bytes + content
    }

    /// The sequence that the row with this name belongs to; nil for another row.
    static func sequence(ofName name: String) -> Sequence? {
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let kind = Kind(rawValue: String(parts[0])), parts[1].utf8.count == 2,
            let byte = UInt8(parts[1], radix: 16)
        else { return nil }
        return Sequence(kind: kind, byte: byte)
    }

    /// Reads a row; nil for a row that is not of the history.
    /// - Throws: `damaged(.row(.counters))` for a row that no writer of this version produces.
    package static func read(name: String, value: [UInt8]) throws(VaultError) -> HistoryRow? {
        guard let sequence = sequence(ofName: name) else { return nil }
        guard let number = UInt32(name.dropFirst(sequence.prefix.count), radix: 16) else {
            throw .damaged(.counters)
        }
        do {
            return try ByteReader.readStored(value, version: version) { reader throws(AuditEvent.BodyError) in
                var row = HistoryRow(sequence, number: number)
                guard row.rowName == name else { throw AuditEvent.BodyError() }
                try row.readRecords(from: &reader)
                return row
            }
        } catch { throw .damaged(.counters) }
    }

    /// Reads a row of `columns`; nil for a row that is not of the history.
    static func read(_ row: borrowing some RowColumns & ~Copyable) throws(VaultError) -> HistoryRow? {
        guard let name = row.text(1), let value = row.blob(2) else {
            throw .integrity(.damaged(.row(.counters)))
        }
        return try read(name: name, value: value)
    }

    private mutating func readRecords(from reader: inout ByteReader) throws(AuditEvent.BodyError) {
        if sequence.kind == .signed {
            let count: UInt8 = try reader.read()
            for _ in 0..<count { keys.append(try AuditEvent.BodyError.expect(reader.readName().publicKey)) }
            guard Set(keys).count == count else { throw AuditEvent.BodyError() }
        }
        guard (recordSize...recordSize * sequence.kind.maximumCount).contains(reader.remaining) else {
            throw AuditEvent.BodyError()
        }
        content = try reader.read(reader.remaining)
        while count * recordSize < content.count {
            let (start, end) = (count * recordSize, (count + 1) * recordSize)
            guard end <= content.count, content[start] == sequence.byte,
                sequence.kind == .paid || content[end - 1] < keys.count
            else { throw AuditEvent.BodyError() }
            count += 1
        }
    }
}

extension [UInt8] {
    /// The number at an index.
    fileprivate func number<Number: FixedWidthInteger & BitwiseCopyable>(at index: Int) -> Number {
        unsafe span.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: Number.self)
    }
}

/// The first 16 bytes of a hash, by which the history finds a recipient or the actions of a
/// transaction.
struct Fingerprint: Hashable, Sendable {
    /// Bytes.
    static let size = 16

    private let high, low: UInt64

    init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    init(of text: [UInt8]) {
        self.init(big: Sodium.hash(text)[...])
    }

    /// - Returns: nil unless there are 16 bytes.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.init(big: bytes[...])
    }

    private init(big bytes: ArraySlice<UInt8>) {
        high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes.dropFirst(8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    var first: UInt8 { UInt8(truncatingIfNeeded: high >> 56) }
    var bytes: [UInt8] { high.bigEndianBytes + low.bigEndianBytes }
}
