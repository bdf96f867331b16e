import ABICodec
import JSON
import Transactions

/// A difference between an old and a new policy.
package struct PolicyDifference: Equatable, Sendable {
    package enum Part: String, Sendable {
        case chain, identity, transaction, refuse, rule, amount, limit
    }

    package let part: Part
    /// The member of `transaction`, or the name of the rule or limit; nil for a part without a
    /// name.
    package let name: String?
    /// The canonical JSON of the old value; nil for an added part.
    package let old: String?
    /// The canonical JSON of the new value; nil for a removed part.
    package let new: String?
    /// True if the new policy may allow something that the old one denies, because of this
    /// difference. True if in doubt.
    package let isLooser: Bool

    init(_ part: Part, name: String? = nil, _ old: JSONValue?, _ new: JSONValue?, isLooser: Bool) {
        (self.part, self.name, self.isLooser) = (part, name, isLooser)
        (self.old, self.new) = (old?.text(), new?.text())
    }
}

extension KeyPolicy {
    /// The differences of a policy that replaces this one. It is looser if one of them is.
    package func differences(to new: KeyPolicy) -> [PolicyDifference] {
        var list: [PolicyDifference] = []
        for chain in new.chains where !chains.contains(chain) {
            list.append(PolicyDifference(.chain, nil, .string(chain.name), isLooser: true))
        }
        for chain in chains where !new.chains.contains(chain) {
            list.append(PolicyDifference(.chain, .string(chain.name), nil, isLooser: false))
        }
        if allowsIdentity != new.allowsIdentity {
            let (old, now) = (allowsIdentity ? "allow" : "deny", new.allowsIdentity ? "allow" : "deny")
            list.append(PolicyDifference(.identity, .string(old), .string(now), isLooser: new.allowsIdentity))
        }
        list += conditions.differences(to: new.conditions)
        for code in refusedWarnings where !new.refusedWarnings.contains(code) {
            list.append(PolicyDifference(.refuse, .string(code), nil, isLooser: true))
        }
        for code in new.refusedWarnings where !refusedWarnings.contains(code) {
            list.append(PolicyDifference(.refuse, nil, .string(code), isLooser: false))
        }
        // A rule only adds what is allowed: one that is removed makes nothing looser.
        list += Self.differences(
            .rule, rules.map { ($0.name, $0.json) }, new.rules.map { ($0.name, $0.json) },
            isLooser: { _, index in
                index.map { index in !rules.contains { new.rules[index].isNarrower(than: $0) } } ?? false
            })
        // An amount that is added counts more. One that is removed or changed may count less. One
        // more token of a field that has an amount already allows that token, and an amount of a
        // token contract's action allows this action with other fields.
        list += Self.differences(
            .amount, amounts.map { (nil, $0.json) }, new.amounts.map { (nil, $0.json) },
            isLooser: { _, index in
                guard let added = index.map({ new.amounts[$0] }) else { return true }
                return amounts.contains { $0.isSameField(as: added) }
                    || Self.tokenActions.contains(added.action.text)
            })
        list += Self.differences(
            .limit, limits.map { ($0.name, $0.json) }, new.limits.map { ($0.name, $0.json) },
            isLooser: { index, _ in
                index.map { index in !new.limits.contains { limits[index].isImplied(by: $0) } } ?? false
            })
        return list
    }

    /// Compares two lists. Two parts with the same name are one part that changed. Equal parts are
    /// no difference, wherever they are in the lists.
    /// - Parameter isLooser: Is given the numbers of the old and the new part; nil for no part.
    private static func differences(
        _ part: PolicyDifference.Part, _ old: [(name: String?, json: JSONValue)],
        _ new: [(name: String?, json: JSONValue)], isLooser: (Int?, Int?) -> Bool
    ) -> [PolicyDifference] {
        // The numbers of the new parts that are not compared yet, by their text.
        var waiting: [[UInt8]: [Int]] = [:]
        for (index, part) in new.enumerated().reversed() {
            waiting[Array(part.json.text().utf8), default: []].append(index)
        }
        var rest: [Int] = []
        var isCompared = [Bool](repeating: false, count: new.count)
        for (index, part) in old.enumerated() {
            guard let same = waiting[Array(part.json.text().utf8)]?.popLast() else {
                rest.append(index)
                continue
            }
            isCompared[same] = true
        }
        let added = new.indices.filter { !isCompared[$0] }
        var named: [[UInt8]: Int] = [:]
        for index in added { if let name = new[index].name { named[Array(name.utf8)] = index } }
        var list: [PolicyDifference] = []
        for index in rest {
            let same = old[index].name.flatMap { named.removeValue(forKey: Array($0.utf8)) }
            if let same { isCompared[same] = true }
            list.append(
                PolicyDifference(
                    part, name: old[index].name, old[index].json, same.map { new[$0].json },
                    isLooser: isLooser(index, same)))
        }
        for index in added where !isCompared[index] {
            list.append(
                PolicyDifference(
                    part, name: new[index].name, nil, new[index].json, isLooser: isLooser(nil, index)))
        }
        return list
    }
}

extension TransactionConditions {
    fileprivate func differences(to new: TransactionConditions) -> [PolicyDifference] {
        zip(CanonicalPolicy.members(self), CanonicalPolicy.members(new)).compactMap { old, now in
            guard old.1?.text() != now.1?.text() else { return nil }
            return PolicyDifference(
                .transaction, name: old.0, old.1, now.1, isLooser: isLooser(old.0, in: new))
        }
    }

    /// True if a member of `new` allows more.
    private func isLooser(_ member: String, in new: TransactionConditions) -> Bool {
        func isGreater(_ new: UInt32?, than old: UInt32?) -> Bool { (new ?? .max) > (old ?? .max) }
        switch member {
        case "max_expiration_seconds": return isGreater(new.maximumExpiration, than: maximumExpiration)
        case "max_actions": return isGreater(new.maximumActionCount, than: maximumActionCount)
        case "hours": return hours.map { !(new.hours?.isSubset(of: $0) ?? false) } ?? false
        case "confirm": return alwaysConfirms
        case "cosigner": return firstCosigner != nil
        case "context_free_actions": return new.allowsContextFreeActions
        // In doubt, it does.
        default: return true
        }
    }
}

extension Rule {
    /// True if this rule allows no action that `other` does not allow. False if in doubt.
    func isNarrower(than other: Rule) -> Bool {
        contract == other.contract && (other.action == action || other.action == nil && !needsName)
            && (!allowsUnknownProposal || other.allowsUnknownProposal)
            && (!allowsGivenABI || other.allowsGivenABI)
            && (!allowsBlind || other.allowsBlind)
            && isAuthorizationNarrower(than: other)
            && other.fields.allSatisfy { condition in
                fields.contains { $0.pointer == condition.pointer && $0.isNarrower(than: condition) }
            }
    }

    /// True if `*` does not include the action.
    private var needsName: Bool { action.map { Self.namedOnly.contains($0.text) } ?? false }

    private func isAuthorizationNarrower(than other: Rule) -> Bool {
        if other.authorization.isEmpty {
            return authorization.allSatisfy { $0.isNarrower(than: .anyButOwner) }
        }
        return !authorization.isEmpty
            && authorization.allSatisfy { pattern in
                other.authorization.contains { pattern.isNarrower(than: $0) }
            }
    }
}

extension FieldCondition {
    /// True if each test of `other` is implied by a test of this condition. False if in doubt.
    fileprivate func isNarrower(than other: FieldCondition) -> Bool {
        other.tests.allSatisfy { test in tests.contains { $0.implies(test) } }
    }
}

extension FieldTest {
    fileprivate func implies(_ other: FieldTest) -> Bool {
        switch (self, other) {
        case (.equals(let text), _): return other.holds(for: text)
        case (.oneOf(let texts, _), _): return texts.allSatisfy(other.holds)
        case (.prefix(let longer), .prefix(let prefix)): return longer.utf8.starts(with: prefix.utf8)
        // Bytes are compared: Swift compares strings by canonical equivalence.
        case (.pattern(let pattern), .pattern(let other)): return pattern.parts == other.parts
        case (.min(let bound), .min), (.max(let bound), .max): return other.holds(for: bound.text)
        default: return false
        }
    }
}

extension DeclaredAmount {
    fileprivate func isSameField(as other: DeclaredAmount) -> Bool {
        contract == other.contract && action == other.action && amount == other.amount
    }
}

extension Limit {
    /// True if `other` denies whatever this limit denies. False if in doubt.
    fileprivate func isImplied(by other: Limit) -> Bool {
        guard period == other.period, measure.token == other.measure.token,
            measure.name == other.measure.name,
            measure.limit >= other.measure.limit
        else { return false }
        // A limit of all recipients together is also one for each of them.
        return isForEachRecipient || !other.isForEachRecipient
    }
}
