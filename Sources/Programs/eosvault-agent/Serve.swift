import ArgumentParser
import Shell

/// Answers requests until it is stopped.
struct Serve: ConfinedCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Answer requests at a Unix socket until `stop`.")

    @OptionGroup var sandbox: SandboxOption

    func run() throws {}
}
