import ABICodec
import Keys
import Policy
import Signing
import Transactions

/// The verdict on a transaction: the first bytes choose a policy and a history, the rest is the
/// packed transaction. What is allowed stays within the limits, and counts once.
public enum PolicyVerdictLaw: Law {
    public static let name = "PolicyVerdict"
    private static let chain = Chain.all.first.flatMap { try? ChainID($0.id) }

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let transactions = try ReviewLaw.seeds(vectors)
        return transactions.enumerated().map { index, transaction in
            [UInt8(index % 256), UInt8(index * 7 % 256)] + transaction
        }
    }

    private static let policies: [KeyPolicy] = PolicyLaw.samples.compactMap {
        try? KeyPolicy(Array(#"{"version":1,"chains":["eos"],\#($0)}"#.utf8))
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        guard input.count > 2, let transaction = try? SignedTransaction(packed: Array(input[2...])) else {
            return
        }
        let actions = transaction.transaction.contextFreeActions + transaction.transaction.actions
        let blind = Set(actions.compactMap { ActionPattern("\($0.account.text)::\($0.name.text)") })
        guard
            let review = try? Review(of: transaction, chain: chain, abis: ContractABIs(), blind: blind),
            let request = review.policyRequest
        else { return }
        let policy = policies[Int(input[0]) % policies.count]
        let clock = 1_796_083_200 as UInt32
        var uses = policy.adopt(LimitUses())
        uses.add(entries(count: Int(input[1]), at: clock))
        guard
            case .allowed(let allowance) = policy.evaluate(
                request, uses: uses, clock: clock, last: clock, restored: nil)
        else {
            return
        }
        try law(
            request.isIdentity || allowance.rules.count == review.allActions.count, "each action has a rule")
        try law(review.allActions.allSatisfy { $0.value != nil }, "what is not decoded is denied")
        // An earlier clock does not free anything.
        let back = policy.evaluate(request, uses: uses, clock: 0, last: clock, restored: nil)
        try law(back == .allowed(allowance), "the clock before the last record changes nothing")
        // The same transaction again, before it expires: it is allowed and counts nothing.
        guard request.expiration.seconds >= clock else { return }
        uses.add(allowance.entries)
        let again = policy.evaluate(request, uses: uses, clock: clock, last: clock, restored: nil)
        guard case .allowed(let second) = again else {
            throw LawBroken(description: "the same transaction is allowed again")
        }
        try law(allowance.entries.isEmpty || second.entries.isEmpty, "the same transaction counts once")
    }

    private static func entries(count: Int, at clock: UInt32) -> [PolicyEntry] {
        (0..<count).reversed().map { number in
            PolicyEntry(
                time: clock - UInt32(number * 400), transaction: [UInt8](repeating: UInt8(number), count: 32),
                expiration: clock, token: Token("4,EOS@eosio.token"), recipient: nil, amount: UInt64(number),
                count: 1)
        }
    }
}
