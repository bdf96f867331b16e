import KeyVault

/// A row of a pinned ABI has one form, and its contract is safe to show. The input is the name, a
/// zero byte and the value.
public enum PinnedABILaw: Law {
    public static let name = "PinnedABI"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let hex = String(repeating: "0a", count: 32)
        let value: [UInt8] = [1, 0, 0xf1, 0x53, 0x65, 0, 0, 0, 0, 14, 7]
        let names = ["eosio.token", "a", "abcdefghijklj", "abcdefghijklk", "eosio.", "EOSIO", ""].map {
            "\(hex):\($0)"
        }
        let rows = (names + [hex, "rule", ""]).map { Array($0.utf8) + [0] + value }
        let first = Array(names[0].utf8) + [0]
        return rows + [first, first + [1], first + value.prefix(9), first + [2] + value.dropFirst()]
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        let end = input.firstIndex(of: 0) ?? input.endIndex
        guard let name = String(validating: input[..<end], as: UTF8.self) else { return }
        let value = Array(input[end...].dropFirst())
        guard let read = try? PinnedABI.read(name: name, value: value) else { return }
        try law(
            read.rowName.utf8.elementsEqual(name.utf8), "the name is written as it was read: \(read.rowName)")
        try law(read.value == value, "the value is written as it was read")
        try law(read.contract.chain.count == 32, "a chain id has 32 bytes")
        try law(
            read.contract.account.utf8.allSatisfy {
                (0x61...0x7a).contains($0) || (0x31...0x35).contains($0) || $0 == 0x2e
            },
            "an account's name is plain")
        try law(!read.raw.isEmpty && read.hash.count == 32, "a raw form has bytes and a hash")
    }
}
