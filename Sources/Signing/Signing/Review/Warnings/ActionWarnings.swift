import ABICodec
import Policy
import Transactions

/// Finds the warnings about one action: about its authorizations, and about the changes that its
/// data makes.
struct ActionWarnings {
    /// The data that all actions of a review are compared with.
    final class Context {
        let tokens: ChainTokens
        let own: OwnKeys?
        /// The accounts in the transaction.
        let accounts: AccountNames

        init(tokens: ChainTokens, own: OwnKeys?, accounts: AccountNames) {
            (self.tokens, self.own, self.accounts) = (tokens, own, accounts)
        }
    }

    let reviewed: ReviewedAction
    let context: Context

    var reference: ActionReference { reviewed.reference }

    /// - Parameter payments: The payments of the action.
    func append(paying payments: ArraySlice<ExecutedActions.Paid>, to warnings: inout [Warning]) {
        if reviewed.value == nil { warnings.append(.blind(reference)) }
        appendAuthorizations(to: &warnings)
        guard let value = reviewed.value else { return }
        if reviewed.nullKeyCount > 0 { warnings.append(.nullKey(reference)) }
        appendNesting(value, to: &warnings)
        for (payment, _, _) in payments { append(payment, to: &warnings) }
        for account in reviewed.otherRecipients { appendLookAlike(account, to: &warnings) }
        for change in reviewed.changes { warnings += self.change(change) }
        for change in reviewed.authorityChanges { warnings += authority(change) }
        appendDevelopmentKey(value, to: &warnings)
        if isMisunderstood(value) { warnings.append(.blind(reference)) }
        if SystemContract.has(reviewed.action.account) { warnings += system(value) }
    }

    /// The actions whose effect does not depend on an ABI: nodes and eosio.msig read fixed fields.
    private static let understood: Set<String> = [
        "newaccount", "newaccount2", "updateauth", "deleteauth", "linkauth", "unlinkauth", "setcode",
        "setabi",
        "setpriv",
    ]

    /// True if a pinned or overriding ABI has other fields than such an action, so that the data
    /// was decoded but its effect is not known.
    private func isMisunderstood(_ value: TypedValue) -> Bool {
        let action = reviewed.action
        if SystemContract.has(action.account), Self.understood.contains(action.name.text) {
            let setsAuthority = ["newaccount", "newaccount2", "updateauth"].contains(action.name.text)
            return reviewed.changes.isEmpty || (setsAuthority && reviewed.authorityChanges.isEmpty)
        }
        return action.account == .multisig && action.name == .approve
            && ProposalApproval.find(in: action, value) == nil
    }
}

extension Warning {
    static func blind(_ action: ActionReference) -> Warning {
        Warning(
            .blind, .action(action),
            text: "\(action.text) can't be decoded: you would sign it without seeing what it does; "
                + "it can do anything that its authorizations can do")
    }

    /// The data contains an all-zero public key. No one can sign with it.
    static func nullKey(_ action: ActionReference) -> Warning {
        Warning(
            .nullKey, .action(action),
            text:
                "\(action.text) contains the all-zero public key: no one has its private key, so it can never sign"
        )
    }
}
