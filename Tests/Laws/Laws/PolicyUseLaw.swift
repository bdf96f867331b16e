import KeyVault
import Policy
import Signing

/// What a key used of its limits has one form. The input is parts, each after its number of 4 bytes
/// and its length of 2 bytes.
public enum PolicyUseLaw: Law {
    public static let name = "PolicyUse"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let token: [UInt8] = [1, 0, 0xa6, 0x82, 0x34, 3, 0xea, 0x30, 0x55, 4, 0x45, 0x4f, 0x53, 0, 0, 0, 0]
        // A slice, an amount and a number.
        let sum: [UInt8] = [1, 0, 0, 0, 16, 39, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]
        let next: [UInt8] = [2, 0, 0, 0, 16, 39, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]
        let count = part(0, [1, 1, 0, 0, 0, 1, 0] + sum)
        let all = part(0x100, [1, 2, 0] + token + [0, 2, 0] + sum + next)
        let name: [UInt8] = [0, 0, 0, 0, 0, 0, 0x0e, 0x3d]
        // The shard of `bob`, as `LimitUses.shard(of:)` computes it.
        let shard = (UInt64(0x3d0e_0000_0000_0000) &* 0x9e37_79b9_7f4a_7c15) >> 56
        let each = part(0x200, [1, 3, 1] + token + [0, 1, 0] + sum)
        let bob = part(0x200 | UInt32(shard), [1, 3, 1] + token + [1] + name + [1, 0] + sum)
        let digests = part(0xfe00_0007, [2, 1, 2, 3, 4] + [UInt8](repeating: 7, count: 32))
        let broken = [
            part(0, [1, 1, 0, 0, 0, 1, 0]), part(0, [1, 0, 0, 0]), part(0, [1, 1, 1, 0]), part(0, [3]),
            part(0, [1, 2, 0] + token + [0, 2, 0] + next + sum), part(1, [1, 1, 0, 0]),
            part(0xfe00_0007, [2]),
            part(0xfe00_0008, [2, 1, 2, 3, 4] + [UInt8](repeating: 7, count: 32)),
        ]
        return [count, count + all, count + all + each + bob + digests, digests] + broken
    }

    private static func part(_ number: UInt32, _ content: [UInt8]) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
            + [UInt8(content.count >> 8), UInt8(content.count & 0xff)] + content
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        var parts: [PolicyUses.Part] = []
        var rest = input[...]
        while rest.count > 6 {
            let number = rest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
            let count = rest.dropFirst(4).prefix(2).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(6)
            parts.append(PolicyUses.Part(number: number, content: Array(rest.prefix(count))))
            rest = rest.dropFirst(count)
        }
        let isInOrder = zip(parts, parts.dropFirst()).allSatisfy { $0.number < $1.number }
        guard isInOrder, let uses = LimitUses(parts) else { return }
        try law(
            uses.allParts.sorted { $0.number < $1.number } == parts, "the uses are written as they were read")
    }
}
