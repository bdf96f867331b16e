import JSON
import Shell

extension JSONReference {
    /// The reference as a page of Markdown. The DocC page `JSONOutput.md` has the same text.
    static var page: String {
        let sections =
            [
                section(
                    "Standard error",
                    "Each line is one object with one of these members. Only a warning about an ABI also has `code`.",
                    .messages),
                section(
                    "The review of `sign --lines`",
                    "On standard error, the value of `review`.", BatchQuestion.object.shape),
                section(
                    "The result of a signing request",
                    "`sign` and `request sign` print it without `--json`, on several lines (`--format request`).",
                    RequestReview.answer.shape),
            ] + all.map { section($0.title, $0.isStream ? stream : single, $0.shape) }
        return (introduction + sections + Codes.lists.map(section)).joined(separator: "\n")
    }

    private static let introduction =
        [
            "# JSON output", "",
        ]
        + WordWrap.rows(
            """
            With `--json`, a command prints one object on one line. Some commands print one object for each item, each \
            on its own line. Members can be added in later versions; none is removed or changes its meaning. Numbers \
            are integers. Times are in UTC, such as 2026-12-01T00:00:00; times of archives and of `log export` end \
            with `Z`. Commands such as `sign`, `build` and `export` have an output format of their own: for them, \
            `--json` changes only the messages. `sign --lines` and `log export` print JSON without `--json`. `eosvault \
            help codes` lists the exit statuses. `eosvault help json` prints this page, `eosvault help json --schema` \
            a JSON Schema of the output of each command, and `eosvault help json --json` the members for programs.
            """, width: columns) + [""]

    private static let single = "One object on one line."
    private static let stream = "One object for each item, on one line each."

    private static let columns = 100

    private var title: String { commands.map { "`\($0)`" }.joined(separator: ", ") }

    private static func section(_ title: String, _ text: String, _ shape: JSONShape) -> String {
        section(title, [text, ""] + shape.lines())
    }

    private static func section(_ codes: Codes.List) -> String {
        section(codes.title, codes.rows.map { "- `\($0.code)`: \($0.text)" })
    }

    private static func section(_ title: String, _ lines: [String]) -> String {
        let rows = lines.flatMap { line in
            line.isEmpty
                ? [""]
                : WordWrap.rows(line, width: columns, indent: line.prefix { $0 == " " || $0 == "-" }.count)
        }
        return (["## \(title)", ""] + rows).map { $0 + "\n" }.joined()
    }

    /// The members for programs.
    static let object = JSONObject<Void>([
        .value(
            "outputs", .list(of: .any),
            "one object for each output: `commands`, `stream` (true for one object per item), `type`, `members`"
        ) { _ in .array(all.map(\.json)) },
        .any("messages", "the same for standard error") { _ in JSONShape.messages.json },
        .any("lines_review", "the same for the review of `sign --lines`") { _ in
            BatchQuestion.object.shape.json
        },
        .any("answer", "the same for the result of a signing request") { _ in RequestReview.answer.shape.json
        },
    ])

    private var json: JSONValue {
        (["commands": .array(commands.map { .string($0) }), "stream": .boolean(isStream)] as JSONValue)
            .adding(shape.json)
    }
}
