import Files
import JSON
import Synchronization
import TerminalText

/// Messages on standard error. With `--json`, each line is a JSON object for programs.
enum Messages {
    private static let json = Atomic(false)

    /// Called once, before the first message.
    static func becomeJSON() { json.store(true, ordering: .relaxed) }

    static var areJSON: Bool { json.load(ordering: .relaxed) }

    static func error(_ words: Words) {
        guard !areJSON else { return line(Printable.json(["error": words.json])) }
        say("eosvault-scan: error: \(words.message)")
        say("eosvault-scan: hint: \(words.hint)")
    }

    static func warning(_ text: String) { say("warning", text) }
    static func note(_ text: String) { say("note", text) }

    private static func say(_ kind: String, _ text: String) {
        if areJSON { line(Printable.json([kind: .string(text)])) } else { say("eosvault-scan: \(kind): \(text)") }
    }

    private static func say(_ text: String) { line(WordWrap.text(text, on: .standardError)) }
    private static func line(_ text: String) { try? FileDescriptor.standardError.write(text: text + "\n") }
}

extension FileDescriptor {
    func write(text: some StringProtocol) throws(FileError) { unsafe try write(Array(text.utf8).span.bytes) }
}
