import ArgumentParser
import Testing

@testable import App

/// The advice for names that are no commands.
struct MeantCommandTests {
    private static let rows = MeantCommand.advice.flatMap { group, table in
        table.map { (group: group.isEmpty ? [] : [group], name: $0.key, advice: $0.value) }
    }

    /// `eosvault WORDS` in the advice names a command. Options and words in capitals end the name.
    @Test func adviceNamesCommands() {
        #expect(Self.rows.count > 100)
        for row in Self.rows {
            let quotes = row.advice.split(separator: "`", omittingEmptySubsequences: false)
            for (index, quote) in quotes.enumerated() where index % 2 == 1 && quote.hasPrefix("eosvault ") {
                let words = quote.split(separator: " ").dropFirst().map(String.init).prefix { word in
                    !word.hasPrefix("-") && word.contains { $0.isLowercase }
                }
                let named = NamedCommand(Array(words))
                #expect(!words.isEmpty && named.rest.isEmpty, "\(row.name): \(quote)")
            }
        }
    }

    /// Otherwise the advice would never be shown.
    @Test func adviceIsForNamesThatAreNoCommands() {
        for row in Self.rows {
            #expect(NamedCommand(row.group).rest.isEmpty, "\(row.group)")
            #expect(NamedCommand(row.group + [row.name]).rest == [row.name], "\(row.group) \(row.name)")
            #expect(MeantCommand(row.name, in: NamedCommand(row.group)).hint == row.advice)
        }
    }

    /// One typing error in a command that destroys or discloses keys is never corrected to it.
    @Test(arguments: [[], ["slot"], ["credential"], ["policy"], ["log"]])
    func typingErrorsDoNotLeadToRisks(group: [String]) {
        let named = NamedCommand(group)
        for risk in ["remove", "export", "rekey"]
        where named.subcommands.contains(where: { $0._commandName == risk }) {
            for index in risk.indices {
                var typed = risk
                typed.remove(at: index)
                #expect(MeantCommand(typed, in: named).hint == nil, "\(group) \(typed)")
            }
        }
    }
}
