import ABICodec
import Keys
import Transactions

/// The transactions that a key may sign. Everything that no rule allows is denied.
package struct KeyPolicy: Equatable, Sendable {
    /// Not empty.
    package let chains: [ChainID]
    package let allowsIdentity: Bool
    package let conditions: TransactionConditions
    /// The codes of the warnings that deny a signature, in the order of the file.
    package let refusedWarnings: [String]
    package let rules: [Rule]
    package let amounts: [DeclaredAmount]
    package let limits: [Limit]

    /// The bytes that are stored. `init(_:)` reads them back to an equal policy, whose places are
    /// lines of this text.
    package let canonical: [UInt8]
    /// The places of the rules, amounts and limits in the text that was read.
    package let places: (rules: [TextPlace], amounts: [TextPlace], limits: [TextPlace])

    /// The rules of each contract, in the order of the file.
    let rulesByContract: [Name: [Int]]
    /// The series that the rolling limits sum. Each occurs once.
    let series: [LimitSeries]
    /// The declared amounts of each action. Amounts of one field, with several tokens, are
    /// together.
    let amountsByAction: [ActionKey: [[Int]]]
    /// The rules that allow an action with data that can't be decoded, in the order of the file.
    package let blindRules: [ActionKey: [Int]]

    package struct ActionKey: Hashable, Sendable {
        package let contract, action: Name
    }

    /// In bytes.
    package static let maximumSize = 1 << 20
    package static let maximumRuleCount = 10_000
    package static let maximumLimitCount = 1_000
    /// A longer step of the clock, in seconds, needs a confirmation if the policy depends on the
    /// clock. A signature each day needs none. The window of 24 hours is shorter, so such a step
    /// frees it.
    package static let maximumClockStep: UInt32 = 25 * 3_600

    /// True if the policy allows more at another time: it has rolling limits or `hours`.
    var dependsOnClock: Bool { !series.isEmpty || conditions.hours != nil }

    init(
        chains: [ChainID], allowsIdentity: Bool, conditions: TransactionConditions, refusedWarnings: [String],
        rules: [Rule], amounts: [DeclaredAmount], limits: [Limit],
        places: (rules: [TextPlace], amounts: [TextPlace], limits: [TextPlace])
    ) {
        (self.chains, self.allowsIdentity, self.conditions) = (chains, allowsIdentity, conditions)
        self.refusedWarnings = refusedWarnings
        (self.rules, self.amounts, self.limits, self.places) = (rules, amounts, limits, places)
        rulesByContract = Dictionary(grouping: rules.indices) { rules[$0].contract }
        var known: Set<LimitSeries> = []
        series = limits.compactMap { LimitSeries($0) }.filter { known.insert($0).inserted }
        amountsByAction = Dictionary(grouping: amounts.indices) {
            ActionKey(contract: amounts[$0].contract, action: amounts[$0].action)
        }.mapValues { list in
            let groups = Dictionary(grouping: list) { amounts[$0].amount }.values
            return groups.sorted { $0[0] < $1[0] }
        }
        blindRules = rules.indices.reduce(into: [:]) { found, index in
            guard rules[index].allowsBlind, let action = rules[index].action else { return }
            found[ActionKey(contract: rules[index].contract, action: action), default: []].append(index)
        }
        canonical = CanonicalPolicy.bytes(
            chains, allowsIdentity, conditions, refusedWarnings, rules, amounts, limits)
    }

    /// A key's uses, for the limits of this policy.
    /// - Parameter uses: the key's uses under any policy.
    package func adopt(_ uses: LimitUses) -> LimitUses { uses.adopted(for: series) }

    package static func == (left: KeyPolicy, right: KeyPolicy) -> Bool { left.canonical == right.canonical }
}

extension KeyPolicy.ActionKey {
    init(_ action: Action) { self.init(contract: action.account, action: action.name) }
}

/// The conditions for the transaction itself.
package struct TransactionConditions: Hashable, Sendable {
    /// The longest time until the transaction expires, in seconds.
    package var maximumExpiration: UInt32?
    /// The greatest number of actions, including actions of nested transactions.
    package var maximumActionCount: UInt32?
    package var hours: WeekHours?
    /// True if a person confirms each signature.
    package var alwaysConfirms = false
    /// The key that signs before.
    package var firstCosigner: PublicKey?
    /// True if the rules also apply to context-free actions. Otherwise all of them are denied.
    package var allowsContextFreeActions = false
}
