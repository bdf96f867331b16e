import ArgumentParser
import Shell

/// A command that scripts run often. With the plainest arguments it is made here: the parser looks
/// at every option that a command declares, which takes much longer than such a command.
protocol PlainListing: ListingCommand {
    /// The command as it is parsed from `--vault` and `--json` alone.
    init(vault: String?, json: Bool)
}

extension UnlockOptions {
    fileprivate init(locked path: String?) { vault = VaultOptions(locked: path) }
}

extension ListingOptions {
    /// Without --verify. Nothing may read the options to unlock the vault, which are not set:
    /// `plain-arguments.txt` runs each such command.
    init(plain vault: String?) {
        unlocking = UnlockOptions(locked: vault)
        verify = false
    }
}

enum PlainListings {
    private static let all: [any PlainListing.Type] = [Chains.self, List.self]

    /// The command that the arguments of the process name; nil if the parser must read them.
    static func command(_ arguments: [String]) -> (any PlainListing)? {
        guard let type = all.first(where: { $0._commandName == arguments.first }) else { return nil }
        var (vault, json): (String?, Bool) = (nil, false)
        var rest = arguments.dropFirst()
        while let argument = rest.popFirst() {
            switch argument {
            case "--json" where !json: json = true
            case "--vault" where vault == nil:
                guard let path = rest.popFirst(), !path.isEmpty, !path.hasPrefix("-") else { return nil }
                vault = path
            default: return nil
            }
        }
        return type.init(vault: vault, json: json)
    }
}
