/// The keys of one object, compared byte for byte. Swift compares strings by canonical equivalence,
/// so it would treat some keys with different bytes as equal.
struct JSONKeySet {
    /// Up to this many keys, a linear search is faster than hashing.
    private static let few = 8
    private var list: [[UInt8]] = []
    private var set: Set<[UInt8]> = []

    /// Returns false if the key occurred before.
    mutating func insert(_ key: [UInt8]) -> Bool {
        if !set.isEmpty { return set.insert(key).inserted }
        guard !list.contains(key) else { return false }
        list.append(key)
        if list.count > Self.few { set = Set(list) }
        return true
    }
}
