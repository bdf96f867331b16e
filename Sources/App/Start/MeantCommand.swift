import ArgumentParser
import Shell

/// A name that is no command, and what its user probably wants.
struct MeantCommand {
    /// In lower case.
    private let name: String
    private let group: NamedCommand

    init(_ name: String, in group: NamedCommand) { (self.name, self.group) = (name.lowercased(), group) }

    /// The command to run, or the advice of a table; nil if nothing is probable.
    var hint: String? {
        let names = group.subcommands.map { $0._commandName }
        guard Program.name == Eosvault._commandName else { return name.nearest(among: names).map(question) }
        if let advice = Self.advice[group.words.first ?? ""]?[name] { return advice }
        if let usual = Self.usualNames[name]?.first(where: names.contains) { return question(usual) }
        if let elsewhere { return elsewhere }
        guard let nearest = name.nearest(among: names), !Self.neverGuessed.contains(nearest) else {
            return nil
        }
        return question(nearest)
    }

    /// True for the name of a command of another group, and for a name in the tables.
    var isKnown: Bool {
        Self.advice[group.words.first ?? ""]?[name] != nil || Self.usualNames[name] != nil || elsewhere != nil
    }

    /// A typing error must not lead to a command that destroys or discloses keys.
    private static let neverGuessed: Set = ["remove", "export", "rekey"]

    /// The commands of other groups with this name. `build` has `msig-approve`, which people call
    /// `approve` or `msig approve`.
    private var elsewhere: String? {
        let groups = [[]] + NamedCommand([]).subcommands.map { [$0._commandName] }
        let commands = [name, "msig-" + name].flatMap { name in groups.map { $0 + [name] } }
        let found = commands.filter { NamedCommand($0).words.count == $0.count }
        guard !found.isEmpty else { return nil }
        return "did you mean " + found.map(Self.quoted).joined(separator: " or ") + "?"
    }

    private func question(_ name: String) -> String { "did you mean \(Self.quoted(group.words + [name]))?" }

    private static func quoted(_ words: [String]) -> String {
        "`" + ([Program.name] + words).joined(separator: " ") + "`"
    }
}
