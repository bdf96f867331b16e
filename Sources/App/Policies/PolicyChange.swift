import Codecs
import JSON
import KeyVault
import Policy
import Shell
import Signing

/// The change of the policy of some keys, in words and for programs.
struct PolicyChange {
    let subject: StoredPolicy.Subject
    /// The policy that limits the keys now: their own, or that of all keys.
    let current: StoredPolicy?
    private let kind: Kind
    private let differences: [PolicyDifference]
    /// The current policy can't be read, so what changes is unknown.
    private let isUnreadable: Bool
    /// Whether the policy gets another second unlock method.
    private let changesSecondMethod: Bool

    private enum Kind {
        case set(KeyPolicy)
        /// Then the policy of all keys limits a key, if there is one. It may be unreadable.
        case removal(next: Next?)
    }

    private enum Next { case readable, unreadable }

    init(
        of subject: StoredPolicy.Subject, from policies: [StoredPolicy], to new: KeyPolicy, changesSecondMethod: Bool
    ) {
        self.init(of: subject, from: policies, to: new, .set(new), changesSecondMethod: changesSecondMethod)
    }

    init(removalOf subject: StoredPolicy.Subject, from policies: [StoredPolicy]) {
        let next = subject == .allKeys ? nil : policies.policy(of: .allKeys)
        let policy = next.flatMap { try? PolicyLedger.policy(in: $0) }
        self.init(
            of: subject, from: policies, to: policy,
            .removal(next: next.map { _ in policy == nil ? .unreadable : .readable }), changesSecondMethod: false)
    }

    private init(
        of subject: StoredPolicy.Subject, from policies: [StoredPolicy], to new: KeyPolicy?, _ kind: Kind,
        changesSecondMethod: Bool
    ) {
        (self.subject, self.kind) = (subject, kind)
        current = policies.policy(of: subject)
        self.changesSecondMethod = changesSecondMethod && current != nil
        let old = current.flatMap { try? PolicyLedger.policy(in: $0) }
        isUnreadable = current != nil && old == nil
        differences = old.flatMap { old in new.map { old.differences(to: $0) } } ?? []
    }

    /// Whether the change may allow what is denied now.
    var isLooser: Bool {
        if case .removal = kind { return true }
        return isUnreadable || differences.contains(where: \.isLooser)
    }

    /// The policy whose second unlock method the change needs.
    var proving: [StoredPolicy] {
        isLooser || changesSecondMethod ? [current].compactMap(\.self) : []
    }

    /// What the user compares before the answer.
    var lines: [String] {
        let keys = subject.words
        switch kind {
        case .removal(let next):
            return removalLines(next) + differenceLines + (isUnreadable ? ["The current policy can't be read."] : [])
        case .set(let new):
            guard current != nil else {
                let parts = "\(Words.count(new.rules.count, "rule")) and \(Words.count(new.limits.count, "limit"))"
                let whose = subject == .allKeys ? "all keys without one of their own" : keys
                return ["The first policy of \(whose), with \(parts). Everything that no rule allows will be denied."]
            }
            var lines =
                current?.subject == subject ? [] : ["This policy replaces the policy of all keys for this key."]
            if isUnreadable {
                lines.append("The current policy can't be read.")
            } else if differences.isEmpty {
                lines.append("The policy of \(keys) is the same.")
            }
            return lines + differenceLines + [secondMethodLine].compactMap(\.self)
        }
    }

    private func removalLines(_ next: Next?) -> [String] {
        guard let next else {
            let keys = subject == .allKeys ? "the keys that have no policy of their own" : "what \(subject.words) signs"
            return ["Nothing will limit \(keys)."]
        }
        let unreadable = " It can't be read, so \(subject.words) will sign nothing."
        return ["Then the policy of all keys limits \(subject.words)." + (next == .unreadable ? unreadable : "")]
    }

    private var differenceLines: [String] {
        guard !differences.isEmpty else { return [] }
        return ["Changes of the policy of \(subject.words):"] + differences.map { "  \($0.text)" }
    }

    private var secondMethodLine: String? {
        guard let method = proving.first?.secondMethod.kind.secondMethod else { return nil }
        return isLooser
            ? "The change may allow more: it needs the second unlock method of the policy (\(method))."
            : "Another second unlock method needs the current one (\(method))."
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
            "part": .string(part.rawValue), "name": .string(name), "old": .string(old), "new": .string(new),
            "looser": .boolean(isLooser),
        ]
    }
}
