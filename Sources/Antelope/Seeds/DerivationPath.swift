/// The way from the master key to a key (BIP-32): `m/44'/194'/0'/0/0`. `m` alone is the master key.
package struct DerivationPath: Hashable, Sendable {
    /// The most levels. BIP-44 uses 5.
    package static let maximumLevelCount = 10
    /// The bit of a hardened level.
    static let hardenedBit: UInt32 = 1 << 31

    /// The number of each level, with the highest bit set if the level is hardened.
    package let levels: [UInt32]

    /// - Parameter levels: at most `maximumLevelCount`.
    package init(levels: [UInt32]) {
        precondition(levels.count <= Self.maximumLevelCount)
        self.levels = levels
    }

    /// Reads a path in its one spelling: decimal numbers without leading zeros, and `'` after a
    /// hardened number.
    /// - Throws: `path`.
    package init(_ text: some StringProtocol) throws(SeedError) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard let root = parts.first, root.elementsEqual("m".utf8) else { throw .path(.noRoot) }
        guard parts.count - 1 <= Self.maximumLevelCount else {
            throw .path(.tooManyLevels(limit: Self.maximumLevelCount))
        }
        var levels: [UInt32] = []
        for (index, part) in parts.enumerated().dropFirst() {
            levels.append(try Self.level(Array(part), at: index))
        }
        self.levels = levels
    }

    private static func level(_ text: [UInt8], at index: Int) throws(SeedError) -> UInt32 {
        let isHardened = text.last == UInt8(ascii: "'")
        let digits = isHardened ? text.dropLast() : text[...]
        if let last = digits.last, [UInt8(ascii: "h"), UInt8(ascii: "H")].contains(last) {
            throw .path(.letterMark(level: index))
        }
        let isNumber = (1...10).contains(digits.count) && digits.allSatisfy { (0x30...0x39).contains($0) }
        guard isNumber, digits.count == 1 || digits.first != 0x30 else { throw .path(.level(index)) }
        let number = digits.reduce(0 as UInt64) { $0 * 10 + UInt64($1 - 0x30) }
        guard number < UInt64(hardenedBit) else { throw .path(.level(index)) }
        return UInt32(number) | (isHardened ? hardenedBit : 0)
    }

    /// The path that wallets of EOS use: `m/44'/194'/0'/0/index`. 194 is EOS in SLIP-0044.
    /// - Parameter index: below 2^31.
    package static func eos(_ index: UInt32) -> DerivationPath {
        precondition(index < hardenedBit)
        return DerivationPath(levels: [44 | hardenedBit, 194 | hardenedBit, hardenedBit, 0, index])
    }

    /// The index of a path that `eos` makes; nil for any other path.
    package var eosIndex: UInt32? {
        guard let last = levels.last, last < Self.hardenedBit, self == .eos(last) else { return nil }
        return last
    }

    /// The one spelling of the path.
    package var text: String {
        levels.reduce("m") { text, level in
            text + "/\(level & ~Self.hardenedBit)" + (level & Self.hardenedBit == 0 ? "" : "'")
        }
    }
}
