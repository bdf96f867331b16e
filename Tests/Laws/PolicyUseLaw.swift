import Codecs
import KeyVault
import Policy
import Signing

/// What a key used of its limits has one form. The input is a time of 8 bytes and the content.
public enum PolicyUseLaw: Law {
    public static let name = "PolicyUse"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let time: [UInt8] = [0x80, 0x27, 0x0e, 0x6b, 0, 0, 0, 0]
        let digest = [UInt8](repeating: 7, count: 32)
        let token: [UInt8] = [0, 0xa6, 0x82, 0x34, 3, 0xea, 0x30, 0x55, 4, 0x45, 0x4f, 0x53, 0, 0, 0, 0]
        let name: [UInt8] = [0, 0, 0, 0, 0, 0, 0x0e, 0x3d]
        let sums: [UInt8] = [16, 39, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]
        let one = [1] + digest + [0, 0] + sums
        let all = [1] + digest + [1] + token + [1] + name + sums
        let symbol: [UInt8] = [0, 0xa6, 0x82, 0x34, 3, 0xea, 0x30, 0x55, 19, 0x45, 0x4f, 0x53, 0, 0, 0, 0]
        let broken = [
            Array(one.dropLast()), one + [0], [2] + one.dropFirst(), [1] + digest + [2, 0] + sums,
            [1] + digest + [0, 2] + sums, [1] + digest + [1] + symbol + [0] + sums,
            [1] + digest + [1] + token.reversed() + [0] + sums, [1] + digest,
        ]
        return ([one, all, [1] + digest + [1] + token + [0] + sums] + broken).map { time + $0 }
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        guard input.count > 8 else { return }
        let time = input[..<8].reversed().reduce(0) { $0 << 8 | Int64($1) }
        let content = input[8...]
        guard let entry = PolicyEntry(time: time, content: content) else { return }
        try law(entry.use == PolicyUse(time: time, .signature(content)), "the use is written as it was read")
    }
}
