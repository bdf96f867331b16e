/// The digests that a key signed, until their transactions expire. A repeat of such a transaction
/// counts nothing.
package struct SignedDigests: Equatable, Sendable {
    package struct Record: Equatable, Sendable {
        package let digest: Digest
        /// When the transaction expires, in seconds since 1970.
        package let expiration: UInt32

        package init(_ digest: Digest, expiration: UInt32) {
            (self.digest, self.expiration) = (digest, expiration)
        }
    }

    /// A digest of 32 bytes, as two big-endian numbers.
    package struct Digest: Hashable, Comparable, Sendable {
        package let high: UInt128
        package let low: UInt128

        package init(high: UInt128, low: UInt128) { (self.high, self.low) = (high, low) }

        /// - Parameter bytes: 32 bytes.
        package init(_ bytes: [UInt8]) {
            high = bytes.prefix(16).reduce(0) { $0 << 8 | UInt128($1) }
            low = bytes.dropFirst(16).reduce(0) { $0 << 8 | UInt128($1) }
        }

        /// The number of the shard with this digest: the first byte.
        package var shard: Int { Int(UInt8(truncatingIfNeeded: high >> 120)) }

        package static func < (left: Digest, right: Digest) -> Bool {
            (left.high, left.low) < (right.high, right.low)
        }
    }

    package static let shardCount = 256
    /// The most digests of a shard. Beyond them, the digests that expire first are forgotten, so
    /// that a repeat of one counts again.
    package static let maximumShardSize = 4_096

    /// The records by shard, in ascending order of the digests.
    package private(set) var shards = [[Record]](repeating: [], count: shardCount)
    /// The shards that differ from the shards that were read.
    package private(set) var changed: Set<Int> = []
    /// No record expires before this time, so a million records are not searched at each signature.
    private var earliest = UInt32.max

    package init() {}

    /// - Returns: nil unless the records are of this shard, in ascending order, and not too many.
    package init?(_ shards: [Int: [Record]]) {
        for (number, records) in shards {
            guard self.shards.indices.contains(number), records.count <= Self.maximumShardSize,
                records.allSatisfy({ $0.digest.shard == number }),
                zip(records, records.dropFirst()).allSatisfy({ $0.digest < $1.digest })
            else { return nil }
            self.shards[number] = records
            earliest = records.reduce(earliest) { min($0, $1.expiration) }
        }
    }

    /// True if the digest was signed, and its transaction has not expired.
    func contains(_ digest: Digest, at now: UInt32) -> Bool {
        let records = shards[digest.shard]
        let index = Self.index(of: digest, in: records)
        return index < records.count && records[index].digest == digest && records[index].expiration >= now
    }

    mutating func add(_ record: Record) {
        let number = record.digest.shard
        let index = Self.index(of: record.digest, in: shards[number])
        guard index == shards[number].count || shards[number][index].digest != record.digest else { return }
        shards[number].insert(record, at: index)
        earliest = min(earliest, record.expiration)
        changed.insert(number)
        guard shards[number].count > Self.maximumShardSize else { return }
        let first = shards[number].indices.min {
            shards[number][$0].expiration < shards[number][$1].expiration
        }
        if let first { shards[number].remove(at: first) }
    }

    /// Forgets the transactions that have expired.
    mutating func removeExpired(at now: UInt32) {
        guard earliest < now else { return }
        earliest = .max
        for number in shards.indices {
            let count = shards[number].count
            shards[number].removeAll { $0.expiration < now }
            if shards[number].count < count { changed.insert(number) }
            earliest = shards[number].reduce(earliest) { min($0, $1.expiration) }
        }
    }

    /// Marks all changes as stored.
    mutating func markStored() { changed = [] }

    package static func == (left: SignedDigests, right: SignedDigests) -> Bool { left.shards == right.shards }

    /// Where a digest is, or where it would be inserted.
    private static func index(of digest: Digest, in records: [Record]) -> Int {
        var (low, high) = (0, records.count)
        while low < high {
            let middle = low + (high - low) / 2
            if records[middle].digest < digest { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
