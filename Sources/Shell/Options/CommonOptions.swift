import ArgumentParser

/// The last options of most commands.
package struct CommonOptions: ParsableArguments {
    package init() {}

    @OptionGroup package var json: JSONOption
    @OptionGroup package var sandbox: SandboxOption
}

/// A command that prints its result as text or, with --json, as JSON.
package protocol JSONCommand: ConfinedCommand {
    var common: CommonOptions { get }
}

extension JSONCommand {
    package var json: JSONOption { common.json }
    package var sandbox: SandboxOption { common.sandbox }
}
