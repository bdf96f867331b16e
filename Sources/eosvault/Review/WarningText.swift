import ABICodec
import Signing
import Transactions

/// The warnings of a review as rows. Each kind occurs once, with a count. If the rows do not fit
/// before the question, `details` has all of them for the part above the summary.
struct WarningText {
    /// The rows of the last part: all warnings, or the most severe ones and the codes of the
    /// others.
    let rows: [String]
    /// All warnings, if `rows` does not contain them; otherwise empty.
    let details: [String]

    /// The rows of the last part, with the question.
    static let lastRows = 24
    private static let questionRows = 2

    /// - Parameter others: the number of other rows in the last part.
    init(_ warnings: [Warning], review: Review, width: Int, others: Int) {
        let room = max(4, Self.lastRows - Self.questionRows - others)
        let groups = WarningGroup.all(warnings).map { Self.rows(of: $0, review: review, width: width) }
        let all = groups.flatMap(\.rows)
        guard all.count > room else {
            rows = all
            details = []
            return
        }
        details = ["all warnings:"] + all.map { "  " + $0 } + [""]
        var shown: [String] = []
        var rest = groups[...]
        let line = Self.rest(of: groups.map(\.name), width: width)
        while let group = rest.first, shown.count + group.rows.count + line.count <= room {
            shown += group.rows
            rest.removeFirst()
        }
        rows = shown + Self.rest(of: rest.map(\.name), width: width)
    }

    /// The codes of the warnings that did not fit.
    private static func rest(of names: [String], width: Int) -> [String] {
        guard !names.isEmpty else { return [] }
        var rows = Rows(width: width)
        rows.append(
            "", words: "also (see \"all warnings\" above): \(names.joined(separator: ", "))", indent: 13)
        return Array(rows.rows.prefix(maximumRestRows))
    }

    /// The codes are in the order of their severity, so the least severe ones are cut.
    private static let maximumRestRows = 3

    private static func rows(of group: WarningGroup, review: Review, width: Int) -> (name: String, rows: [String]) {
        var rows = Rows(width: width)
        let name = "\(group.severity.title) \(group.code.rawValue)"
        rows.append("\(name): ", words: place(of: group, review) + group.first.text + others(of: group), indent: 13)
        return (name, rows.rows)
    }

    /// `action 700: ` if the transaction has several actions.
    private static func place(of group: WarningGroup, _ review: Review) -> String {
        guard let action = group.first.action, review.allActions.count > 1 else { return "" }
        return action.placeText + ": "
    }

    private static func others(of group: WarningGroup) -> String {
        let count = group.warnings.count - 1
        guard count > 0 else { return "" }
        // One action can have several warnings of a kind.
        let places = group.warnings.dropFirst().compactMap(\.action).filter { $0 != group.first.action }
        guard places.count == count, places.allSatisfy({ $0.outer.isEmpty && !$0.place.isContextFree }) else {
            return " (and \(Amount.text(count)) more)"
        }
        return " (also in \(Amount.text(count)) more: \(ranges(places.map { $0.place.index + 1 })))"
    }

    /// The first numbers as ranges: `actions 2-99, 101`.
    private static func ranges(_ numbers: [Int]) -> String {
        var ranges: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = ranges.last, number <= last.upperBound + 1 {
                ranges[ranges.count - 1] = last.lowerBound...max(number, last.upperBound)
            } else {
                ranges.append(number...number)
            }
        }
        let shown = ranges.prefix(3).map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
        return "actions " + shown.joined(separator: ", ") + (ranges.count > 3 ? ", …" : "")
    }
}

extension ActionReference {
    /// `action 2`, `action 1, inner 3`
    var placeText: String {
        let first = outer.first ?? place
        let inner = (outer.dropFirst() + (outer.isEmpty ? [] : [place])).map { ", inner \($0.index + 1)" }
        return (first.isContextFree ? "context-free action" : "action") + " \(first.index + 1)" + inner.joined()
    }
}
