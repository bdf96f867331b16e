import TPM

/// A sealed secret is packed as the bytes that it was read from.
public enum SealedSecretLaw: Law {
    public static let name = "SealedSecret"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let name = [0, 0x0b] + [UInt8](repeating: 7, count: 32)
        let head: [UInt8] = [0x00, 0x08, 0x00, 0x0b, 0x00, 0x00, 0x00]
        let tail = [0x00, 0x10, 0x00, 0x20] + [UInt8](repeating: 9, count: 32)
        let free = head + [0x52, 0x00, 0x00] + tail
        let bound = head + [0x12, 0x00, 0x20] + [UInt8](repeating: 5, count: 32) + tail
        func seed(_ registers: [UInt8], _ area: [UInt8], _ count: Int) -> [UInt8] {
            name + registers + [0, UInt8(area.count)] + area + [UInt8(count >> 8), UInt8(count & 0xff)]
                + [UInt8](repeating: 1, count: count)
        }
        return [1, 2, 16, 190, 500].flatMap { count in
            [seed([0, 0, 0], free, count), seed([0x80, 0, 1], bound, count), seed([1, 0, 0], free, count)]
        } + [[], name]
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        guard let sealed = try? SealedSecret(packed: input) else { return }
        try law(sealed.packed == input, "it is packed as the same bytes")
        try law(input.count <= SealedSecret.maximumCount, "it is not too long")
        try law(sealed.registers == sealed.registers.sorted(), "the numbers are in order")
        try law(sealed.primaryName.count == 34, "a Name has 34 bytes")
    }
}

/// Any bytes as the answer to each command: they are refused with an error of the module, or are an
/// answer that has the form of the specification.
public enum TPMAnswerLaw: Law {
    public static let name = "TPMAnswer"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        func answer(_ kind: UInt8, _ tag: UInt8, _ code: [UInt8], _ body: [UInt8]) -> [UInt8] {
            [kind, 0x80, tag, 0, 0, 0, UInt8(body.count + 10)] + code + body
        }
        let fine: [UInt8] = [0, 0, 0, 0]
        let digest = [0, 32] + [UInt8](repeating: 6, count: 32)
        return TPMAnswerCheck.kinds.map { answer(UInt8($0), 1, [0, 0, 9, 0x22], []) } + [
            answer(0, 1, fine, [0, 0, 0, 0, 6, 0, 0, 0, 1, 0, 0, 1, 0, 0x32, 0x2e, 0x30, 0]),
            answer(1, 1, fine, [1, 0, 0, 0, 1, 0, 0, 0, 1, 0x80, 0, 0, 0]),
            answer(4, 1, fine, [0, 0, 0, 1, 0, 0, 0, 1, 0, 0x0b, 3, 1, 0, 0, 0, 0, 0, 1] + digest),
            answer(6, 1, fine, [2, 0, 0, 0] + digest),
        ]
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        guard let kind = input.first else { return }
        let bytes = Array(input.dropFirst())
        let result = TPMAnswerCheck.read(bytes, kind: Int(kind))
        try law(result.isRefused || bytes.count >= 10, "an answer has a header")
        try law(result.values <= 1024, "an answer has at most 1024 values")
    }
}
