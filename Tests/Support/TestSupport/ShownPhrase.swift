/// A recovery phrase as the terminal shows it.
public enum ShownPhrase {
    /// The words, keyed by their numbers.
    public static func words(in seen: [UInt8]) -> [Int: String] {
        let shown = String(decoding: seen, as: UTF8.self).matches(of: #/([0-9]+)\. ([a-z]+)/#)
        return shown.reduce(into: [:]) { words, match in Int(match.1).map { words[$0] = String(match.2) } }
    }

    /// The first `word N: ` from `start` on: N, and the offset after the prompt.
    public static func question(in seen: [UInt8], from start: Int) -> (position: Int, end: Int)? {
        let text = String(decoding: seen[start...], as: UTF8.self)
        guard let match = text.firstMatch(of: #/word ([0-9]+): /#), let position = Int(match.1) else {
            return nil
        }
        return (position, start + text[..<match.range.upperBound].utf8.count)
    }

    /// All 24 words, separated by one space.
    public static func text(in seen: [UInt8]) -> String {
        let words = words(in: seen)
        return words.keys.sorted().compactMap { words[$0] }.joined(separator: " ")
    }
}
