import ArgumentParser

/// The keys of a policy: one key, or all keys.
struct PolicyKeyOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "A public key in any of its forms, or a label. A policy belongs to the public key, also when the vault no "
                + "longer contains the key."), completion: .keys)
    var key: String?

    @Flag(help: "The policy of all keys, which applies to those that have none of their own.")
    var all = false

    func validate() throws {
        guard (key != nil) != all else { throw ValidationError("give a key, or --all") }
    }
}
