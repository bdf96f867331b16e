import ArgumentParser
import Keys
import Shell
import Transactions

/// Arguments that the parser refused, and the probable intention.
struct UsageMistake {
    private let command: NamedCommand
    private let arguments: [String]
    /// The parser's message in one line.
    private let message: String

    init(_ arguments: [String], message: String) {
        (self.command, self.arguments) = (NamedCommand(arguments), arguments)
        let lines = message.split(whereSeparator: \.isNewline).map { Printable.line(String($0)) }
        // The other lines list alternatives.
        let isList = lines.first?.hasSuffix(":") == true
        let values = isList ? lines.dropFirst().map { $0.drop { $0 == " " || $0 == "-" } } : []
        self.message =
            ([lines.first ?? "wrong usage"] + [values.joined(separator: ", ")].filter { !$0.isEmpty })
            .joined(separator: " ")
    }

    var words: Words {
        if let next = command.rest.first, !next.hasPrefix("-"), !command.subcommands.isEmpty {
            let hint = MeantCommand(next, in: command).hint
            if command.type.configuration.defaultSubcommand == nil || hint != nil {
                return unknownCommand(next, hint: hint)
            }
        }
        if let value = quoted(after: "The value '"), message.contains("invalid for '--abi <"),
            !value.contains("=")
        {
            return Words(
                .usage, "--abi \(value): the account is missing",
                hint: "name the contract's account: --abi ACCOUNT=\(value)")
        }
        let overlooked = unknownOption
        if let option = quoted(after: "Unknown option '") ?? overlooked {
            let name = Printable.line(String(option.prefix { $0 != "=" }))
            if Self.secretOptions.contains(name.lowercased().filter(\.isLetter)) {
                return Words(
                    .usage, "unknown option '\(name)': a PIN or a secret is never an argument",
                    hint: Self.shellHistory)
            }
            if overlooked != nil {
                return Words(.usage, "unknown option '\(name)'", hint: "run `\(help)`")
            }
        }
        if takesSecrets, message.lowercased().contains("unexpected argument") {
            return Words(
                .usage, "unexpected argument, which is not repeated here because it may be a secret",
                hint: Self.shellHistory)
        }
        if message.hasPrefix("The value '"), Self.secretSources.contains(where: message.contains),
            let end = message.firstRange(of: "' is invalid")
        {
            return Words(.usage, "the value" + message[end.lowerBound...].dropFirst(), hint: "run `\(help)`")
        }
        let hint =
            misplacedOptionHint ?? quoted(after: "Unexpected argument '").flatMap(hint(forExtra:))
            ?? missingChainHint
        let text = message.prefix(1).lowercased() + message.dropFirst()
        return Words(
            .usage, text, hint: hint ?? "run `\(help)`")
    }

    private func unknownCommand(_ name: String, hint: String?) -> Words {
        let group = command.words.map { $0 + " " }.joined()
        // A command with a hint has a name that is not a secret.
        let text =
            takesSecrets && hint == nil
            ? "`\(Program.name) \(group.dropLast())` has no such command"
            : "there is no command `\(group)\(Printable.line(name))`"
        return Words(
            .usage, text,
            hint: hint ?? "run `\(help)` for the list of commands")
    }

    private var help: String { ([Program.name, "help"] + command.words).joined(separator: " ") }

    /// The text between a beginning of the message and the next quote.
    private func quoted(after beginning: String) -> String? {
        guard message.hasPrefix(beginning) else { return nil }
        return String(message.dropFirst(beginning.count).prefix { $0 != "'" })
    }

    /// The parser checks the values of a command before it refuses an unknown option, whose value
    /// then counts as an argument.
    private var unknownOption: String? {
        guard !message.hasPrefix("Unknown option"),
            command.words.first != BuildGroup.configuration.commandName
        else { return nil }
        let help = Program.root.helpMessage(for: command.withOptions, includeHidden: true)
        let known = Set(help.split { !$0.isLetter && !$0.isNumber && $0 != "-" })
        return command.rest.prefix { $0 != "--" }.lazy.filter { $0.hasPrefix("--") }
            .map { String($0.prefix { $0 != "=" }) }.first { !known.contains($0[...]) }
    }

    /// The letters of options that people give a secret to.
    private static let secretOptions: Set = [
        "pin", "p", "password", "passphrase", "passwd", "pass", "phrase", "words", "secret", "apisecret",
        "secretkey", "privatekey", "newpin", "oldpin", "new", "old", "secondpin", "policypin",
    ]

    /// Options with the source or the kind of a secret, whose value may be the secret by mistake.
    private static let secretSources = ["'--pin-fd", "'--new-pin-fd", "'--second", "'--new-second"]

    private static let shellHistory =
        "if you typed a secret, delete it from the history of the shell, and change a PIN with `eosvault pin change`; "
        + "commands ask for secrets, or read them from files"

    /// True for commands at which people type a secret as an argument.
    private var takesSecrets: Bool {
        let names = ["pin", "slot", "init", "rekey", "import", "unlock"]
        return command.words.first.map(names.contains) ?? false
    }

    // MARK: - an option in the wrong place

    /// The words after the first `--then` of `build` are further actions.
    private var misplacedOptionHint: String? {
        let separator = FurtherActions.separator
        guard command.words.first == BuildGroup.configuration.commandName,
            let words = arguments.split(separator: "--", omittingEmptySubsequences: false).first,
            let then = words.firstIndex(of: separator)
        else { return nil }
        let options = DeclaredOptions(of: BuildOptions.self)
        let names = words[then...].lazy.filter { $0.hasPrefix("-") && $0 != separator }
            .map { DeclaredOptions.longName(String($0.prefix { $0 != "=" })) }
        let place = "the options of the transaction come before the first \(separator)"
        if let name = names.first(where: options.contains) { return "move \(name): \(place)" }
        return message.hasPrefix("Missing expected argument '--") ? "add it: \(place)" : nil
    }

    // MARK: - an argument without its option

    /// The chain is required, and people often give it without its option.
    private var missingChainHint: String? {
        guard message.hasPrefix("Missing expected argument '--chain") else { return nil }
        return arguments.first { (try? ChainID($0)) != nil }.map { "did you mean `--chain \($0)`?" }
            ?? "name the chain with --chain; `eosvault chains` prints the names"
    }

    private func hint(forExtra value: String) -> String? {
        let options = DeclaredOptions(of: command.withOptions)
        let isPath = value.contains("/") || value.contains(".")
        let likely: [(option: String, isLikely: Bool)] = [
            ("--chain", (try? ChainID(value)) != nil), ("--key", (try? PublicKey(value)) != nil),
            ("--abi", value.contains("=")), ("--vault", value.hasSuffix(".db")), ("--output", isPath),
            ("--label", !isPath), ("--key", !isPath),
        ]
        guard let option = likely.first(where: { $0.isLikely && options.contains($0.option) })?.option else {
            return nil
        }
        let hint = "did you mean `\(option) \(value)`?"
        return option == "--vault"
            ? hint + " To verify a backup, run `eosvault backup verify \(value)`" : hint
    }
}
