import ArgumentParser
import JSON

/// Prints data as JSON. Messages on standard error are then JSON too (`Messages`).
package struct JSONOption: ParsableArguments {
    package init() {}

    package init(isOn: Bool) { self.isOn = isOn }

    @Flag(name: .customLong("json"), help: "Print JSON.")
    package var isOn = false

    /// Prints one line: a text, or an object with --json.
    package func print(_ text: String, json: JSONValue) throws {
        try Output.data((isOn ? Printable.json(json) : text) + "\n")
    }

    /// Prints an object with --json, otherwise text for people, which wraps on a terminal.
    package func report(_ text: @autoclosure () throws -> String, json: @autoclosure () throws -> JSONValue)
        throws
    {
        if isOn { try Output.json(json()) } else { try Output.report(text()) }
    }
}
