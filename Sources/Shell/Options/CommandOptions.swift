import ArgumentParser
import JSON

/// The options of a command, as the argument parser describes them.
package struct CommandOptions {
    /// The names of all options and flags: `--chain`, `-c`.
    package private(set) var names: Set<String> = []
    /// Maps the names of each option that takes one value to the option's first long name.
    package private(set) var single: [String: String] = [:]

    package init(of command: any ParsableArguments.Type) throws {
        let description = try JSONValue.parse(Array(command._dumpHelp().utf8))
        for argument in description["command"]?["arguments"]?.array ?? [] {
            let names = (argument["names"]?.array ?? []).compactMap { name in
                name["name"]?.string.map { (name["kind"]?.string == "long" ? "--" : "-") + $0 }
            }
            self.names.formUnion(names)
            guard argument["kind"]?.string == "option", case .boolean(false)? = argument["isRepeating"] else {
                continue
            }
            let shown = names.first { $0.hasPrefix("--") } ?? names.first
            for name in names { single[name] = shown }
        }
    }
}
