import JSON

/// One thing that `doctor` looked at: what it found, what that means for a signer without a
/// network, and what to do about it.
struct Finding: Equatable {
    enum State: String, CaseIterable {
        case ok, note, warning
    }

    /// What was looked at: the same words for people and programs.
    let topic: String
    let state: State
    let text: String
    let meaning: String
    /// nil where there is nothing to do.
    let advice: String?

    init(_ topic: String, _ state: State, _ text: String, _ meaning: String, advice: String? = nil) {
        self.topic = topic
        self.state = state
        self.text = text
        self.meaning = meaning
        self.advice = advice
    }

    var json: JSONValue {
        .object([
            JSONMember("topic", .string(topic)), JSONMember("state", .string(state.rawValue)),
            JSONMember("finding", .string(text)),
            JSONMember("meaning", .string(meaning)), JSONMember("advice", advice.map { .string($0) } ?? .null),
        ])
    }
}

/// Findings as a table that a person reads: the state, the topic, and lines of text beside them.
struct FindingTable {
    /// The text's own columns.
    private static let width = 84

    let findings: [Finding]
    /// Whether states are in colours.
    let colored: Bool

    var text: String {
        let states = Finding.State.allCases.map(\.rawValue.count).max() ?? 0
        let topics = findings.map(\.topic.count).max() ?? 0
        let margin = String(repeating: " ", count: states + topics + 4)
        return findings.map { finding in
            let head = "\(painted(finding.state, to: states))  \(finding.topic.padded(to: topics))  "
            let lines =
                Self.wrapped(finding.text) + Self.wrapped(finding.meaning)
                + Self.wrapped(finding.advice.map { "to do: \($0)" } ?? "")
            return head + lines.joined(separator: "\n" + margin) + "\n"
        }.joined()
    }

    private func painted(_ state: Finding.State, to width: Int) -> String {
        let word = state.rawValue.padded(to: width)
        guard colored else { return word }
        let color =
            switch state {
            case .ok: "32"
            case .note: "33"
            case .warning: "1;31"
            }
        return "\u{1b}[\(color)m\(word)\u{1b}[0m"
    }

    /// Lines that break between words; a command in backquotes stays on one.
    static func wrapped(_ text: String) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in words(of: text) {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return lines + (line.isEmpty ? [] : [line])
    }

    private static func words(of text: String) -> [String] {
        var words: [String] = []
        var isInside = false
        for word in text.split(separator: " ") {
            if isInside { words[words.count - 1] += " " + word } else { words.append(String(word)) }
            if !word.count(where: { $0 == "`" }).isMultiple(of: 2) { isInside.toggle() }
        }
        return words
    }
}
