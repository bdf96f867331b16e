import ArgumentParser

/// Rates, each beside a yardstick of the same run: on a shared machine times drift, ratios do not.
@main
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "eosvault-bench", abstract: "Times the parts of eosvault.",
        subcommands: [AllRates.self, ABIRates.self],
        defaultSubcommand: AllRates.self)
}
