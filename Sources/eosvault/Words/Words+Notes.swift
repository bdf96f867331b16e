// What is said beside the data when all went well.

extension Words {
    static func notRemembered(errno: Int32) -> String {
        "what was seen of the vault can't be remembered on this machine: \(systemMessage(errno))"
    }

    /// Said of new keys.
    static func notBackedUp(_ count: Int) -> String {
        "no backup holds \(count == 1 ? "this key" : "these keys") yet; `eosvault backup FILE` makes one"
    }
}
