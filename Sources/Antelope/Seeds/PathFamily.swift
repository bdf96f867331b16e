/// Paths that differ in one level, the index: what one wallet, or one kind of wallets, used.
package struct PathFamily: Hashable, Sendable {
    /// The levels before the index.
    let start: DerivationPath
    /// True if the index is hardened.
    let isHardened: Bool
    /// The levels after the index.
    let end: [UInt32]
    /// False if the family is the path `start` alone.
    let hasIndex: Bool

    private init(
        _ start: StaticString, hardened isHardened: Bool = false, end: [UInt32] = [], hasIndex: Bool = true
    ) {
        do { self.start = try DerivationPath(start.description) } catch {
            preconditionFailure("the start of a family is a path")
        }
        (self.isHardened, self.end, self.hasIndex) = (isHardened, end, hasIndex)
    }

    /// `m/44'/194'/0'/0/i`: Ledger, Anchor, Scatter, Trezor, imToken.
    package static let standard = PathFamily("m/44'/194'/0'/0")
    /// `m/44'/194'/i'/0/0`: accounts of Trezor and KeepKey.
    package static let account = PathFamily("m/44'/194'", hardened: true, end: [0, 0])
    /// `m/44'/194'/0'/i/0`: bloks.io with Trezor.
    package static let change = PathFamily("m/44'/194'/0'", end: [0])
    /// `m/44'/194'/0'/0/i'`: in tests of KeepKey and hdAddressGenerator.
    package static let hardened = PathFamily("m/44'/194'/0'/0", hardened: true)
    /// `m/44'/194'`: imToken.
    package static let coin = PathFamily("m/44'/194'", hasIndex: false)
    /// `m/48'/4'/0'/0'/i'`: owner keys by SLIP-0048; imToken with index 0.
    package static let owner = PathFamily("m/48'/4'/0'/0'", hardened: true)
    /// `m/48'/4'/1'/0'/i'`: active keys by SLIP-0048; imToken with index 0.
    package static let active = PathFamily("m/48'/4'/1'/0'", hardened: true)

    /// The most usual one first.
    package static let all = [standard, account, change, hardened, coin, owner, active]

    /// The number of paths with an index below `count`.
    func pathCount(_ count: Int) -> Int { hasIndex ? min(max(count, 0), 1 << 31) : 1 }

    /// The levels after `start` of the path with an index.
    func levels(_ index: Int) -> [UInt32] {
        guard hasIndex else { return [] }
        return [UInt32(index) | (isHardened ? DerivationPath.hardenedBit : 0)] + end
    }

    func path(_ index: Int) -> DerivationPath { DerivationPath(levels: start.levels + levels(index)) }
}
