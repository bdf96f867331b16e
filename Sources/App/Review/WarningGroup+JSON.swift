import JSON
import Policy
import Shell
import Signing

extension WarningGroup {
    /// More places are not listed; `warning_count` has their number.
    private static let listedActions = 100

    /// The first warning, and the places of all of them.
    static let object = JSONObject<WarningGroup>([
        .text("code", "its code") { $0.code.rawValue }, .text("message", "for people") { $0.first.text },
        .text("severity", "note, warning or danger") { $0.severity.rawValue },
        .text("allow?", "the value for --allow, for a danger") {
            Danger($0.first).map { "\($0.code.rawValue)=\($0.subject)" }
        },
    ]).adding(described: fields) { $0.first.fields }.adding([
        .number("warning_count?", "how often the warning occurs, if several times") {
            $0.warnings.count > 1 ? $0.warnings.count : nil
        },
        .texts("actions?", "the places of the first 100") { group in
            guard group.warnings.count > 1 else { return nil }
            var seen: Set<String> = []
            // One action can have several warnings of a kind.
            let paths = group.warnings.compactMap { $0.action?.path }.filter { seen.insert($0).inserted }
            return Array(paths.prefix(listedActions))
        },
    ])

    /// The subject, then the fields of all codes, each once.
    private static let fields: JSONShape = {
        let subject: JSONShape = [
            "account?": .text("the contract of the action, or the account"), "name?": .text("the action"),
            "list?": .text("the array that `index` refers to: actions, context_free_actions or signatures"),
            "index?": .number("the position in that array, from 0"),
            "path?": .text("the place of an action inside another one"),
            "permission?": .text("ACCOUNT@PERMISSION"),
        ]
        var seen: Set<String> = []
        let fields = WarningCode.allCases.flatMap(\.fields).filter { seen.insert($0.name).inserted }
        return subject.adding(
            .object(fields.map { JSONShape.Member($0.name + "?", $0.isNumber ? .number : .text, $0.meaning) })
        )
    }()
}
