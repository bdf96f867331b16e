/// Values by key, in the order in which the keys were added.
struct Collected<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private(set) var values: [Value] = []
    private var indices: [Key: Int] = [:]
    /// The key of the last update. Actions in succession often have the same key.
    private var last: (key: Key, index: Int)?

    /// Changes the value of a key, which is `new` at first.
    /// - Parameter limit: the most values.
    /// - Returns: false for a key beyond the limit, whose value is not kept.
    @discardableResult
    mutating func update(
        _ key: Key, _ new: @autoclosure () -> Value, limit: Int = .max, _ change: (inout Value) -> Void
    ) -> Bool {
        if last?.key != key {
            let index = indices[key] ?? values.count
            if index == values.count {
                guard index < limit else { return false }
                values.append(new())
                indices[key] = index
            }
            last = (key, index)
        }
        if let last { change(&values[last.index]) }
        return true
    }
}

extension Sequence where Element: Sendable {
    /// The elements with equal keys, in the order of the first one of each. No group is empty.
    package func grouped<Key: Hashable & Sendable>(by key: (Element) -> Key) -> [[Element]] {
        var groups = Collected<Key, [Element]>()
        for element in self { groups.update(key(element), []) { $0.append(element) } }
        return groups.values
    }
}
