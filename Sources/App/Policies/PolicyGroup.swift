import ArgumentParser
import Policy
import Shell

struct PolicyGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy", abstract: "Limit what keys sign: make, list, show and try policies.",
        subcommands: [
            Init.self, Schema.self, Set.self, Remove.self, List.self, Show.self, Test.self, Simulate.self,
            ClockCorrected.self,
        ])

    struct Schema: ConfinedCommand {
        static let configuration = CommandConfiguration(
            commandName: "schema",
            abstract: "Print the format of policies as a JSON Schema.",
            discussion: """
                The descriptions state the meaning of each member, and the syntax of patterns.

                  eosvault policy schema
                """)

        @OptionGroup var sandbox: SandboxOption

        func run() throws { try Output.data(PolicySchema.text) }
    }
}
