import Policy
import Signing

/// Rows that were verified under the keys of an unlocked vault. While the verified manifest has the
/// same digests, the vault has exactly these rows, so a later transaction does not read them again.
///
/// Only a process that keeps the vault unlocked uses it a second time.
final class VerifiedContent {
    /// The most bytes of a table that are kept.
    private static let maximumSize = 1 << 20
    /// The most bytes of uses that are kept: 230,000 transactions that have not expired, which is
    /// two minutes at 1,900 in a second.
    private static let maximumUseSize = 8 << 20
    /// The most row digests that are kept.
    private static let maximumDigestCount = 1 << 15

    /// The most bytes of the payment history that are kept.
    private static let maximumHistorySize = 4 << 20

    /// Rows, with the digests of their buckets.
    private struct Kept<Rows> {
        let digests: [UInt8]
        let rows: Rows
    }

    /// The last manifest that was verified or written.
    var manifest: Manifest?
    private var abis: Kept<[PinnedABI]>?
    private var policies: Kept<[StoredPolicy]>?
    /// The kept policies by their texts.
    private var parsed: [[UInt8]: KeyPolicy] = [:]
    private var uses: [EntryName: Kept<KeyUses>] = [:]
    /// The row digests of buckets that were written, with the digest of the bucket.
    private var buckets: [Manifest.Leaf: WrittenRows] = [:]
    private var digestCount = 0
    private var history: [HistoryRow.Sequence: Kept<HistoryRows>] = [:]
    private var historySize = 0

    /// The pinned ABIs of all chains.
    func pinnedABIs(in buckets: VerifiedBuckets) throws(VaultError) -> [PinnedABI] {
        let digests = buckets.unchangedDigests(of: .abis)
        if let digests, let abis, abis.digests == digests { return abis.rows }
        let rows = try buckets.pinnedABIs(of: nil)
        let size = rows.reduce(0) { $0 + $1.raw.count }
        if let digests, size <= Self.maximumSize { abis = Kept(digests: digests, rows: rows) }
        return rows
    }

    /// All policies.
    func policies(in buckets: VerifiedBuckets) throws(VaultError) -> [StoredPolicy] {
        let digests = buckets.unchangedDigests(of: .policies)
        if let digests, let policies, policies.digests == digests { return policies.rows }
        let rows = try buckets.policies()
        parsed = [:]
        if let digests, PolicyTable.size(of: rows) <= Self.maximumSize {
            policies = Kept(digests: digests, rows: rows)
        } else {
            policies = nil
        }
        return rows
    }

    /// - Throws: `policySet`.
    func policy(in stored: StoredPolicy) throws(VaultError) -> KeyPolicy {
        if let known = parsed[stored.document] { return known }
        let policy = try PolicyLedger.policy(in: stored)
        if policies?.rows.contains(stored) == true { parsed[stored.document] = policy }
        return policy
    }

    /// The keys without a policy that, by the history, had signed no transaction.
    var digestKeys: Set<EntryName> = []

    // MARK: uses of limits

    /// A key's uses of the limits.
    func uses(of key: EntryName, in buckets: VerifiedBuckets) throws(VaultError) -> KeyUses {
        let leaf = PolicyUseRow.leaf(of: key)
        let isUnchanged = !buckets.isChanged(leaf)
        if isUnchanged, let kept = uses[key], kept.digests == buckets.manifest[leaf] { return kept.rows }
        let found = KeyUses(try buckets.policyUses(of: key))
        if isUnchanged { keep(found, of: key, as: buckets.manifest[leaf]) }
        return found
    }

    /// - Parameter digest: of the bucket with the uses.
    func keep(_ uses: KeyUses, of key: EntryName, as digest: [UInt8]) {
        self.uses[key] = Kept(digests: digest, rows: uses)
        if self.uses.values.reduce(0, { $0 + $1.rows.size }) > Self.maximumUseSize { self.uses = [:] }
    }

    // MARK: the payment history

    /// The rows of a sequence of the payment history.
    func history(
        of sequence: HistoryRow.Sequence, in buckets: VerifiedBuckets
    ) throws(VaultError) -> HistoryRows {
        let leaf = sequence.leaf
        let isUnchanged = !buckets.isChanged(leaf)
        if isUnchanged, let kept = history[sequence], kept.digests == buckets.manifest[leaf] {
            return kept.rows
        }
        var rows = HistoryRows(sequence)
        try buckets.visit(leaf) { row throws(VaultError) in try rows.visit(row) }
        if isUnchanged { keep(rows, as: buckets.manifest[leaf]) }
        return rows
    }

    /// - Parameter digest: of the bucket with the rows.
    func keep(_ rows: HistoryRows, as digest: [UInt8]) {
        historySize += rows.size - (history[rows.sequence]?.rows.size ?? 0)
        history[rows.sequence] = Kept(digests: digest, rows: rows)
        guard historySize > Self.maximumHistorySize else { return }
        (history, historySize) = ([:], 0)
    }

    // MARK: buckets

    /// The rows of a bucket that was written.
    struct WrittenRows {
        fileprivate let digest: [UInt8]
        let rows: BucketRows
        /// SQLite's `data_version` when they were written.
        let version: Int64?
    }

    /// The rows of a bucket with this digest, if they were written before.
    func rows(of leaf: Manifest.Leaf, with digest: [UInt8]) -> WrittenRows? {
        guard let kept = buckets[leaf], kept.digest == digest else { return nil }
        return kept
    }

    func keep(_ rows: BucketRows, of leaf: Manifest.Leaf, as digest: [UInt8], _ version: Int64?) {
        digestCount += rows.digestCount - (buckets[leaf]?.rows.digestCount ?? 0)
        buckets[leaf] = WrittenRows(digest: digest, rows: rows, version: version)
        guard digestCount > Self.maximumDigestCount else { return }
        (buckets, digestCount) = ([:], 0)
    }
}

/// What a key used of its limits.
struct KeyUses {
    /// Nil for parts that no writer stores.
    let limits: LimitUses?
    let times: PolicyUses.Times?
    /// The size of each part, by its number.
    let sizes: [UInt32: Int]

    var size: Int { sizes.values.reduce(0, +) }

    init(_ stored: PolicyUses) {
        limits = LimitUses(stored.parts)
        times = stored.times
        sizes = Dictionary(uniqueKeysWithValues: stored.parts.map { ($0.number, $0.content.count) })
    }

    init(_ limits: LimitUses, _ times: PolicyUses.Times, sizes: [UInt32: Int]) {
        (self.limits, self.times, self.sizes) = (limits, times, sizes)
    }
}
