import Codecs
import SecureMemory

/// Parses the text of many private keys, one after another, in the same guarded memory.
///
/// Text and bytes stay in guarded memory. Decoding does not branch or look up by their bytes,
/// except to find the place of an error.
package struct PrivateKeyReader: ~Copyable {
    private static let size = PrivateKey.size

    /// The bytes that the text encodes.
    private var decoded: ReusedBytes
    /// The input of the last hash: the scalar and a suffix, or the first of two digests.
    private var hashed: ReusedBytes
    private var digest: ReusedBytes
    /// The memory of the last key that was given back.
    private var scalar: SecureBytes?

    package init() throws(SecureMemoryError) {
        let decoded = try ReusedBytes(capacity: PrivateKey.wifSize)
        let hashed = try ReusedBytes(capacity: Self.size + Checksum.maximumSuffixCount)
        let digest = try ReusedBytes(capacity: HashFunction.sha256.size)
        self.decoded = decoded
        self.hashed = hashed
        self.digest = digest
    }

    /// Parses the text of one key.
    package mutating func read(_ text: RawSpan) throws(KeyTextError) -> PrivateKey {
        CurveLibraries.start()
        defer { wipeScratch() }
        let form = try Form(of: text)
        var scalar: SecureBytes
        if let known = self.scalar.take() {
            scalar = known
        } else {
            scalar = try converting(KeyTextError.memory, SecureBytes(count: Self.size))
        }
        let curve: Curve
        switch form {
        case .wif:
            curve = .k1
            try Self.decode(wif: text, into: &scalar, &decoded, &hashed, &digest)
        case .suffixed(let named, let prefix):
            curve = named
            let body = text.extracting(prefix..<text.byteCount)
            try Self.decode(
                suffixed: body, of: named, prefix: prefix, into: &scalar, &decoded, &hashed, &digest)
        }
        do { return try PrivateKey(curve: curve, scalar: scalar) } catch { throw KeyTextError(error) }
    }

    /// Ends a key and wipes it. The next key gets its memory.
    package mutating func reuse(_ key: consuming PrivateKey) {
        var scalar = key.takeScalar()
        scalar.wipe()
        self.scalar = consume scalar
    }

    // MARK: - the form

    private enum Form {
        case wif
        /// `PVT_K1_` or `PVT_R1_`.
        case suffixed(Curve, prefix: Int)

        init(of text: RawSpan) throws(KeyTextError) {
            guard text.byteCount > 0 else { throw .empty }
            if let offset = Self.firstUnprintable(in: text) { throw .unexpectedCharacter(offset: offset) }
            for curve in Curve.allCases where text.starts(with: curve.privatePrefix) {
                self = .suffixed(curve, prefix: curve.privatePrefix.utf8.count)
                return
            }
            if text.starts(with: "PVT_") { throw .unknownCurve(expected: Curve.allCases.map(\.suffix)) }
            if text.starts(with: "EOS") || text.starts(with: "PUB_") { throw .publicKeyGiven }
            if text.starts(with: "FIO") { throw .fioPublicKey }
            // 52 characters from K or L are 0x80, scalar, 0x01, checksum. Text is refused by its
            // form, before its bytes are decoded.
            if text.byteCount == 52, text.starts(with: "K") || text.starts(with: "L") { throw .compressedWIF }
            guard (50...52).contains(text.byteCount) else {
                throw .unknownPrefix(expected: ["5"] + Curve.allCases.map(\.privatePrefix))
            }
            self = .wif
        }

        private static func firstUnprintable(in text: RawSpan) -> Int? {
            // All bytes are checked, so that the time for valid text does not depend on its
            // contents.
            var bad: UInt8 = 0
            for index in 0..<text.byteCount { bad |= unprintable(text[byte: index]) }
            // Discloses whether the text is printable. If it is not, it is not a key, so the error
            // may state the offset.
            guard disclosed(bad != 0) else { return nil }
            return (0..<text.byteCount).first { disclosed(unprintable(text[byte: $0]) != 0) }
        }

        /// Nonzero for a byte outside 0x21 to 0x7e.
        private static func unprintable(_ byte: UInt8) -> UInt8 {
            UInt8(truncatingIfNeeded: ((0x7e &- UInt16(byte)) | (UInt16(byte) &- 0x21)) >> 15)
        }
    }

    // MARK: - decoding

    private static func decode(
        wif text: RawSpan, into scalar: inout SecureBytes, _ decoded: inout ReusedBytes,
        _ hashed: inout ReusedBytes,
        _ digest: inout ReusedBytes
    ) throws(KeyTextError) {
        try decoded.lend(PrivateKey.wifSize) { bytes throws(KeyTextError) in
            try decode(text, into: &bytes, prefix: 0)
            let payload = bytes.bytes.extracting(0..<(1 + size))
            let matches = hashed.lend(HashFunction.sha256.size) { once in
                hash(payload, into: &once, by: .sha256)
                return Self.matches(bytes.bytes, at: 1 + size, digestOf: once.bytes, by: .sha256, &digest)
            }
            guard matches else {
                let single = Self.matches(bytes.bytes, at: 1 + size, digestOf: payload, by: .sha256, &digest)
                throw single ? .singleHashWIF : .checksumMismatch
            }
            // The version byte is not part of the scalar, so it may be disclosed.
            let version = disclosed(bytes[byte: 0])
            guard version == PrivateKey.wifVersion else { throw .wrongWIFVersion(version) }
            scalar.copy(bytes.bytes, from: 1)
        }
    }

    private static func decode(
        suffixed text: RawSpan, of curve: Curve, prefix: Int, into scalar: inout SecureBytes,
        _ decoded: inout ReusedBytes, _ hashed: inout ReusedBytes, _ digest: inout ReusedBytes
    ) throws(KeyTextError) {
        try decoded.lend(size + Checksum.size) { bytes throws(KeyTextError) in
            try decode(text, into: &bytes, prefix: prefix)
            guard checksumMatches(bytes.bytes, suffix: curve.suffix, &hashed, &digest) else {
                for other in Curve.allCases.map(\.suffix) + [""] where other != curve.suffix {
                    if checksumMatches(bytes.bytes, suffix: other, &hashed, &digest) {
                        throw .checksumOfOtherForm(suffix: other)
                    }
                }
                throw .checksumMismatch
            }
            scalar.copy(bytes.bytes, from: 0)
        }
    }

    private static func decode(_ text: RawSpan, into bytes: inout MutableRawSpan, prefix: Int)
        throws(KeyTextError)
    {
        do throws(CodecError) { try Base58.decode(text, into: &bytes) } catch {
            throw KeyTextError(error, offset: prefix)
        }
    }

    // MARK: - checksums

    /// True if the checksum after the scalar matches the scalar and the suffix.
    private static func checksumMatches(
        _ bytes: RawSpan, suffix: String, _ hashed: inout ReusedBytes, _ digest: inout ReusedBytes
    ) -> Bool {
        hashed.lend(size + suffix.utf8.count) { input in
            for index in 0..<size { input[byte: index] = bytes[byte: index] }
            for (offset, byte) in suffix.utf8.enumerated() { input[byte: size + offset] = byte }
            return matches(bytes, at: size, digestOf: input.bytes, by: .ripemd160, &digest)
        }
    }

    /// True if the four bytes at `offset` are the start of the digest, without a branch on any of
    /// them.
    private static func matches(
        _ bytes: RawSpan, at offset: Int, digestOf hashed: RawSpan, by function: HashFunction,
        _ digest: inout ReusedBytes
    ) -> Bool {
        digest.lend(function.size) { expected in
            hash(hashed, into: &expected, by: function)
            var difference: UInt8 = 0
            for index in 0..<Checksum.size {
                difference |= bytes[byte: offset + index] ^ expected[byte: index]
            }
            // Discloses only whether the checksum matches.
            return disclosed(difference == 0)
        }
    }

    private static func hash(_ bytes: RawSpan, into digest: inout MutableRawSpan, by function: HashFunction) {
        // The callers then make system calls to protect guarded memory.
        defer { wipeScratch() }
        function.hash(bytes, into: &digest)
    }
}

extension SecureBytes {
    /// Overwrites all bytes with bytes of `source` from `start` on.
    fileprivate mutating func copy(_ source: RawSpan, from start: Int) {
        withMutableBytes { span in
            for index in 0..<span.byteCount { span[byte: index] = source[byte: start + index] }
        }
    }
}
