import ABICodec
import JSON
import Keys
import Messages
import Policy
import Transactions

// Warnings about payments and their recipients.

extension Warning {
    static func otherToken(
        _ action: ActionReference, _ symbol: Symbol, contract: Name, known: KnownToken
    ) -> Warning {
        Warning(
            .otherToken, .action(action),
            [
                .string(symbol.text), .string(contract.text), .string(known.symbol.text),
                .string(known.contract.text),
            ],
            text: contract == known.contract
                ? "\(symbol.code.text) has \(symbol.precision) decimals here, but the chain's known token of "
                    + "\(contract.text) has \(known.symbol.precision)"
                : "\(symbol.code.text) of \(contract.text) is another token than the chain's known "
                    + "\(known.symbol.code.text) of \(known.contract.text)")
    }

    static func payerAbsent(_ action: ActionReference, _ payer: Name) -> Warning {
        Warning(
            .payerAbsent, .action(action, account: payer), [.string(payer.text)],
            text: "\(payer.text) does not authorize this payment: token contracts should refuse it")
    }

    static func invalidAmount(_ action: ActionReference, isZero: Bool) -> Warning {
        Warning(
            .invalidAmount, .action(action),
            text: isZero ? "the amount is 0" : "the amount is negative: token contracts refuse it")
    }

    static func emptyRecipient(_ action: ActionReference) -> Warning {
        Warning(
            .emptyRecipient, .action(action), text: "the recipient is the empty name: no account has it")
    }

    static func tokensDestroyed(_ action: ActionReference) -> Warning {
        Warning(
            .tokensDestroyed, .action(action),
            text: "\(action.text) destroys tokens or donates them: they never come back")
    }

    static func exchange(_ action: ActionReference) -> Warning {
        Warning(.exchange, .action(action), text: "core.vaulta exchanges EOS and A, one for the other")
    }

    /// People paste the wrong text into a field. Nobody can remove it from a chain.
    static func memoPrivateKey(_ action: ActionReference, payer: Name) -> Warning {
        Warning(
            .memoPrivateKey, .action(action, account: payer),
            text: "the memo contains a private key: everyone can read it on the chain and use the key")
    }

    static func systemRecipient(_ action: ActionReference, _ account: Name) -> Warning {
        Warning(
            .systemRecipient, .action(action, account: account), [.string(account.text)],
            text: "\(account.text) is a system account or the token's contract: tokens sent to it may be lost"
        )
    }

    static func lookAlikeAccount(_ action: ActionReference, _ account: Name, imitated: Name) -> Warning {
        Warning(
            .lookAlikeAccount, .action(action, account: account),
            [.string(account.text), .string(imitated.text)],
            text: "\(account.text) is not \(imitated.text), but its name looks similar")
    }

    static func outlier(_ action: ActionReference, _ quantity: Asset, recipient: Name) -> Warning {
        Warning(
            .outlier, .action(action, account: recipient), [.string(quantity.text), .string(recipient.text)],
            text: "pays \(Amount.text(quantity)) to \(recipient.text), more than all other payments together")
    }
}

extension ActionWarnings {
    /// No text of a private key is shorter, so most memos are not searched.
    private static let shortestKeyText = 40

    func append(_ payment: Payment, to warnings: inout [Warning]) {
        let symbol = payment.quantity.symbol
        if !context.tokens.isKnown(symbol, at: payment.contract),
            let known = context.tokens.newest(symbol.code)
        {
            warnings.append(.otherToken(reference, symbol, contract: payment.contract, known: known))
        }
        if !payment.isAuthorized, !reviewed.action.authorization.isEmpty {
            warnings.append(.payerAbsent(reference, payment.payer))
        }
        if payment.quantity.amount <= 0 {
            warnings.append(.invalidAmount(reference, isZero: payment.quantity.amount == 0))
        }
        if payment.recipient.rawValue == 0 { warnings.append(.emptyRecipient(reference)) }
        appendLookAlike(payment.recipient, to: &warnings)
        if payment.memo.utf8.count >= Self.shortestKeyText, holdsPrivateKey(payment.memo) {
            warnings.append(.memoPrivateKey(reference, payer: payment.payer))
        }
        if payment.kind == .retire { warnings.append(.tokensDestroyed(reference)) }
        guard payment.kind == .transfer else { return }
        if payment.recipient == .coreVaulta, context.tokens.isExchanged(symbol, of: payment.contract) {
            warnings.append(.exchange(reference))
        } else if SystemContract.isSystemAccount(payment.recipient) || payment.recipient == payment.contract {
            warnings.append(.systemRecipient(reference, payment.recipient))
        }
    }

    func appendLookAlike(_ account: Name, to warnings: inout [Warning]) {
        guard let imitated = context.accounts.imitated(by: account) else { return }
        warnings.append(.lookAlikeAccount(reference, account, imitated: imitated))
    }
}

extension Review {
    /// Payments that are more than all others of the same token and payer together. With two
    /// payments one is always greater, so they are not compared.
    var outliers: [Warning] {
        struct Group: Hashable {
            let contract, payer: Name
            let symbol: Symbol
            let execution: Execution
        }
        guard executed.payments.count > 2 else { return [] }
        var groups = Collected<Group, (count: Int, sum: Int128, greatest: Payment, action: Int)>()
        for (payment, execution, action) in executed.payments
        where payment.kind == .transfer && payment.quantity.amount > 0 {
            let group = Group(
                contract: payment.contract, payer: payment.payer, symbol: payment.quantity.symbol,
                execution: execution)
            groups.update(group, (0, 0, payment, action)) { known in
                known.count += 1
                known.sum += Int128(payment.quantity.amount)
                if payment.quantity.amount > known.greatest.quantity.amount {
                    (known.greatest, known.action) = (payment, action)
                }
            }
        }
        return groups.values.compactMap { count, sum, payment, action in
            guard count > 2, 2 * Int128(payment.quantity.amount) > sum else { return nil }
            return .outlier(
                executed.actions[action].reference, payment.quantity, recipient: payment.recipient)
        }
    }
}
