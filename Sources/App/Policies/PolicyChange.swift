import Codecs
import JSON
import KeyVault
import Policy
import Shell
import Signing

/// The change of the policy of some keys, in words and for programs.
struct PolicyChange {
    let subject: StoredPolicy.Subject
    /// The policy that limits the keys now: their own, or the policy of all keys.
    let current: StoredPolicy?
    private let kind: Kind
    private let differences: [PolicyDifference]
    /// The current policy can't be read, so what changes is unknown.
    private let isUnreadable: Bool
    /// True if the policy gets another second unlock method.
    private let changesSecondMethod: Bool

    private enum Kind {
        case set(KeyPolicy)
        /// Then the policy of all keys limits a key, if there is one. It may be unreadable.
        case removal(next: Next?)
    }

    private enum Next { case readable, unreadable }

    init(
        of subject: StoredPolicy.Subject, from policies: [StoredPolicy], to new: KeyPolicy,
        changesSecondMethod: Bool
    ) {
        self.init(of: subject, from: policies, to: new, .set(new), changesSecondMethod: changesSecondMethod)
    }

    init(removalOf subject: StoredPolicy.Subject, from policies: [StoredPolicy]) {
        let next = subject == .allKeys ? nil : policies.policy(of: .allKeys)
        let policy = next.flatMap { try? PolicyLedger.policy(in: $0) }
        self.init(
            of: subject, from: policies, to: policy,
            .removal(next: next.map { _ in policy == nil ? .unreadable : .readable }),
            changesSecondMethod: false)
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

    /// True if the change may allow more than the current policy.
    var isLooser: Bool {
        if case .removal = kind { return true }
        return isUnreadable || differences.contains(where: \.isLooser)
    }

    /// The policy whose second unlock method the change needs.
    var proving: [StoredPolicy] {
        isLooser || changesSecondMethod ? [current].compactMap(\.self) : []
    }

    /// Shown before the question.
    var lines: [String] {
        let keys = subject.words
        switch kind {
        case .removal(let next):
            return removalLines(next) + differenceLines
                + (isUnreadable ? ["The current policy can't be read."] : [])
        case .set(let new):
            guard current != nil else {
                let parts =
                    "\(Words.count(new.rules.count, "rule")) and \(Words.count(new.limits.count, "limit"))"
                let whose = subject == .allKeys ? "all keys without one of their own" : keys
                return [
                    "The first policy of \(whose), with \(parts). Everything that no rule allows will be denied."
                ]
            }
            var lines =
                current?.subject == subject
                ? [] : ["This policy replaces the policy of all keys for this key."]
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
            let keys =
                subject == .allKeys
                ? "the keys that have no policy of their own" : "what \(subject.words) signs"
            return ["Nothing will limit \(keys)."]
        }
        let unreadable = " It can't be read, so \(subject.words) will sign nothing."
        return [
            "Then the policy of all keys limits \(subject.words)." + (next == .unreadable ? unreadable : "")
        ]
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

    /// A change, and the SHA-256 of the document.
    static let object = JSONObject<(change: PolicyChange, hash: [UInt8])>([
        .text(orNull: "public_key", "the key; null for all keys") { $0.change.subject.key?.text },
        .boolean("all_keys", "whether the policy is for all keys") { $0.change.subject == .allKeys },
        .text("sha256", "the SHA-256 of the policy that was set or removed") { Hex.encode($0.hash) },
        .boolean("looser", "whether the change may allow more than before") {
            $0.change.current != nil && $0.change.isLooser
        },
        .list("changes", of: PolicyDifference.object, "what differs from the earlier policy") {
            $0.change.differences
        },
    ])
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

extension PolicyDifference: JSONDescribed {
    static let object = JSONObject<PolicyDifference>([
        .text("part", "chain, identity, transaction, rule, amount or limit") { $0.part.rawValue },
        .text(orNull: "name", "the name of the part, or the member of `transaction`") { $0.name },
        .text(orNull: "old", "its earlier value as JSON; null for a new part") { $0.old },
        .text(orNull: "new", "its value as JSON; null for a removed part") { $0.new },
        .boolean("looser", "whether this change may allow more") { $0.isLooser },
    ])
}

extension StoredPolicy.Subject {
    fileprivate var key: EntryName? { if case .key(let name) = self { name } else { nil } }
}
