import ABICodec
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
            try Output.json(Self.object.json(()))
        } else {
            let statuses = ExitStatus.allCases.map { Row(code: "\($0.rawValue)", meaning: $0.meaning) }
            let sections = [("Exit statuses", statuses)] + Self.lists.map { ($0.title, $0.rows) }
            let width = sections.flatMap(\.1).map(\.code.columns).max() ?? 0
            let texts = sections.map { title, rows in
                title + ":\n" + rows.map { "  \($0.code.padded(to: width))  \($0.text)\n" }.joined()
            }
            try Output.report(texts.joined(separator: "\n"))
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

        static let object = JSONObject<Row>([
            .text("code", "the code") { $0.code }, .text("meaning", "its meaning") { $0.meaning },
            .texts("severities?", "note, warning or danger, for a warning of a review") {
                $0.severities.isEmpty ? nil : $0.severities.map(\.rawValue)
            },
        ])
    }

    static let object = JSONObject<Void>([
        .list("exit_statuses", of: status, "the exit statuses") { _ in ExitStatus.allCases }
    ]).adding(
        lists.map { list in
            .list(list.key, of: Row.object, list.meaning) { _ in list.rows }
        })

    private static let status = JSONObject<ExitStatus>([
        .number("status", "the exit status") { $0.rawValue }, .text("meaning", "its meaning") { $0.meaning },
    ])

    typealias List = (title: String, key: String, meaning: String, rows: [Row])

    /// The lists of codes. `key` is the name of the list in the JSON form.
    static let lists: [List] = [
        ("Errors", "errors", "the codes of errors", rows(of: ErrorCode.self)),
        (
            "Faults of a vault (check, rescue, log verify)", "faults", "the codes of faults",
            rows(of: FaultCode.self)
        ),
        ("Warnings of a review (sign, inspect)", "warnings", "the codes of warnings of a review", warnings),
        (
            "Warnings about an ABI", "abi_warnings", "the codes of warnings about an ABI",
            rows(of: ABIWarningCode.self)
        ),
    ]

    private static let warnings = WarningCode.allCases.map {
        Row(code: $0.rawValue, meaning: $0.meaning, severities: $0.severities)
    }.sorted { $0.code < $1.code }

    private static func rows<Code: MessageCode>(of codes: Code.Type) -> [Row] {
        codes.allCases.map { Row(code: $0.name, meaning: $0.meaning) }.sorted { $0.code < $1.code }
    }
}
