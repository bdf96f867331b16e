import Keys
import SecureMemory

/// Collects the keys of a file: each key once, its scalar in guarded memory.
struct KeyCollector: ~Copyable {
    private(set) var summary = WalletSummary()
    private var scalars: SecureBytes
    /// The index of each key in the summary.
    private var indices: [PublicKey: Int] = [:]

    /// - Parameter capacity: the expected number of keys.
    init(capacity: Int) throws(WalletError) {
        scalars = try .forWallet(count: max(capacity, 1) * PrivateKey.size)
        summary.keys.reserveCapacity(capacity)
    }

    /// Adds a key that was compared with the public key of its entry.
    mutating func add(_ key: borrowing PrivateKey, label: String?) throws(WalletError) {
        guard indices[key.publicKey] == nil else {
            summary.repeated += 1
            return
        }
        let index = summary.keys.count
        guard index < WalletLimits.keyCount else { throw .limit(.keyCount) }
        try makeRoom(for: index + 1)
        key.withScalar { scalar in
            scalars.withMutableBytes { $0.copy(scalar, to: index * PrivateKey.size) }
        }
        indices[key.publicKey] = index
        summary.keys.append(WalletSummary.Key(publicKey: key.publicKey, label: label))
    }

    private mutating func makeRoom(for count: Int) throws(WalletError) {
        guard count * PrivateKey.size > scalars.count else { return }
        var larger = try SecureBytes.forWallet(count: 2 * scalars.count)
        scalars.withBytes { old in larger.withMutableBytes { $0.copy(old, to: 0) } }
        scalars = larger
    }

    mutating func add(refused entry: WalletSummary.Refused) { summary.refused.append(entry) }

    /// Adds the public key of a device, once.
    mutating func add(watchOnly key: WalletSummary.WatchOnly) {
        guard !summary.watchOnly.contains(where: { $0.publicKey == key.publicKey }) else { return }
        summary.watchOnly.append(key)
    }

    mutating func addForeign() { summary.foreignCount += 1 }

    /// - Parameter labels: they replace the labels of these keys.
    consuming func finish(labels: [PublicKey: String] = [:]) -> WalletFile {
        for index in summary.keys.indices {
            guard let label = labels[summary.keys[index].publicKey] else { continue }
            summary.keys[index].label = label
        }
        // A key of the file can also be in its list of device keys.
        let indices = indices
        summary.watchOnly.removeAll { indices[$0.publicKey] != nil }
        return WalletFile(summary: summary, scalars: scalars)
    }
}
