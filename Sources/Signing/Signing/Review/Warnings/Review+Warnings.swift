import ABICodec
import Policy
import Transactions

extension Review {
    /// All warnings, in the order of the actions.
    /// - Parameter own: The keys of the vault; nil if there is none to compare with.
    package func warnings(now: Int64, own: OwnKeys? = nil) -> [Warning] {
        let context = ActionWarnings.Context(
            tokens: ChainTokens(chain), own: own, accounts: AccountNames(in: executed))
        var warnings = headerWarnings(now: now) + abiWarnings + signerWarnings(own)
        let payments = executed.payments
        var next = 0
        for (index, action) in executed.actions.enumerated() {
            // The payments are in the order of their actions.
            let first = next
            while next < payments.count, payments[next].action == index { next += 1 }
            ActionWarnings(reviewed: action, context: context).append(
                paying: payments[first..<next], to: &warnings)
            if let nested = action.nested {
                warnings += nested.headerWarnings(now: now, in: action.reference)
            }
        }
        return warnings + outliers
    }
}
