/// A pattern that a whole text must match.
///
/// | part | matches |
/// |---|---|
/// | `*` | any characters, also none |
/// | `?` | one character |
/// | `[a-z0-9_]` | one character of the class |
/// | `[^a-z]` | one character that is not in the class |
/// | `[0-9]+` | one or more characters of the class |
/// | `\` | the next character itself |
/// | any other character | itself |
///
/// A character is a Unicode scalar. All positions of the pattern that are possible are followed
/// at once, so a match takes at most one step for each part and each character of the text.
package struct TextPattern: Hashable, Sendable {
    enum Part: Hashable {
        case literal(Unicode.Scalar)
        case any
        case run
        case characters([ClosedRange<Unicode.Scalar>], isNegated: Bool, repeats: Bool)
    }

    package let text: String
    let parts: [Part]

    /// In characters.
    package static let maximumLength = 256
    /// A longer text matches no pattern, so that a hostile text costs little. In bytes.
    package static let maximumTextLength = 65_536

    /// A refusal of a pattern, at an offset in characters.
    struct Refusal: Error {
        let fault: PatternFault
        let offset: Int
    }

    init(_ text: String) throws(Refusal) {
        let scalars = Array(text.unicodeScalars)
        guard scalars.count <= Self.maximumLength else {
            throw Refusal(fault: .tooLong(limit: Self.maximumLength), offset: Self.maximumLength)
        }
        var parts: [Part] = []
        var index = 0
        while index < scalars.count {
            switch scalars[index] {
            case "*":
                if parts.last != .run { parts.append(.run) }
                index += 1
            case "?":
                parts.append(.any)
                index += 1
            case "[": parts.append(try Self.characters(scalars, &index))
            case "]": throw Refusal(fault: .close, offset: index)
            default: parts.append(.literal(try Self.scalar(scalars, &index)))
            }
        }
        self.text = text
        self.parts = parts
    }

    /// One character, with its escape.
    private static func scalar(_ scalars: [Unicode.Scalar], _ index: inout Int) throws(Refusal)
        -> Unicode.Scalar
    {
        let start = index
        if scalars[index] == "\\" { index += 1 }
        guard index < scalars.count else { throw Refusal(fault: .escape, offset: start) }
        defer { index += 1 }
        return scalars[index]
    }

    /// A class in brackets. Between them, only `]`, `\`, a `^` at the start and a `-` between two
    /// characters have a meaning.
    private static func characters(_ scalars: [Unicode.Scalar], _ index: inout Int) throws(Refusal) -> Part {
        let start = index
        index += 1
        let isNegated = index < scalars.count && scalars[index] == "^"
        if isNegated { index += 1 }
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        while index < scalars.count, scalars[index] != "]" {
            let place = index
            let first = try scalar(scalars, &index)
            var last = first
            if index + 1 < scalars.count, scalars[index] == "-", scalars[index + 1] != "]" {
                index += 1
                last = try scalar(scalars, &index)
            }
            guard first <= last else { throw Refusal(fault: .range, offset: place) }
            ranges.append(first...last)
        }
        guard index < scalars.count else { throw Refusal(fault: .open, offset: start) }
        guard !ranges.isEmpty else { throw Refusal(fault: .emptyClass, offset: start) }
        index += 1
        let repeats = index < scalars.count && scalars[index] == "+"
        if repeats { index += 1 }
        return .characters(ranges, isNegated: isNegated, repeats: repeats)
    }

    package func matches(_ text: String) -> Bool {
        var steps = 0
        return matches(text, counting: &steps)
    }

    /// - Parameter steps: Increased by the number of parts that were compared: at most
    ///   (parts + 1) × (characters of the text + 1).
    func matches(_ text: String, counting steps: inout Int) -> Bool {
        guard text.utf8.count <= Self.maximumTextLength else { return false }
        // The parts that may match the next character, in ascending order and each once. The number
        // of parts means the end.
        var (current, next): ([Int], [Int]) = ([], [])
        add(0, to: &current)
        for scalar in text.unicodeScalars {
            next.removeAll(keepingCapacity: true)
            for place in current {
                steps += 1
                guard place < parts.count else { continue }
                switch parts[place] {
                case .literal(let literal): if literal == scalar { add(place + 1, to: &next) }
                case .any: add(place + 1, to: &next)
                case .run: add(place, to: &next)
                case .characters(let ranges, let isNegated, let repeats):
                    guard ranges.contains(where: { $0.contains(scalar) }) != isNegated else { continue }
                    if repeats { add(place, to: &next) }
                    add(place + 1, to: &next)
                }
            }
            swap(&current, &next)
            if current.isEmpty { return false }
        }
        return current.last == parts.count
    }

    /// Adds a place, and the place after it if the part there matches no character too.
    private func add(_ place: Int, to places: inout [Int]) {
        var place = place
        while true {
            // Places are added in ascending order, so a known one is among the last two.
            if places.last.map({ $0 < place }) ?? true { places.append(place) }
            guard place < parts.count, parts[place] == .run else { return }
            place += 1
        }
    }
}
