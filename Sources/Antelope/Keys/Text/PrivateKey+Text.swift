import Codecs
import SecureMemory

/// Private keys as text: WIF (`5…`, K1), `PVT_K1_…`, `PVT_R1_…`. Text and bytes stay in guarded
/// memory.
extension PrivateKey {
    /// The maximum length of private key text. Input with more bytes is something other than a key.
    package static let maximumTextCount = 64

    /// Parses private key text in guarded memory.
    package static func parse(_ text: borrowing SecureBytes) throws(KeyTextError) -> PrivateKey {
        try text.withBytes { span throws(KeyTextError) in try parse(span) }
    }

    /// Parses private key text in a lent part of guarded memory.
    package static func parse(_ text: RawSpan) throws(KeyTextError) -> PrivateKey {
        var reader = PrivateKeyReader()
        return try reader.read(text)
    }

    /// The length of a WIF's bytes: version byte, scalar, checksum, which is the first four bytes
    /// of SHA-256 taken twice.
    static let wifSize = 1 + size + Checksum.size
    static let wifVersion: UInt8 = 0x80

    // MARK: - printing

    /// The text of the private key itself, in guarded memory: `PVT_K1_…` or `PVT_R1_…`.
    package borrowing func exportPlaintext() throws(KeyTextError) -> SecureBytes {
        var bytes = try Self.secure(count: Self.size + Checksum.size)
        withScalar { bytes.copy($0, from: 0, count: Self.size, to: 0) }
        let suffix = curve.suffix
        var hashed = try Self.secure(count: Self.size + suffix.utf8.count)
        hashed.copy(bytes, from: 0, count: Self.size)
        hashed.withMutableBytes { span in
            for (offset, byte) in suffix.utf8.enumerated() { span[byte: Self.size + offset] = byte }
        }
        try Self.appendChecksum(to: &bytes, at: Self.size, of: hashed, by: .ripemd160)
        return try Self.text(bytes, prefix: curve.privatePrefix)
    }

    /// The text of a K1 private key as WIF (`5…`), in guarded memory; nil for R1, which has no such
    /// form.
    package borrowing func exportPlaintextWIF() throws(KeyTextError) -> SecureBytes? {
        guard curve == .k1 else { return nil }
        var bytes = try Self.secure(count: Self.wifSize)
        bytes.withMutableBytes { $0[byte: 0] = Self.wifVersion }
        withScalar { bytes.copy($0, from: 0, count: Self.size, to: 1) }
        var payload = try Self.secure(count: 1 + Self.size)
        payload.copy(bytes, from: 0, count: 1 + Self.size)
        var once = try Self.secure(count: HashFunction.sha256.size)
        Self.digest(payload, into: &once, by: .sha256)
        try Self.appendChecksum(to: &bytes, at: 1 + Self.size, of: once, by: .sha256)
        return try Self.text(bytes, prefix: "")
    }

    private static func appendChecksum(
        to bytes: inout SecureBytes, at offset: Int, of hashed: borrowing SecureBytes,
        by function: HashFunction
    ) throws(KeyTextError) {
        var checksum = try secure(count: function.size)
        digest(hashed, into: &checksum, by: function)
        checksum.withBytes { bytes.copy($0, from: 0, count: Checksum.size, to: offset) }
    }

    private static func text(_ bytes: borrowing SecureBytes, prefix: String) throws(KeyTextError)
        -> SecureBytes
    {
        defer { wipeScratch() }
        var digits = try secure(count: Base58.maximumTextCount(for: bytes.count))
        let count = bytes.withBytes { input in
            digits.withMutableBytes { output in Base58.encode(input, into: &output) }
        }
        var text = try secure(count: prefix.utf8.count + count)
        text.withMutableBytes { span in
            for (offset, byte) in prefix.utf8.enumerated() { span[byte: offset] = byte }
        }
        let start = digits.count - count
        digits.withBytes { text.copy($0, from: start, count: count, to: prefix.utf8.count) }
        return text
    }

    // MARK: - steps

    private static func secure(count: Int) throws(KeyTextError) -> SecureBytes {
        try converting(KeyTextError.memory, SecureBytes(count: count))
    }

    private static func digest(
        _ bytes: borrowing SecureBytes, into digest: inout SecureBytes, by function: HashFunction
    ) {
        // The callers then make system calls to allocate guarded memory.
        defer { wipeScratch() }
        bytes.withBytes { input in digest.withMutableBytes { output in function.hash(input, into: &output) } }
    }
}

extension Curve {
    /// The curve's name in text.
    package var suffix: String { self == .k1 ? "K1" : "R1" }
    var privatePrefix: String { "PVT_\(suffix)_" }
}

extension SecureBytes {
    fileprivate mutating func copy(_ source: RawSpan, from start: Int, count: Int, to offset: Int) {
        withMutableBytes { span in
            for index in 0..<count { span[byte: offset + index] = source[byte: start + index] }
        }
    }

    fileprivate mutating func copy(_ source: borrowing SecureBytes, from start: Int, count: Int) {
        source.withBytes { copy($0, from: start, count: count, to: 0) }
    }
}
