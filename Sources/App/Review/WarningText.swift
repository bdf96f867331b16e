import ABICodec
import Policy
import Shell
import Signing
import Transactions

/// The warnings of a review as rows. Each kind occurs once, with a count. If the rows do not fit
/// before the question, `details` has all of them for the part above the summary.
struct WarningText {
    private struct Group {
        let code: WarningCode
        let severity: Severity
        let rows: [String]
        /// The rows in the list of all warnings, which is indented.
        let details: [String]
    }

    /// The most severe ones first.
    private let groups: [Group]
    private let width: Int

    /// - Parameter cut: the warning about the summary, which comes first: it concerns what a person
    ///   can't see.
    init(_ warnings: [Warning], cut: Warning? = nil, review: Review, width: Int) {
        self.width = width
        groups = (WarningGroup.all(cut.map { [$0] } ?? []) + WarningGroup.all(warnings)).map { group in
            Group(
                code: group.code, severity: group.severity,
                rows: Self.rows(of: group, review: review, width: width),
                details: Self.rows(of: group, review: review, width: width - 2).map { "  " + $0 })
        }
    }

    /// The rows that the warnings need in the last part at least: the first one, and the codes of
    /// the others.
    var fewestRows: Int {
        let all = groups.flatMap(\.rows).height(at: width)
        let first = groups.first.map { $0.rows.height(at: width) } ?? 0
        return min(all, first + codes(of: groups.dropFirst(), isFirst: false).height(at: width))
    }

    /// The rows of all warnings.
    var allRows: Int { groups.flatMap(\.rows).height(at: width) }

    /// - Returns: all warnings, or the most severe ones that there is room for and the codes of the
    ///   others; then `details` has all warnings.
    func rows(atMost room: Int) -> (rows: [String], details: [String]) {
        let all = groups.flatMap(\.rows)
        guard all.height(at: width) > room else { return (all, []) }
        var (shown, rest): ([String], ArraySlice<Group>) = ([], groups[...])
        while let group = rest.first {
            let next = shown + group.rows
            guard (next + codes(of: rest.dropFirst(), isFirst: false)).height(at: width) <= room else {
                break
            }
            shown = next
            rest.removeFirst()
        }
        return (
            shown + codes(of: rest, isFirst: shown.isEmpty),
            ["all warnings:"] + groups.flatMap(\.details) + [""]
        )
    }

    /// The codes of the warnings that there is no room for: of all dangers, and of as many others
    /// as fit into a row.
    /// - Parameter isFirst: true if there is no room for any warning.
    private func codes(of groups: ArraySlice<Group>, isFirst: Bool) -> [String] {
        guard !groups.isEmpty else { return [] }
        var rows = Rows(width: width)
        let dangers = groups.filter { $0.severity == .danger }.map(\.code.rawValue)
        if !dangers.isEmpty {
            rows.append(
                "DANGER ", words: (isFirst ? "" : "also ") + dangers.joined(separator: ", "), indent: 2)
        }
        let others = groups.filter { $0.severity != .danger }.map(\.code.rawValue)
        for count in (0...others.count).reversed() {
            let rest = others.count - count
            let names = others.prefix(count) + (rest > 0 ? ["\(rest) more"] : [])
            let row =
                (names.isEmpty ? "" : "also \(names.joined(separator: ", ")); ")
                + "see \"all warnings\" above"
            guard row.columns > width, count > 0 else {
                rows.append("", words: row, indent: 2)
                break
            }
        }
        return rows.rows
    }

    private static func rows(of group: WarningGroup, review: Review, width: Int) -> [String] {
        var rows = Rows(width: width)
        rows.append(
            "",
            words: group.first.line(at: place(of: group, review)) + others(of: group),
            indent: rows.isNarrow ? 2 : 13)
        return rows.rows
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
        let numbers = Set(places.map { $0.place.index + 1 }).subtracting([
            (group.first.action?.place.index ?? -1) + 1
        ])
        guard !numbers.isEmpty else { return " (and \(Amount.text(count)) more)" }
        return " (and \(Amount.text(count)) more, in \(ranges(numbers.sorted())))"
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
        let shown = ranges.prefix(3).map { range in
            Amount.text(range.lowerBound) + (range.count == 1 ? "" : "-" + Amount.text(range.upperBound))
        }
        return (numbers.count == 1 ? "action " : "actions ") + shown.joined(separator: ", ")
            + (ranges.count > 3 ? ", …" : "")
    }
}

extension Severity {
    /// The first word of a warning's line.
    var title: String { rawValue.uppercased() }
}

extension Warning {
    /// `DANGER blind: `, then the place of the action if `place` has one, then the sentence.
    func line(at place: String = "") -> String { "\(severity.title) \(code.rawValue): \(place)\(text)" }
}

extension ActionReference {
    /// `action 2`, `action 1, inner 3`
    var placeText: String {
        let first = outer.first ?? place
        let inner = (outer.dropFirst() + (outer.isEmpty ? [] : [place])).map {
            ", inner " + Amount.text($0.index + 1)
        }
        let name = first.isContextFree ? "context-free action " : "action "
        return name + Amount.text(first.index + 1) + inner.joined()
    }
}
