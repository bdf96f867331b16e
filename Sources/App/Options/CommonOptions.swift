import ArgumentParser

/// The last options of most commands.
struct CommonOptions: ParsableArguments {
    @OptionGroup var json: JSONOption
    @OptionGroup var sandbox: SandboxOption
}

/// A command that prints its result as text or, with --json, as JSON.
protocol JSONCommand: ConfinedCommand {
    var common: CommonOptions { get }
}

extension JSONCommand {
    var json: JSONOption { common.json }
    var sandbox: SandboxOption { common.sandbox }
}
