/// A recovery phrase, a seed or shares as the terminal shows them.
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

    /// The words of each share that the terminal showed, in the order of their numbers. A share can
    /// be shown again.
    public static func shares(in seen: [UInt8]) -> [[Int: String]] {
        let shown = String(decoding: seen, as: UTF8.self)
        let begins = shown.matches(of: #/This is share ([0-9]+) of/#)
        let ends = begins.dropFirst().map(\.range.lowerBound) + [shown.endIndex]
        let shares = zip(begins, ends).reduce(into: [Int: [Int: String]]()) { shares, part in
            let text = shown[part.0.range.lowerBound..<part.1]
            Int(part.0.1).map { shares[$0] = words(in: Array(text.utf8)) }
        }
        return shares.keys.sorted().compactMap { shares[$0] }
    }

    /// All words, separated by one space.
    public static func text(in seen: [UInt8]) -> String { text(of: words(in: seen)) }

    public static func text(of words: [Int: String]) -> String {
        words.keys.sorted().compactMap { words[$0] }.joined(separator: " ")
    }
}
