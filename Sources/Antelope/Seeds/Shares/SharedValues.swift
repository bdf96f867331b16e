import Codecs
import SecureMemory

/// Values of polynomials in GF(256), one for each byte of a secret (SLIP-0039, "Secret sharing"): a
/// row of guarded memory for each coordinate.
struct SharedValues: ~Copyable {
    /// The coordinate of the secret.
    static let secretPoint: UInt8 = 255
    /// The coordinate of the digest of the secret, and random bytes.
    static let digestPoint: UInt8 = 254
    static let digestCount = 4

    /// The bytes of a row.
    let rowCount: Int
    /// The coordinate of each row.
    private(set) var points: [UInt8] = []
    private var rows: SecureBytes

    /// - Parameter capacity: the most rows.
    init(rowCount: Int, capacity: Int) throws(SeedError) {
        self.rowCount = rowCount
        rows = try guarded(rowCount * capacity)
    }

    mutating func append(_ value: RawSpan, at point: UInt8) {
        precondition(value.byteCount == rowCount)
        let start = points.count * rowCount
        rows.withMutableBytes { $0.copy(value, to: start) }
        points.append(point)
    }

    mutating func append(_ value: borrowing SecureBytes, at point: UInt8) {
        value.withBytes { append($0, at: point) }
    }

    /// A copy of the row at an index.
    func row(_ index: Int) throws(SeedError) -> SecureBytes {
        var row = try guarded(rowCount)
        lendRow(index) { value in row.withMutableBytes { $0.copy(value, to: 0) } }
        return row
    }

    func lendRow<Result>(_ index: Int, _ body: (RawSpan) -> Result) -> Result {
        let rowCount = rowCount
        return rows.withBytes { body($0.extracting(index * rowCount..<(index + 1) * rowCount)) }
    }

    /// The value at a coordinate, from all rows.
    func value(at target: UInt8) throws(SeedError) -> SecureBytes {
        var value = try guarded(rowCount)
        let (points, rowCount) = (points, rowCount)
        rows.withBytes { rows in
            value.withMutableBytes { value in
                for (index, point) in points.enumerated() {
                    let factor = GF256.factor(of: point, among: points, at: target)
                    for offset in 0..<rowCount {
                        value[byte: offset] ^= GF256.times(rows[byte: index * rowCount + offset], factor)
                    }
                }
            }
        }
        return value
    }

    // MARK: sharing

    /// The values of `count` shares, any `threshold` of which give the secret.
    static func shares(of secret: borrowing SecureBytes, threshold: Int, count: Int) throws(SeedError)
        -> SharedValues
    {
        defer { wipeScratch() }
        var shares = try SharedValues(rowCount: secret.count, capacity: count)
        guard threshold > 1 else {
            for index in 0..<count { shares.append(secret, at: UInt8(index)) }
            return shares
        }
        var base = try SharedValues(rowCount: secret.count, capacity: threshold)
        for index in 0..<threshold - 2 { base.append(try randomBytes(secret.count), at: UInt8(index)) }
        base.append(try digestRow(of: secret), at: digestPoint)
        base.append(secret, at: secretPoint)
        for index in 0..<count { shares.append(try base.value(at: UInt8(index)), at: UInt8(index)) }
        return shares
    }

    /// The digest of the secret, and the random bytes that it was made with.
    private static func digestRow(of secret: borrowing SecureBytes) throws(SeedError) -> SecureBytes {
        let random = try randomBytes(secret.count - digestCount)
        var row = try guarded(secret.count)
        try digest(of: secret, key: random).withBytes { digest in
            row.withMutableBytes { $0.copy(digest.extracting(0..<digestCount), to: 0) }
        }
        row.copy(random, to: digestCount)
        return row
    }

    private static func digest(of secret: borrowing SecureBytes, key: borrowing SecureBytes) throws(SeedError)
        -> SecureBytes
    {
        try converting(SeedError.outOfMemory, HMAC.sha256.tag(of: secret, key: key))
    }

    /// The secret of as many rows as its threshold.
    /// - Throws: `share(.digest)`, `memory`.
    func secret() throws(SeedError) -> SecureBytes {
        // With a threshold of 1, each share is the secret, and has no digest.
        guard points.count > 1 else { return try row(0) }
        defer { wipeScratch() }
        let secret = try value(at: Self.secretPoint)
        let row = try value(at: Self.digestPoint)
        var random = try guarded(rowCount - Self.digestCount)
        row.withBytes { row in
            random.withMutableBytes { $0.copy(row.extracting(Self.digestCount..<row.byteCount), to: 0) }
        }
        let expected = try Self.digest(of: secret, key: random)
        let difference = row.withBytes { row in
            expected.withBytes { expected in
                (0..<Self.digestCount).reduce(0 as UInt8) { $0 | (row[byte: $1] ^ expected[byte: $1]) }
            }
        }
        // Discloses whether the shares are of one secret.
        guard disclosed(difference) == 0 else { throw .share(.digest) }
        return secret
    }
}
