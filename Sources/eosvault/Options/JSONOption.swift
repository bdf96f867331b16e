import ArgumentParser
import JSON

/// Data as JSON; what is said on standard error is JSON then as well (`Messages`).
struct JSONOption: ParsableArguments {
    @Flag(name: .customLong("json"), help: "Print JSON.")
    var isOn = false

    /// Tells of a slot that was changed: a person in words, a program as an object.
    func report(slot: Int, _ words: String) throws {
        guard isOn else { return Output.words(words) }
        try Output.json(JSONValue.object([JSONMember("slot", .number("\(slot)"))]))
    }
}
