import ArgumentParser

/// Refuses an option that takes one value and is given several times. The argument parser silently
/// uses the last value: in a long command line, one option could hide another. A repeated flag
/// means the same as one flag, so it is allowed.
package enum RepeatedOptions {
    /// - Parameters:
    ///   - end: an argument after which other options follow, in addition to `--`.
    ///   - command: the command, or the arguments of an action after `--then`.
    package static func refuse(
        in arguments: some Sequence<String>, until end: String? = nil, of command: any ParsableArguments.Type
    ) throws {
        let names = arguments.prefix { $0 != "--" && $0 != end }.flatMap(optionNames).map(
            DeclaredOptions.longName)
        guard Set(names).count < names.count else { return }
        let options = DeclaredOptions(of: command)
        var given: Set<String> = []
        for name in names where options.takesOneValue(name) && !given.insert(name).inserted {
            throw ValidationError("\(name) is given twice but takes one value")
        }
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
