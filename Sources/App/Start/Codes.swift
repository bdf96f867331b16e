import ArgumentParser
import JSON
import Policy
import Shell
import Signing

struct Codes: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "codes",
        abstract: "Print the codes of errors, faults and warnings, and the exit statuses.",
        discussion: """
            With --json, each error and each fault that a command prints has a code. So does each warning about a \
            transaction or an ABI. A code never changes. A code with two severities is a danger in the cases that its \
            meaning lists. \
            `eosvault help codes` prints the same list.
            """)

    @OptionGroup var common: CommonOptions

    func run() throws {
        if json.isOn {
            let statuses = ExitStatus.allCases.map { status -> JSONValue in
                ["status": .number(status.rawValue), "meaning": .string(status.meaning)]
            }
            let codes = Self.lists.map { JSONMember($0.key, .array($0.rows.map(\.json))) }
            try Output.json((["exit_statuses": .array(statuses)] as JSONValue).adding(.object(codes)))
        } else {
            let statuses = ExitStatus.allCases.map { Row(code: "\($0.rawValue)", meaning: $0.meaning) }
            let sections = [("Exit statuses", statuses)] + Self.lists.map { ($0.title, $0.rows) }
            let width = sections.flatMap(\.1).map(\.code.columns).max() ?? 0
            let texts = sections.map { title, rows in
                title + ":\n" + rows.map { "  \($0.code.padded(to: width))  \($0.text)\n" }.joined()
            }
            try Output.data(texts.joined(separator: "\n"))
        }
    }

    struct Row {
        let code: String
        let meaning: String
        /// The severities of a warning about a transaction; none for other codes.
        var severities: [Severity] = []

        var text: String {
            severities.isEmpty ? meaning : severities.map(\.title).joined(separator: " or ") + ": " + meaning
        }

        var json: JSONValue {
            let row: JSONValue = ["code": .string(code), "meaning": .string(meaning)]
            guard !severities.isEmpty else { return row }
            return row.adding(["severities": .array(severities.map { .string($0.rawValue) })])
        }
    }

    typealias List = (title: String, key: String, rows: [Row])

    /// The lists of codes. `key` is the name of the list in the JSON form.
    static let lists: [List] = [
        ("Errors", "errors", rows(of: ErrorCode.self)),
        ("Faults of a vault (check, rescue, log verify)", "faults", rows(of: FaultCode.self)),
        ("Warnings of a review (sign, inspect)", "warnings", warnings),
        ("Warnings about an ABI", "abi_warnings", rows(of: ABIWarningCode.self)),
    ]

    private static let warnings = WarningCode.allCases.map {
        Row(code: $0.rawValue, meaning: $0.meaning, severities: $0.severities)
    }.sorted { $0.code < $1.code }

    private static func rows<Code: MessageCode>(of codes: Code.Type) -> [Row] {
        codes.allCases.map { Row(code: $0.name, meaning: $0.meaning) }.sorted { $0.code < $1.code }
    }
}
