import ArgumentParser
import JSON
import TestSupport
import Testing

@testable import App
@testable import Shell

/// An option that takes one value is refused when it is given twice. All options of all commands
/// are tested.
struct RepeatedOptionTests {
    struct Option: CustomTestStringConvertible, Sendable {
        let command: [String]
        /// The other arguments that the command needs.
        let needed: [String]
        let names: [String]
        let value: String

        var testDescription: String { (command + names).joined(separator: " ") }
    }

    private static let options = Result { try list(of: Eosvault.self, after: []) }

    private static func list(of command: any ParsableCommand.Type, after words: [String]) throws -> [Option] {
        let arguments = try arguments(of: command)
        let options = arguments.filter { $0["kind"]?.string == "option" }
        let isNeeded = { (argument: JSONValue) in isFalse(argument, "isOptional") }
        // Optional arguments too: some commands need them unless a certain flag is given.
        let positional = arguments.filter { $0["kind"]?.string == "positional" }.map { _ in "1" }
        let own = options.filter { isFalse($0, "isRepeating") }.map { option in
            let others = options.filter { isNeeded($0) && names($0) != names(option) }.flatMap {
                [names($0)[0], value($0)]
            }
            return Option(
                command: words, needed: others + positional, names: names(option), value: value(option))
        }
        return try own
            + command.configuration.subcommands.flatMap { try list(of: $0, after: words + [$0._commandName]) }
    }

    private static func arguments(of command: any ParsableCommand.Type) throws -> [JSONValue] {
        try JSONValue.parse(Array(command._dumpHelp().utf8))["command"]?["arguments"]?.array ?? []
    }

    private static func isFalse(_ argument: JSONValue, _ key: String) -> Bool {
        if case .boolean(false)? = argument[key] { true } else { false }
    }

    private static func names(_ argument: JSONValue) -> [String] {
        (argument["names"]?.array ?? []).map {
            ($0["kind"]?.string == "long" ? "--" : "-") + ($0["name"]?.string ?? "")
        }
    }

    private static func value(_ argument: JSONValue) -> String {
        argument["allValues"]?.array?.first?.string ?? "1"
    }

    @Test func optionsAreFound() throws {
        let options = try Self.options.get()
        #expect(options.count > 60)
        #expect(options.contains { $0.command == ["sign"] && $0.names.sorted() == ["--chain", "-c"] })
    }

    /// Reflection finds the same options as the help of the parser.
    @Test func optionsAreDeclared() throws {
        func check(_ command: any ParsableCommand.Type) throws {
            let declared = DeclaredOptions(of: command)
            for argument in try Self.arguments(of: command) where argument["kind"]?.string != "positional" {
                let names = Self.names(argument)
                let takesOneValue =
                    argument["kind"]?.string == "option" && Self.isFalse(argument, "isRepeating")
                let long = try #require(names.first { $0.hasPrefix("--") })
                #expect(declared.takesOneValue(long) == takesOneValue, "\(command) \(long)")
                guard takesOneValue else { continue }
                for name in names { #expect(DeclaredOptions.longName(name) == long, "\(command) \(name)") }
            }
            for subcommand in command.configuration.subcommands { try check(subcommand) }
        }
        try check(Eosvault.self)
    }

    /// Each option is repeated in one of the forms, in turn: the same code reads them for all
    /// options.
    @Test func isRefusedWhenRepeated() throws {
        for (index, option) in try Self.options.get().enumerated() {
            let long = try #require(option.names.first { $0.hasPrefix("--") })
            var forms = [
                [long, option.value, long, option.value], ["\(long)=\(option.value)", long, option.value],
            ]
            if let short = option.names.first(where: { !$0.hasPrefix("--") }) {
                forms += [
                    [long, option.value, short, option.value],
                    ["\(short)=\(option.value)", short, option.value],
                ]
                forms.append(["\(short)\(short.dropFirst())", option.value, option.value])
            }
            let arguments = option.command + forms[index % forms.count] + option.needed
            let child = try Child(
                path: BuiltProgram.path, arguments: arguments, environment: [:], directory: "/")
            let result = try child.run()
            let error = String(decoding: result.error, as: UTF8.self)
            #expect(result.status == 64, "\(arguments)")
            #expect(
                error.contains("error: \(long) is given twice but takes one value\n"),
                "\(arguments): \(error)")
        }
    }
}
