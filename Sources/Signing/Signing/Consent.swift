import ABICodec

/// How the dangers of a request are accepted.
package enum Consent: Sendable {
    /// A person sees the review and types a word for the first danger.
    case person
    /// No person is asked. Each danger must be among the allowances.
    case script([Allowance])

    /// The dangers that are not accepted. Each occurs once.
    func refused(_ dangers: [Danger]) -> [Danger] {
        guard case .script(let allowances) = self else { return [] }
        return dangers.filter { danger in !allowances.contains { $0.accepts(danger) } }
    }
}

/// The warnings that refuse a signature, also one that a person would confirm.
package struct RefusedWarnings: Sendable {
    package static let none = RefusedWarnings([], now: 0)

    private let codes: Set<WarningCode>
    private let now: Int64

    /// - Parameter now: seconds since 1970.
    package init(_ codes: Set<WarningCode>, now: Int64) { (self.codes, self.now) = (codes, now) }

    /// - Throws: `warningRefused`.
    func expectNone(in review: Review, own: OwnKeys?) throws(SigningError) {
        guard !codes.isEmpty else { return }
        let found = Set(review.warnings(now: now, own: own).map(\.code)).intersection(codes)
        guard found.isEmpty else { throw .warningRefused(WarningCode.allCases.filter(found.contains)) }
    }
}

/// A danger that a script accepts in advance: `CODE=SUBJECT`.
///
/// Each danger concerns an account or an action, so an allowance names it: a script that may change
/// the owner of one account never accepts the change of another.
package struct Allowance: Hashable, Sendable {
    private let danger: Danger

    package enum ParseError: Error, Equatable {
        case unknownCode(known: [String])
        /// The code is not that of a danger, so nothing needs to be allowed.
        case noDanger(WarningCode)
        /// The code needs an account, or an action for `blind`.
        case noSubject(WarningCode)
    }

    package init(_ text: String) throws(ParseError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let dangers = WarningCode.allCases.filter { $0.severities.contains(.danger) }
        guard let code = WarningCode(rawValue: parts[0]) else { throw .unknownCode(known: dangers.map(\.rawValue)) }
        guard dangers.contains(code) else { throw .noDanger(code) }
        guard parts.count == 2, !parts[1].isEmpty else { throw .noSubject(code) }
        let isSubject = code == .blind ? ActionPattern(parts[1]) != nil : (try? Name(parts[1])) != nil
        guard isSubject else { throw .noSubject(code) }
        danger = Danger(code: code, subject: parts[1])
    }

    /// The allowance that `--blind ACCOUNT::ACTION` includes.
    package init(blind pattern: ActionPattern) {
        danger = Danger(code: .blind, subject: "\(pattern.account.text)::\(pattern.action.text)")
    }

    func accepts(_ danger: Danger) -> Bool { self.danger == danger }
}
