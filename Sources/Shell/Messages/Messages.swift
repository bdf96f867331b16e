import Files
import JSON
import Synchronization

/// Messages on standard error. With `--json`, each line is a JSON object for programs.
package enum Messages {
    private static let json = Atomic(false)
    /// The name of the program, which begins each message. It has one thread.
    nonisolated(unsafe) private static var program = "eosvault"

    /// Called once, before the first message.
    package static func begin(program: String) { unsafe Self.program = program }

    /// Called once, before the first message.
    package static func becomeJSON() { json.store(true, ordering: .relaxed) }

    package static var areJSON: Bool { json.load(ordering: .relaxed) }

    /// `{"error": {"code", "message", "hint"}}`
    package static func error(_ words: Words) { error(words.message, hint: words.hint, json: words.json) }

    /// - Parameter json: the object for programs.
    package static func error(_ message: String, hint: String, json: JSONValue) {
        if areJSON {
            line("error", json)
        } else {
            Output.words("\(unsafe program): error: \(message)")
            Output.words("\(unsafe program): hint: \(hint)")
        }
    }

    package static func warning(_ text: String) { say("warning", text) }
    package static func note(_ text: String) { say("note", text) }

    private static func say(_ kind: String, _ text: String) {
        if areJSON { line(kind, .string(text)) } else { Output.words("\(unsafe program): \(kind): \(text)") }
    }

    /// Prints `{KIND: VALUE}`.
    package static func line(_ kind: String, _ value: JSONValue) {
        Output.line(Printable.json([kind: value]))
    }
}
