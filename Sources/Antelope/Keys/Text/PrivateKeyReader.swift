import Codecs
import SecureMemory

/// Parses the text of many private keys, one after another, in the same guarded memory.
///
/// Text and bytes stay in guarded memory. Decoding does not branch or look up by their bytes,
/// except to find the place of an error.
package struct PrivateKeyReader: ~Copyable {
    private static let size = PrivateKey.size

    /// Three parts are in the memory of a key while it is decoded: the bytes that the text encodes;
    /// the input of the last hash, which is the scalar and a suffix, or the first of two digests;
    /// and the last digest.
    private static let scratchSize =
        PrivateKey.wifSize + size + Checksum.maximumSuffixCount + HashFunction.sha256.size

    /// The memory of the last key that was given back.
    private var scalar: SecureBytes?

    package init() {}

    /// Parses the text of one key.
    package mutating func read(_ text: RawSpan) throws(KeyTextError) -> PrivateKey {
        CurveLibraries.start()
        defer { wipeScratch() }
        let form = try Form(of: text)
        var scalar: SecureBytes
        if let known = self.scalar.take() {
            scalar = known
        } else {
            scalar = try converting(
                KeyTextError.memory, SecureBytes(count: Self.size, scratch: Self.scratchSize))
        }
        switch form {
        case .wif:
            let publicKey = try Self.decode(wif: text, into: &scalar)
            return PrivateKey(curve: .k1, scalar: scalar, publicKey)
        case .suffixed(let curve, let prefix):
            let body = text.extracting(prefix..<text.byteCount)
            let publicKey = try Self.decode(suffixed: body, of: curve, prefix: prefix, into: &scalar)
            return PrivateKey(curve: curve, scalar: scalar, publicKey)
        }
    }

    /// Ends a key. The next key gets its memory and overwrites it; without a next one, it is wiped
    /// by `forget`, or when the reader ends.
    package mutating func reuse(_ key: consuming PrivateKey) {
        let scalar = key.takeScalar()
        // A key of another origin has no scratch memory, and is wiped here.
        if scalar.scratch == Self.scratchSize { self.scalar = consume scalar }
    }

    /// Wipes the last key that was given back.
    package mutating func forget() { scalar = nil }

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

    /// - Returns: the public key of the scalar.
    private static func decode(
        wif text: RawSpan, into scalar: inout SecureBytes
    ) throws(KeyTextError) -> PublicKey {
        let digestSize = HashFunction.sha256.size
        return try scalar.withMutableBytes(PrivateKey.wifSize, digestSize, digestSize) {
            scalar, bytes, once, digest throws(KeyTextError) in
            try decode(text, into: &bytes, prefix: 0)
            let payload = bytes.bytes.extracting(0..<(1 + size))
            hash(payload, into: &once, by: .sha256)
            guard matches(bytes.bytes, at: 1 + size, digestOf: once.bytes, by: .sha256, &digest) else {
                let single = matches(bytes.bytes, at: 1 + size, digestOf: payload, by: .sha256, &digest)
                throw single ? .singleHashWIF : .checksumMismatch
            }
            // The version byte is not part of the scalar, so it may be disclosed.
            let version = disclosed(bytes[byte: 0])
            guard version == PrivateKey.wifVersion else { throw .wrongWIFVersion(version) }
            return try copy(bytes.bytes, from: 1, to: &scalar, on: .k1)
        }
    }

    private static func decode(
        suffixed text: RawSpan, of curve: Curve, prefix: Int, into scalar: inout SecureBytes
    ) throws(KeyTextError) -> PublicKey {
        let inputSize = size + Checksum.maximumSuffixCount
        return try scalar.withMutableBytes(size + Checksum.size, inputSize, HashFunction.ripemd160.size) {
            scalar, bytes, input, digest throws(KeyTextError) in
            try decode(text, into: &bytes, prefix: prefix)
            guard checksumMatches(bytes.bytes, suffix: curve.suffix, &input, &digest) else {
                for other in Curve.allCases.map(\.suffix) + [""] where other != curve.suffix {
                    if checksumMatches(bytes.bytes, suffix: other, &input, &digest) {
                        throw .checksumOfOtherForm(suffix: other)
                    }
                }
                throw .checksumMismatch
            }
            return try copy(bytes.bytes, from: 0, to: &scalar, on: curve)
        }
    }

    /// Overwrites all bytes of a scalar with the bytes of `source` from `start` on.
    /// - Returns: its public key, so that the bytes are lent once.
    private static func copy(
        _ source: RawSpan, from start: Int, to scalar: inout MutableRawSpan, on curve: Curve
    ) throws(KeyTextError) -> PublicKey {
        for index in 0..<scalar.byteCount { scalar[byte: index] = source[byte: start + index] }
        do throws(CurveError) { return try PrivateKey.publicKey(of: scalar.bytes, on: curve) } catch {
            throw KeyTextError(error)
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
        _ bytes: RawSpan, suffix: String, _ input: inout MutableRawSpan, _ digest: inout MutableRawSpan
    ) -> Bool {
        for index in 0..<size { input[byte: index] = bytes[byte: index] }
        for (offset, byte) in suffix.utf8.enumerated() { input[byte: size + offset] = byte }
        let hashed = input.bytes.extracting(0..<(size + suffix.utf8.count))
        return matches(bytes, at: size, digestOf: hashed, by: .ripemd160, &digest)
    }

    /// True if the four bytes at `offset` are the start of the digest, without a branch on any of
    /// them.
    private static func matches(
        _ bytes: RawSpan, at offset: Int, digestOf hashed: RawSpan, by function: HashFunction,
        _ digest: inout MutableRawSpan
    ) -> Bool {
        hash(hashed, into: &digest, by: function)
        var difference: UInt8 = 0
        for index in 0..<Checksum.size { difference |= bytes[byte: offset + index] ^ digest[byte: index] }
        // Discloses only whether the checksum matches.
        return disclosed(difference == 0)
    }

    private static func hash(_ bytes: RawSpan, into digest: inout MutableRawSpan, by function: HashFunction) {
        // The callers then make system calls to protect guarded memory.
        defer { wipeScratch() }
        function.hash(bytes, into: &digest)
    }
}
