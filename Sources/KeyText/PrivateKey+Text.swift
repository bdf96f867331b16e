import Codecs
import Curves
import Digests
import SecureMemory

/// Private keys as text: WIF (`5…`, K1), `PVT_K1_…`, `PVT_R1_…`. Text and bytes stay in guarded
/// memory. Decoding does not branch or look up by their bytes, except to find the place of an
/// error.
extension PrivateKey {
    /// The maximum length of private key text. Input with more bytes is something other than a key.
    package static let maximumTextCount = 64

    /// Parses private key text in guarded memory.
    package static func parse(_ text: borrowing SecureBytes) throws(KeyTextError) -> PrivateKey {
        try text.withBytes { span throws(KeyTextError) in try parse(span) }
    }

    /// Parses private key text in a lent part of guarded memory.
    package static func parse(_ text: RawSpan) throws(KeyTextError) -> PrivateKey {
        CurveLibraries.start()
        defer { wipeScratch() }
        return try parse(lent: text)
    }

    private static func parse(lent text: RawSpan) throws(KeyTextError) -> PrivateKey {
        guard text.byteCount > 0 else { throw .empty }
        if let offset = firstUnprintable(in: text) { throw .unexpectedCharacter(offset: offset) }
        for curve in Curve.allCases where text.starts(with: curve.privatePrefix) {
            let prefix = curve.privatePrefix.utf8.count
            return try parse(suffixed: text.extracting(prefix..<text.byteCount), curve: curve, prefix: prefix)
        }
        if text.starts(with: "PVT_") { throw .unknownCurve(expected: Curve.allCases.map(\.suffix)) }
        if text.starts(with: "EOS") || text.starts(with: "PUB_") { throw .publicKeyGiven }
        if text.starts(with: "FIO") { throw .fioPublicKey }
        return try parse(wif: text)
    }

    // MARK: - PVT_K1_ and PVT_R1_

    private static func parse(suffixed text: RawSpan, curve: Curve, prefix: Int) throws(KeyTextError) -> PrivateKey {
        let bytes = try decode(text, count: size + Checksum.size, prefix: prefix)
        let suffix = curve.suffix
        guard try checksumMatches(bytes, suffix: suffix) else {
            for other in Curve.allCases.map(\.suffix) + [""] where other != suffix {
                if try checksumMatches(bytes, suffix: other) { throw .checksumOfOtherForm(suffix: other) }
            }
            throw .checksumMismatch
        }
        return try key(curve, from: bytes, at: 0)
    }

    private static func checksumMatches(_ bytes: borrowing SecureBytes, suffix: String) throws(KeyTextError) -> Bool {
        var hashed = try secure(count: size + suffix.utf8.count)
        hashed.copy(bytes, from: 0, count: size)
        hashed.withMutableBytes { span in
            for (offset, byte) in suffix.utf8.enumerated() { span[byte: size + offset] = byte }
        }
        return try matches(bytes, at: size, digestOf: hashed, by: .ripemd160)
    }

    // MARK: - WIF

    /// Version byte, scalar, checksum: the first four bytes of SHA-256 taken twice.
    private static let wifSize = 1 + size + Checksum.size
    private static let wifVersion: UInt8 = 0x80

    private static func parse(wif text: RawSpan) throws(KeyTextError) -> PrivateKey {
        // 52 characters from K or L are 0x80, scalar, 0x01, checksum. Text is refused by its form,
        // before its bytes are decoded.
        if text.byteCount == 52, text.starts(with: "K") || text.starts(with: "L") { throw .compressedWIF }
        guard (50...52).contains(text.byteCount) else {
            throw .unknownPrefix(expected: ["5"] + Curve.allCases.map(\.privatePrefix))
        }
        let bytes = try decode(text, count: wifSize, prefix: 0)
        var payload = try secure(count: 1 + size)
        payload.copy(bytes, from: 0, count: 1 + size)
        var once = try secure(count: HashFunction.sha256.size)
        digest(payload, into: &once, by: .sha256)
        guard try matches(bytes, at: 1 + size, digestOf: once, by: .sha256) else {
            let single = try matches(bytes, at: 1 + size, digestOf: payload, by: .sha256)
            throw single ? .singleHashWIF : .checksumMismatch
        }
        // The version byte is not part of the scalar, so it may be disclosed.
        let version = bytes.withBytes { disclosed($0[byte: 0]) }
        guard version == wifVersion else { throw .wrongWIFVersion(version) }
        return try key(.k1, from: bytes, at: 1)
    }

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
        to bytes: inout SecureBytes, at offset: Int, of hashed: borrowing SecureBytes, by function: HashFunction
    ) throws(KeyTextError) {
        var checksum = try secure(count: function.size)
        digest(hashed, into: &checksum, by: function)
        checksum.withBytes { bytes.copy($0, from: 0, count: Checksum.size, to: offset) }
    }

    private static func text(_ bytes: borrowing SecureBytes, prefix: String) throws(KeyTextError) -> SecureBytes {
        defer { wipeScratch() }
        var digits = try secure(count: Base58.maximumTextCount(for: bytes.count))
        let count = bytes.withBytes { input in digits.withMutableBytes { output in Base58.encode(input, into: &output) }
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

    private static func decode(_ text: RawSpan, count: Int, prefix: Int) throws(KeyTextError) -> SecureBytes {
        var bytes = try secure(count: count)
        do {
            try bytes.withMutableBytes { span throws(CodecError) in try Base58.decode(text, into: &span) }
        } catch { throw KeyTextError(error, offset: prefix) }
        return bytes
    }

    private static func digest(
        _ bytes: borrowing SecureBytes, into digest: inout SecureBytes, by function: HashFunction
    ) {
        // The callers then make system calls to allocate guarded memory.
        defer { wipeScratch() }
        bytes.withBytes { input in digest.withMutableBytes { output in function.hash(input, into: &output) } }
    }

    /// Whether the four bytes at `offset` are the start of the digest, without a branch on any of
    /// them.
    private static func matches(
        _ bytes: borrowing SecureBytes, at offset: Int, digestOf hashed: borrowing SecureBytes,
        by function: HashFunction
    ) throws(KeyTextError) -> Bool {
        var expected = try secure(count: function.size)
        digest(hashed, into: &expected, by: function)
        let difference = bytes.withBytes { given in
            expected.withBytes { expected in
                (0..<Checksum.size).reduce(UInt8(0)) { $0 | (given[byte: offset + $1] ^ expected[byte: $1]) }
            }
        }
        // Discloses only whether the checksum matches.
        return disclosed(difference == 0)
    }

    private static func key(_ curve: Curve, from bytes: borrowing SecureBytes, at offset: Int) throws(KeyTextError)
        -> PrivateKey
    {
        var scalar = try secure(count: size)
        bytes.withBytes { scalar.copy($0, from: offset, count: size, to: 0) }
        do { return try PrivateKey(curve: curve, scalar: scalar) } catch { throw KeyTextError(error) }
    }

    private static func firstUnprintable(in text: RawSpan) -> Int? {
        // All bytes are checked, so that the time for valid text does not depend on its contents.
        var bad: UInt8 = 0
        for index in 0..<text.byteCount { bad |= unprintable(text[byte: index]) }
        // Discloses whether the text is printable. If it is not, it is not a key, so the error may
        // state the offset.
        guard disclosed(bad != 0) else { return nil }
        return (0..<text.byteCount).first { disclosed(unprintable(text[byte: $0]) != 0) }
    }

    /// Nonzero for a byte outside 0x21 to 0x7e.
    private static func unprintable(_ byte: UInt8) -> UInt8 {
        UInt8(truncatingIfNeeded: ((0x7e &- UInt16(byte)) | (UInt16(byte) &- 0x21)) >> 15)
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
