import JSON

/// The help of a command, from the JSON that the argument parser prints with
/// `--experimental-dump-help`.
struct HelpCommand {
    /// The words of the command line: `eosvault`, `slot`, `add`.
    let path: [String]
    let abstract: String
    /// The paragraphs of the description, without the examples.
    let paragraphs: [String]
    /// The command lines in the description.
    let examples: [String]
    let arguments: [HelpArgument]
    let subcommands: [HelpCommand]

    init(_ json: JSONValue, after words: [String] = []) throws {
        path = try words + [json.text("commandName")]
        abstract = try json.text("abstract")
        let lines = (json["discussion"]?.string ?? "").split(
            separator: "\n", omittingEmptySubsequences: false)
        examples = lines.filter { $0.hasPrefix("  ") }.map { String($0.drop { $0 == " " }) }
        paragraphs = lines.filter { !$0.hasPrefix("  ") && !$0.isEmpty }.map(String.init)
        arguments = try (json["arguments"]?.array ?? []).filter(\.isShown).map { try HelpArgument($0) }
        let path = path
        subcommands = try (json["subcommands"]?.array ?? []).filter(\.isShown)
            .map { try HelpCommand($0, after: path) }.filter { $0.path.count > 2 || $0.path.last != "help" }
    }

    /// The name of the manual page of a command: `eosvault-slot`.
    var page: String { path.prefix(2).joined(separator: "-") }

    /// The commands that have no subcommands: this one, or the commands below it.
    var leaves: [HelpCommand] { subcommands.isEmpty ? [self] : subcommands.flatMap(\.leaves) }
}

/// An argument, an option or a flag.
struct HelpArgument: Hashable {
    enum Kind: String { case positional, option, flag }

    let kind: Kind
    /// `--chain` and `-c`; none for a positional argument.
    let names: [String]
    let value: String
    let text: String
    /// False for every option in `asShared`: an option that one command requires is the same option
    /// elsewhere.
    private(set) var isRequired: Bool
    let isRepeating: Bool

    init(_ json: JSONValue) throws {
        guard let kind = Kind(rawValue: try json.text("kind")) else { throw HelpError.missing("kind") }
        self.kind = kind
        // The argument parser lists --help of its own command `help` twice.
        names = (json["names"]?.array ?? []).compactMap { name in
            name["name"]?.string.map { (name["kind"]?.string == "long" ? "--" : "-") + $0 }
        }.sorted { $0.utf8.count > $1.utf8.count }
        value = try json.text("valueName")
        let values = json["allValues"]?.array?.compactMap(\.string) ?? []
        let additions =
            (values.isEmpty ? [] : ["values: " + values.joined(separator: ", ")])
            + (json["defaultValue"]?.string.map { $0.isEmpty ? [] : ["default: \($0)"] } ?? [])
        text =
            (json["abstract"]?.string ?? "")
            + (additions.isEmpty ? "" : " (\(additions.joined(separator: "; ")))")
        isRequired = !json.isTrue("isOptional")
        isRepeating = json.isTrue("isRepeating")
    }
}

extension HelpArgument {
    var asShared: HelpArgument {
        var shared = self
        shared.isRequired = false
        return shared
    }
}

enum HelpError: Error {
    case missing(String)
    case noPage(String)
    case usage
}

extension JSONValue {
    func text(_ key: String) throws -> String {
        guard let text = self[key]?.string else { throw HelpError.missing(key) }
        return text
    }

    fileprivate func isTrue(_ key: String) -> Bool {
        guard case .boolean(true)? = self[key] else { return false }
        return true
    }

    fileprivate var isShown: Bool { isTrue("shouldDisplay") }
}
