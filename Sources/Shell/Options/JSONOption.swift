import ArgumentParser
import JSON

/// Prints data as JSON. Messages on standard error are then JSON too (`Messages`).
package struct JSONOption: ParsableArguments {
    package init() {}

    @Flag(name: .customLong("json"), help: "Print JSON.")
    package var isOn = false

    /// Prints one line: a text, or an object with --json.
    package func print(_ text: String, json: JSONValue) throws {
        try Output.data((isOn ? Printable.json(json) : text) + "\n")
    }
}
