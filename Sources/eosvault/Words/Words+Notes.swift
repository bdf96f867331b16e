// What is said beside the data when all went well.

extension Words {
    /// Said of new keys.
    static func notBackedUp(_ count: Int) -> String {
        "no backup holds \(count == 1 ? "this key" : "these keys") yet; `eosvault backup FILE` makes one"
    }
}
