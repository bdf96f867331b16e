import Codecs

/// Base58 text has one spelling, and decoding into guarded memory gives the same result as decoding
/// into arrays.
public enum Base58Law: Law {
    public static let name = "Base58"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let texts = vectors.texts("public-keys", "text") + vectors.texts("signatures", "text")
        let bodies = texts.map { Array($0.utf8.split(separator: UInt8(ascii: "_")).last ?? []) }
        let binaries = try vectors.texts("signatures", "binary").map { try Hex.decode($0) }
        return Set(bodies + binaries).sorted { $0.lexicographicallyPrecedes($1) } + [
            Array("1111".utf8), [0, 0, 0], [0, 255],
        ]
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        try checkText(input)
        let text = Base58.encode(input)
        try law(
            text.utf8.count <= Base58.maximumTextCount(for: input.count), "the reserved length is sufficient")
        if text.utf8.count <= Base58.maximumCount {
            let bytes = try must("encoded text is accepted") { try Base58.decode(Array(text.utf8)) }
            try law(bytes == input, "decoded bytes equal the encoded ones")
        }
    }

    private static func checkText(_ input: [UInt8]) throws(LawBroken) {
        let bytes: [UInt8]
        do { bytes = try Base58.decode(input) } catch {
            try law(
                decode(input, count: 32) == .failure(error),
                "decoding into guarded memory gives the same error: \(error)")
            return
        }
        try law(Array(Base58.encode(bytes).utf8) == input, "decoded text encodes to itself")
        try law(
            decode(input, count: bytes.count) == .success(bytes),
            "decoding into guarded memory gives the same bytes")
        for count in [bytes.count - 1, bytes.count + 1] where count >= 0 {
            try law(
                decode(input, count: count) == .failure(.wrongBase58Length(expected: count)),
                "a length of \(count) bytes is refused")
        }
    }

    private static func decode(_ input: [UInt8], count: Int) -> Result<[UInt8], CodecError> {
        var bytes = [UInt8](repeating: 0xaa, count: count)
        do throws(CodecError) {
            var span = bytes.mutableSpan
            var raw = unsafe span.mutableBytes
            unsafe try Base58.decode(input.span.bytes, into: &raw)
        } catch { return .failure(error) }
        return .success(bytes)
    }
}
