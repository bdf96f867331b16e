import JSON
import Policy
import Shell
import Signing

extension WarningGroup {
    /// More places are not listed; `warning_count` has their number.
    private static let listedActions = 100

    /// The first warning, and the places of all of them.
    var json: JSONValue {
        let allow = Danger(first).map { "\($0.code.rawValue)=\($0.subject)" }
        let members = ([
            "code": .string(code.rawValue), "message": .string(first.text), "severity": .string(severity.rawValue),
        ] as JSONValue).adding(allow.map { ["allow": .string($0)] }).adding(first.fields)
        guard warnings.count > 1 else { return members }
        var seen: Set<String> = []
        // One action can have several warnings of a kind.
        let paths = warnings.compactMap { $0.action?.path }.filter { seen.insert($0).inserted }
        return members.adding([
            "warning_count": .number(warnings.count),
            "actions": .array(paths.prefix(Self.listedActions).map { .string($0) }),
        ])
    }
}
