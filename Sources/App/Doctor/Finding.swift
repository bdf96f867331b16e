import JSON
import Shell

/// One result of `doctor`: the finding, its meaning for an offline signer, and the advice.
struct Finding: Equatable {
    enum State: String, CaseIterable {
        case ok, note, warning
    }

    /// The subject. The text output and the JSON output have the same words.
    var topic = ""
    let state: State
    let text: String
    let meaning: String
    /// The next step for the user; nil if there is nothing to do.
    let advice: String?

    static func ok(_ text: String, _ meaning: String) -> Finding {
        Finding(state: .ok, text: text, meaning: meaning, advice: nil)
    }
    static func note(_ text: String, _ meaning: String, advice: String? = nil) -> Finding {
        Finding(state: .note, text: text, meaning: meaning, advice: advice)
    }
    static func warning(_ text: String, _ meaning: String, advice: String) -> Finding {
        Finding(state: .warning, text: text, meaning: meaning, advice: advice)
    }

    func about(_ topic: String) -> Finding {
        var finding = self
        finding.topic = topic
        return finding
    }

    static let object = JSONObject<Finding>([
        .text("topic", "what was inspected") { $0.topic },
        .text("state", "ok, note or warning") { $0.state.rawValue },
        .text("finding", "the result") { $0.text },
        .text("meaning", "what it means for an offline signer") { $0.meaning },
        .text(orNull: "advice", "what to do") { $0.advice },
    ])
}

extension [Finding] {
    func count(of state: Finding.State) -> Int { count { $0.state == state } }
}

/// Findings as a table for people. Columns: state, topic, lines of text.
struct FindingTable {
    /// The width of the text column unless the terminal is narrower.
    private static let greatestWidth = 84
    private static let leastWidth = 20

    let findings: [Finding]
    /// True to colour the states.
    let colored: Bool
    /// The columns of the terminal; nil for a file or a pipe.
    var columns: Int?

    var text: String {
        let states = Finding.State.allCases.map(\.rawValue.columns).max() ?? 0
        let topics = findings.map(\.topic.columns).max() ?? 0
        // On a narrow terminal, the text is below its topic.
        let isNarrow = columns.map { $0 - states - topics - 4 < 2 * Self.leastWidth } ?? false
        let indent = isNarrow ? 2 : states + topics + 4
        let margin = String(repeating: " ", count: indent)
        let width = min(Self.greatestWidth, max(Self.leastWidth, (columns ?? .max) - indent))
        return findings.map { finding in
            let topic = isNarrow ? finding.topic + "\n" + margin : finding.topic.padded(to: topics) + "  "
            let lines = [finding.text, finding.meaning, finding.advice.map { "to do: \($0)" } ?? ""]
                .flatMap { WordWrap.rows($0, width: width) }
            return painted(finding.state, to: states) + "  " + topic + lines.joined(separator: "\n" + margin)
                + "\n"
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
}
