import ABICodec
import Policy

/// Warnings of one kind: the same code and the same severity.
package struct WarningGroup: Sendable {
    /// In the order of the actions. Never empty.
    package let warnings: [Warning]
    package let first: Warning

    package var code: WarningCode { first.code }
    package var severity: Severity { first.severity }

    private struct Key: Hashable {
        let code: WarningCode
        let severity: Severity
        let subject: String
    }

    /// Groups warnings by code and severity, the most severe first.
    package static func all(_ warnings: [Warning]) -> [WarningGroup] {
        let groups = grouped(warnings) { _ in "" }
        return Severity.allCases.reversed().flatMap { severity in groups.filter { $0.severity == severity } }
    }

    /// Groups warnings by code, severity, and the account, action or signature that they are about.
    package static func bySubject(_ warnings: [Warning]) -> [WarningGroup] {
        grouped(warnings) { warning in
            if case .signature(let index) = warning.subject { return "\(index)" }
            return warning.account?.text ?? warning.action?.text ?? ""
        }
    }

    private static func grouped(_ warnings: [Warning], by subject: (Warning) -> String) -> [WarningGroup] {
        let groups = warnings.grouped { warning in
            Key(code: warning.code, severity: warning.severity, subject: subject(warning))
        }
        return groups.compactMap { list in list.first.map { WarningGroup(warnings: list, first: $0) } }
    }
}
