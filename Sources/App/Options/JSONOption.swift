import ArgumentParser
import JSON
import TerminalText

/// Prints data as JSON. Messages on standard error are then JSON too (`Messages`).
struct JSONOption: ParsableArguments {
    @Flag(name: .customLong("json"), help: "Print JSON.")
    var isOn = false

    /// Prints one line: a text, or an object with --json.
    func print(_ text: String, json: JSONValue) throws {
        try Output.data((isOn ? Printable.json(json) : text) + "\n")
    }

    /// Reports a changed slot: as text, or as an object with --json.
    func report(slot: Int, _ words: String) throws {
        guard isOn else { return Output.words(words) }
        try Output.json(["slot": .number(slot)])
    }
}
