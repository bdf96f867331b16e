import Codecs
import JSON
import KeyVault
import Policy
import Signing
import TerminalText

/// The change of the policy of some keys, in words and for programs.
struct PolicyChange {
    let subject: StoredPolicy.Subject
    /// The policy that limits the keys now: their own, or that of all keys.
    let current: StoredPolicy?
    /// The policy that limits them then; nil after the removal of one.
    let new: KeyPolicy?
    private let differences: [PolicyDifference]
    /// The current policy can't be read, so what changes is unknown.
    private let isUnreadable: Bool

    init(of subject: StoredPolicy.Subject, from policies: [StoredPolicy], to new: KeyPolicy?) {
        (self.subject, self.new) = (subject, new)
        current = policies.policy(of: subject)
        let old = current.map { try? PolicyLedger.policy(in: $0) }
        isUnreadable = old.map { $0 == nil } ?? false
        guard case .some(.some(let old)) = old, let new else {
            differences = []
            return
        }
        differences = old.differences(to: new)
    }

    /// Whether the change may allow what is denied now.
    var isLooser: Bool { isUnreadable || new == nil || differences.contains(where: \.isLooser) }

    /// What the user compares before the answer.
    var lines: [String] {
        let keys = subject.words
        guard let new else {
            return [
                subject == .allKeys
                    ? "Nothing will limit the keys that have no policy of their own."
                    : "Nothing will limit what \(keys) signs."
            ]
        }
        guard let current else {
            let parts = "\(Words.count(new.rules.count, "rule")) and \(Words.count(new.limits.count, "limit"))"
            return ["The first policy of \(keys), with \(parts): everything else will be denied."]
        }
        var lines = current.subject == subject ? [] : ["This policy takes the place of that of all keys."]
        if isUnreadable {
            lines.append("The current policy can't be read.")
        } else if differences.isEmpty {
            lines.append("The policy of \(keys) is the same.")
        } else {
            lines += ["Changes of the policy of \(keys):"] + differences.map { "  \($0.text)" }
        }
        return lines + (isLooser ? ["The change may allow more: it needs the second unlock method."] : [])
    }

    /// - Parameter hash: The SHA-256 of the document.
    func json(hash: [UInt8]) -> JSONValue {
        subject.json.adding([
            "sha256": .string(Hex.encode(hash)), "looser": .boolean(current != nil && isLooser),
            "changes": .array(differences.map(\.json)),
        ])
    }

    /// Shows the change at the terminal, where the question is asked, or with `--yes` on standard
    /// error.
    func confirm(_ question: String, yes: Bool, isJSON: Bool) throws {
        let text = lines.joined(separator: "\n")
        guard !yes else {
            if !isJSON { Output.words(text) }
            return
        }
        let terminal = try Terminal.open(for: .policyChange)
        terminal.write(text + "\n")
        guard try terminal.confirm(question) else { throw CommandError.policyKept }
    }
}

extension [StoredPolicy] {
    /// The policy that limits these keys.
    func policy(of subject: StoredPolicy.Subject) -> StoredPolicy? {
        switch subject {
        case .allKeys: first { $0.subject == .allKeys }
        case .key(let name): policy(of: name)
        }
    }
}

extension PolicyDifference {
    fileprivate var json: JSONValue {
        [
            "part": .string(part.rawValue), "name": name.map { .string($0) } ?? .null,
            "old": old.map { .string($0) } ?? .null, "new": new.map { .string($0) } ?? .null,
            "looser": .boolean(isLooser),
        ]
    }
}
