/// The keys of one object so far, compared byte for byte: Swift compares strings by canonical
/// equivalence, and takes two keys for one when they differ in their bytes only.
struct JSONKeySet {
    /// Looking through a few keys is faster than hashing them.
    private static let few = 8
    private var list: [[UInt8]] = []
    private var set: Set<[UInt8]> = []

    /// False when the key is there already.
    mutating func insert(_ key: [UInt8]) -> Bool {
        if !set.isEmpty { return set.insert(key).inserted }
        guard !list.contains(key) else { return false }
        list.append(key)
        if list.count > Self.few { set = Set(list) }
        return true
    }
}
