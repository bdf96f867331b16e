/// Values by key, in the order in which the keys were added.
struct Collected<Key: Hashable, Value> {
    private(set) var values: [Value] = []
    private var indices: [Key: Int] = [:]
    /// The key of the last update. Actions in succession often have the same key.
    private var last: (key: Key, index: Int)?

    /// Changes the value of a key, which is `new` at first.
    mutating func update(_ key: Key, _ new: @autoclosure () -> Value, _ change: (inout Value) -> Void) {
        if last?.key != key {
            let index = indices[key] ?? values.count
            if index == values.count {
                values.append(new())
                indices[key] = index
            }
            last = (key, index)
        }
        if let last { change(&values[last.index]) }
    }
}
