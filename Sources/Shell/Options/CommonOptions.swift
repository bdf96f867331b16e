import ArgumentParser

/// The last options of most commands.
package struct CommonOptions: ParsableArguments {
    package init() {}

    /// As parsed without another option of these.
    package init(json isJSON: Bool) {
        json = JSONOption(isOn: isJSON)
        sandbox = SandboxOption(isOff: false)
    }

    @OptionGroup package var json: JSONOption
    @OptionGroup package var sandbox: SandboxOption
}

/// A command that prints its result as text or, with --json, as JSON.
package protocol JSONCommand: ConfinedCommand {
    var common: CommonOptions { get }
}

/// The last options of a command whose output has no other form with --json.
package struct MessageOptions: ParsableArguments {
    package init() {}

    @Flag(name: .customLong("json"), help: "Print errors as JSON.")
    package var jsonErrors = false

    @OptionGroup package var sandbox: SandboxOption
}

/// A command for which --json changes only the messages.
package protocol PlainCommand: ConfinedCommand {
    var common: MessageOptions { get }
}

extension PlainCommand {
    package var sandbox: SandboxOption { common.sandbox }
}

extension JSONCommand {
    package var json: JSONOption { common.json }
    package var sandbox: SandboxOption { common.sandbox }
}
