import ArgumentParser

/// Refuses an option that takes one value and is given several times. The argument parser silently
/// uses the last value: in a long command line, one option could hide another. A repeated flag
/// means the same as one flag, so it is allowed.
package enum RepeatedOptions {
    /// Separates the actions of `build`. Each has its own options.
    package static let separator = "--then"

    /// - Parameter command: the parsed command, or the arguments of an action after `--then`. Its
    ///   options define which options can be repeated, and which names belong to the same option.
    package static func refuse(in arguments: [String], of command: any ParsableArguments.Type) throws {
        let names = arguments.prefix { $0 != "--" && $0 != separator }.flatMap(optionNames)
        // The parser accepts a separator without an action after it.
        guard arguments.last != separator || arguments.contains("--") else {
            throw ValidationError("\(separator) is followed by an action of `eosvault build`")
        }
        guard canRepeat(names) else { return }
        let single = try CommandOptions(of: command).single
        var given: Set<String> = []
        for name in names {
            guard let option = single[name], !given.insert(option).inserted else { continue }
            throw ValidationError("\(option) is given twice but takes one value")
        }
    }

    /// Whether two of the names can belong to the same option. An option has at most one long name,
    /// and its short name is one of the first two letters of the long one (RepeatedOptionTests).
    /// Describing a command takes as long as parsing it, so it is done only if it is needed.
    private static func canRepeat(_ names: [String]) -> Bool {
        let letters = Set(names.filter { !$0.hasPrefix("--") }.compactMap(\.last))
        return Set(names).count < names.count
            || names.contains { $0.hasPrefix("--") && $0.dropFirst(2).prefix(2).contains(where: letters.contains) }
    }

    /// The names of the options in an argument: `--chain`, `--chain=eos`, `-c`, `-c=eos`; `-ck` is
    /// `-c` and `-k`. The parser takes no argument that starts with `-` as the value of an option.
    private static func optionNames(_ argument: String) -> [String] {
        let name = argument.prefix { $0 != "=" }
        if name.hasPrefix("--") { return [String(name)] }
        guard name.hasPrefix("-") else { return [] }
        return name.dropFirst().map { "-\($0)" }
    }
}
