import TestSupport

/// What a user types whenever the terminal shows a question.
struct TerminalAnswers {
    /// The answers, keyed by the last characters of the question.
    var lines: [String: String] = [:]
    /// The words of the recovery phrase or the seed that was shown last.
    var phrase: [Int: String] = [:]
    /// The shares that a command showed last, which the next commands are given in this order.
    var shares: [[Int: String]] = []
    private var answered = 0
    private var sharesTyped = 0

    init(lines: [String: String] = [:], phrase: [Int: String] = [:]) {
        self.lines = lines
        self.phrase = phrase
    }

    /// - Returns: the line to type, if the shown text ends with a question that has an answer.
    mutating func next(_ seen: [UInt8]) -> String? {
        guard seen.count > answered else { return nil }
        let shown = String(decoding: seen.suffix(200), as: UTF8.self)
        guard let line = line(for: shown, seen) else { return nil }
        answered = seen.count
        return line
    }

    private mutating func line(for shown: String, _ seen: [UInt8]) -> String? {
        if let match = shown.firstMatch(of: #/word 1 of ([0-9]+): $/#), let count = Int(match.1) {
            if count == phrase.count { return ShownPhrase.text(of: phrase) }
            if sharesTyped < shares.count, count == shares[sharesTyped].count {
                sharesTyped += 1
                return ShownPhrase.text(of: shares[sharesTyped - 1])
            }
        }
        if let match = shown.firstMatch(of: #/word ([0-9]+): $/#), let position = Int(match.1) {
            return ShownPhrase.words(in: seen)[position]
        }
        let question = lines.keys.filter(shown.hasSuffix).max { $0.utf8.count < $1.utf8.count }
        return question.flatMap { lines[$0] }
    }
}
