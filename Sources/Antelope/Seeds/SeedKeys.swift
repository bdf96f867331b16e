import Codecs
import Keys
import SecureMemory

/// The private keys of a seed (BIP-32), as K1 keys.
package struct SeedKeys: ~Copyable {
    private let master: KeyNode

    /// - Parameter seed: 16 to 64 bytes.
    /// - Throws: `seedCount`, `noKey` (once in 2^127 seeds), `memory`.
    package init(seed: borrowing SecureBytes) throws(SeedError) {
        SeedLibraries.start()
        defer { wipeScratch() }
        guard (16...64).contains(seed.count) else { throw .seedCount(seed.count) }
        guard let master = try KeyNode.master(of: seed) else { throw .noKey(DerivationPath(levels: [])) }
        self.master = master
    }

    /// The private key of a path.
    /// - Throws: `noKey`, `memory`, `curve`.
    package borrowing func key(at path: DerivationPath) throws(SeedError) -> PrivateKey {
        defer { wipeScratch() }
        var memory = try KeyNode.Memory()
        guard let node = try master.descendant(path.levels[...], &memory) else { throw .noKey(path) }
        let scalar = try node.scalar()
        do { return try PrivateKey(curve: .k1, scalar: scalar) } catch { throw .curve(error) }
    }

    /// Searches the paths of K1 keys, compared by their points. A key in several families has the
    /// path of the first one.
    /// - Parameters:
    ///   - families: searched in this order.
    ///   - count: the number of indices that are tried in each family, from 0 on.
    ///   - progress: called with the number of paths that were tried, after each of them.
    /// - Returns: the keys that were found.
    /// - Throws: `memory`, `curve`.
    package borrowing func paths(
        of keys: [PublicKey], among families: [PathFamily] = PathFamily.all, count: Int,
        progress: (Int) -> Void = { _ in }
    ) throws(SeedError) -> [PublicKey: DerivationPath] {
        var wanted = Set(keys.filter { $0.kind == .k1 })
        var found: [PublicKey: DerivationPath] = [:]
        var memory = try KeyNode.Memory()
        var tried = 0
        for family in families {
            guard let start = try master.descendant(family.start.levels[...], &memory) else { continue }
            for index in 0..<family.pathCount(count) {
                guard !wanted.isEmpty else { return found }
                if let key = try start.publicKey(of: family.levels(index)[...], &memory),
                    wanted.remove(key) != nil
                {
                    found[key] = family.path(index)
                }
                tried += 1
                // The frames of the derivation have parts of scalars, and `progress` makes calls.
                wipeScratch()
                progress(tried)
            }
        }
        return found
    }
}
