import JSON

/// One result of `doctor`: what it found, what this means for an offline signer, and what to do.
struct Finding: Equatable {
    enum State: String, CaseIterable {
        case ok, note, warning
    }

    /// What `doctor` inspected. The text output and the JSON output have the same words.
    let topic: String
    let judgement: Judgement

    var state: State { judgement.state }
    var text: String { judgement.text }
    var meaning: String { judgement.meaning }
    var advice: String? { judgement.advice }

    var json: JSONValue {
        [
            "topic": .string(topic), "state": .string(state.rawValue), "finding": .string(text),
            "meaning": .string(meaning), "advice": advice.map { .string($0) } ?? .null,
        ]
    }
}

extension Finding {
    struct Judgement: Equatable {
        let state: State
        let text: String
        let meaning: String
        /// What to do; nil if nothing is to be done.
        let advice: String?

        static func ok(_ text: String, _ meaning: String) -> Judgement {
            Judgement(state: .ok, text: text, meaning: meaning, advice: nil)
        }
        static func note(_ text: String, _ meaning: String, advice: String? = nil) -> Judgement {
            Judgement(state: .note, text: text, meaning: meaning, advice: advice)
        }
        static func warning(_ text: String, _ meaning: String, advice: String) -> Judgement {
            Judgement(state: .warning, text: text, meaning: meaning, advice: advice)
        }
    }
}

/// Findings as a table for people. Columns: state, topic, lines of text.
struct FindingTable {
    /// The width of the text column, in characters.
    private static let width = 84

    let findings: [Finding]
    /// Whether the states are coloured.
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

    /// Breaks the text between words. A command in backquotes stays on one line.
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
