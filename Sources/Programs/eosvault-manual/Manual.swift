import JSON

/// The manual pages of a program: one of its own, and one for each command. A page describes the
/// subcommands of its command. Options that several commands have are described once, in the page
/// of the program.
struct Manual {
    private let root: HelpCommand
    private let version: String
    private let statuses: [(status: String, meaning: String)]
    private let common: [HelpArgument]

    /// What the help does not have.
    private var text: ManualText { root.page == ManualText.agent.program ? .agent : .eosvault }

    /// An option is common if this number of pages has it.
    private static let leastShared = 3

    init(_ root: HelpCommand, version: String, codes: JSONValue) throws {
        (self.root, self.version) = (root, version)
        statuses = try (codes["exit_statuses"]?.array ?? []).map { status in
            guard let number = status["status"]?.number else { throw HelpError.missing("status") }
            return (number, try status.text("meaning"))
        }
        guard !statuses.isEmpty else { throw HelpError.missing("exit_statuses") }
        common = Self.common(of: root)
    }

    /// The options that at least `leastShared` pages have, with the text that most pages have.
    private static func common(of root: HelpCommand) -> [HelpArgument] {
        var order: [HelpArgument] = []
        var counts: [HelpArgument: Int] = [:]
        for command in root.subcommands {
            var seen: Set<HelpArgument> = []
            for option in command.leaves.flatMap(\.arguments) where option.kind != .positional {
                guard seen.insert(option.asShared).inserted else { continue }
                if counts[option.asShared] == nil { order.append(option.asShared) }
                counts[option.asShared, default: 0] += 1
            }
        }
        return order.filter { option in
            let count = counts[option] ?? 0
            let rivals = order.filter { $0 != option && $0.names == option.names }
            return count >= leastShared && rivals.allSatisfy { counts[$0] ?? 0 < count }
        }
    }

    private func isCommon(_ argument: HelpArgument) -> Bool { common.contains(argument.asShared) }

    var pages: [String] { [root.page] + root.subcommands.map(\.page) }

    func page(_ name: String) throws -> String {
        if name == root.page { return root.subcommands.isEmpty ? wholeProgram() : overview() }
        guard let command = root.subcommands.first(where: { $0.page == name }) else {
            throw HelpError.noPage(name)
        }
        return page(of: command)
    }

    // MARK: - the page of the program

    private func overview() -> String {
        var page = begin(root)
        let arguments = "[\(Roff.italic("argument"))|\(Roff.italic("option"))\\ ...]"
        page.line("\(Roff.bold(root.page)) \(Roff.italic("command")) \(arguments)")
        page.section("DESCRIPTION")
        page.paragraphs(root.paragraphs)
        page.section("COMMANDS")
        for command in root.subcommands {
            page.item(Self.reference(command.page), command.abstract)
        }
        page.section("OPTIONS OF SEVERAL COMMANDS")
        page.paragraphs(["The page of each command lists which of these options it has."])
        for option in common { item(option, in: &page) }
        page.section("SHELL COMPLETION")
        page.paragraphs([text.completion])
        page.section("EXIT STATUS")
        for status in statuses { page.item(Roff.bold(status.status), status.meaning.sentence) }
        page.section("FILES")
        for file in text.files { page.item(Roff.italic(file.name), file.text) }
        page.section("ENVIRONMENT")
        page.paragraphs([ManualText.environment])
        for variable in text.variables { page.item(Roff.bold(variable.name), variable.text) }
        page.section("EXAMPLES")
        page.verbatim(root.examples)
        page.section("SEE ALSO")
        page.line((text.related + root.subcommands.map(\.page)).map(Self.reference).joined(separator: ",\n"))
        return page.text
    }

    /// The page of a program without commands.
    private func wholeProgram() -> String {
        var page = begin(root)
        page.line(synopsis(of: root, in: root))
        page.section("DESCRIPTION")
        page.paragraphs(root.paragraphs)
        page.section("OPTIONS")
        for argument in root.arguments { item(argument, in: &page) }
        page.section("EXIT STATUS")
        for status in statuses { page.item(Roff.bold(status.status), status.meaning.sentence) }
        page.section("EXAMPLES")
        page.verbatim(root.examples)
        page.section("SEE ALSO")
        page.line(Self.reference("eosvault"))
        return page.text
    }

    // MARK: - a command

    private func page(of command: HelpCommand) -> String {
        var page = begin(command)
        for (index, leaf) in command.leaves.enumerated() {
            if index > 0 { page.macro("br") }
            page.line(synopsis(of: leaf, in: command))
        }
        page.section("DESCRIPTION")
        page.paragraphs(command.paragraphs.isEmpty ? [command.abstract] : command.paragraphs)
        let leaves = command.leaves
        let shared = shared(by: leaves)
        if leaves.count > 1 || !command.subcommands.isEmpty { describe(leaves, without: shared, in: &page) }
        let own = command.subcommands.isEmpty ? command.arguments.filter { !isCommon($0) } : shared
        let others = common.filter { option in
            leaves.contains { $0.arguments.map(\.asShared).contains(option) }
        }
        page.section("OPTIONS")
        for argument in own { item(argument, in: &page) }
        page.paragraphs(["Described in \(root.page)(1):"])
        page.line(
            others.map { $0.names.map(Roff.bold).joined(separator: ", ") }.joined(separator: ",\n") + ".")
        page.section("EXIT STATUS")
        page.line(
            "0 if the command did what was asked. \(Self.reference(root.page)) lists the other statuses.")
        page.section("FILES")
        page.line("See \(Self.reference(root.page)).")
        page.section("ENVIRONMENT")
        page.line("See \(Self.reference(root.page)).")
        let examples = ([command] + (command.subcommands.isEmpty ? [] : leaves)).flatMap(\.examples)
        page.section("EXAMPLES")
        page.verbatim(examples.isEmpty ? [leaves[0].path.joined(separator: " ")] : examples)
        page.section("SEE ALSO")
        page.line(([root.page] + related(to: command)).map(Self.reference).joined(separator: ",\n"))
        return page.text
    }

    /// The subcommands, each with the arguments and options that only some of them have.
    private func describe(_ leaves: [HelpCommand], without shared: [HelpArgument], in page: inout Roff) {
        page.section("COMMANDS")
        for leaf in leaves {
            page.macro("SS", leaf.path.map { Roff.escaped($0) }.joined(separator: " "))
            page.line(Roff.prose(leaf.abstract))
            page.paragraphs(leaf.paragraphs)
            for argument in leaf.arguments where !isCommon(argument) && !shared.contains(argument.asShared) {
                item(argument, in: &page)
            }
        }
    }

    /// The options that each of several commands has.
    private func shared(by leaves: [HelpCommand]) -> [HelpArgument] {
        guard let first = leaves.first, leaves.count > 1 else { return [] }
        return first.arguments.map(\.asShared).filter { option in
            option.kind != .positional && !isCommon(option)
                && leaves.allSatisfy { $0.arguments.map(\.asShared).contains(option) }
        }
    }

    /// The pages of the commands that a command's text names in backquotes.
    private func related(to command: HelpCommand) -> [String] {
        let texts = ([command] + command.leaves).flatMap {
            [$0.abstract] + $0.paragraphs + $0.arguments.map(\.text)
        }
        let quoted = texts.flatMap { text in
            text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 }.map { $0.element.split(separator: " ").map(String.init) }
        }
        let names = quoted.compactMap { $0.first == root.page ? $0.dropFirst().first : $0.first }
        return root.subcommands.filter { other in
            other.path != command.path && names.contains { $0 == other.path.last }
        }.map(\.page)
    }

    // MARK: - parts

    private func begin(_ command: HelpCommand) -> Roff {
        var page = Roff()
        let name = Roff.escaped(command.page)
        page.macro("TH", name.uppercased(), "1", "", "eosvault \(version)", "eosvault")
        // Words are neither hyphenated nor stretched: command lines are copied from the page.
        page.macro("nh")
        page.macro("ad", "l")
        page.section("NAME")
        page.line("\(name) \\- \(Roff.prose(command.abstract.withoutPeriod))")
        page.section("SYNOPSIS")
        return page
    }

    private func synopsis(of leaf: HelpCommand, in command: HelpCommand) -> String {
        var parts = [Roff.bold(leaf.path.joined(separator: " "))]
        for argument in leaf.arguments where argument.kind == .positional || argument.isRequired {
            let names = argument.names.first.map { Roff.bold($0) + " " } ?? ""
            let text = names + Roff.italic(argument.value) + (argument.isRepeating ? "\\ ..." : "")
            parts.append(argument.isRequired ? text : "[\(text)]")
        }
        return (parts + ["[\(Roff.italic("option"))\\ ...]"]).joined(separator: " ")
    }

    private func item(_ argument: HelpArgument, in page: inout Roff) {
        let value = argument.kind == .flag ? "" : Roff.italic(argument.value)
        let names = argument.names.map(Roff.bold).joined(separator: ", ")
        page.item([names, value].filter { !$0.isEmpty }.joined(separator: " "), argument.text)
    }

    private static func reference(_ page: String) -> String { "\(Roff.bold(page))(1)" }
}

extension String {
    fileprivate var withoutPeriod: String { hasSuffix(".") ? String(dropLast()) : self }
    fileprivate var sentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
