import ArgumentParser

/// Measures rates, each with a baseline from the same run: on a shared machine, times drift but
/// ratios do not.
@main
struct Benchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "eosvault-bench", abstract: "Measures the speed of parts of eosvault.",
        subcommands: [AllRates.self, ABIRates.self],
        defaultSubcommand: AllRates.self)
}
