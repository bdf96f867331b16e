import ABICodec

/// Tokens that an action moves or spends.
package struct Payment: Equatable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case transfer
        case stake
        case buyRAM = "buy-ram"
        /// The amount is the most that the action may cost.
        case powerUp = "power-up"
        /// core.vaulta exchanges the token for its recipient.
        case exchange
        /// Spent for the contract of the action: a bid, REX, RAM that is destroyed.
        case spend
        /// Stake that its owner, the payer, takes back from the recipient, or moves to REX.
        case unstake
        /// Tokens that come back to the payer: from the REX fund or a loan.
        case withdraw
        /// REX that the payer sells to the contract.
        case sell
        /// New tokens of a contract, which is the payer.
        case issue
        /// Tokens of the payer, the issuer, that no longer exist.
        case retire
    }

    package let kind: Kind
    /// The contract that keeps the balances of the token.
    package let contract: Name
    package let quantity: Asset
    package let payer: Name
    package let recipient: Name
    /// Who or what gets the use of the tokens, if it is not the recipient: the account that gets
    /// CPU or RAM, the name that is bid for.
    package let beneficiary: Name?
    /// The text of the payment; empty for none.
    package let memo: String
    /// True if the payer authorizes the action. Token contracts refuse a payment without.
    package let isAuthorized: Bool

    private init(
        kind: Kind, contract: Name, quantity: Asset, payer: Name, recipient: Name,
        for beneficiary: Name? = nil,
        memo: TypedValue?, of action: Action
    ) {
        self.memo = if case .text(let text) = memo { text } else { "" }
        (self.kind, self.contract, self.quantity) = (kind, contract, quantity)
        (self.payer, self.recipient, self.beneficiary) = (payer, recipient, beneficiary)
        // A contract issues tokens when their issuer asks for it.
        isAuthorized = kind == .issue || action.authorization.contains { $0.actor == payer }
    }

    /// The payments of an action. A transfer is recognised by its fields at any contract, because
    /// every token contract has this action.
    package static func all(in action: Action, _ value: TypedValue) -> [Payment] {
        var payments: [Payment] = []
        forEach(in: action, value) { payments.append($0) }
        return payments
    }

    /// Calls `body` for each payment of an action. A transfer, the most frequent action, needs no
    /// list.
    package static func forEach(in action: Action, _ value: TypedValue, _ body: (Payment) -> Void) {
        if action.name == .transfer {
            Payment(.transfer, of: action.account, value, "from", "to", "quantity", in: action).map(body)
        } else if value.fields != nil {
            others(in: action, value).forEach(body)
        }
    }

    /// - Returns: nil if the value has no such fields.
    private init?(
        _ kind: Kind, of contract: Name, _ value: TypedValue, _ payer: String, _ recipient: String,
        _ quantity: String, in action: Action
    ) {
        guard let payer = value[payer]?.name, let recipient = value[recipient]?.name,
            let quantity = value[quantity]?.asset
        else { return nil }
        self.init(
            kind: kind, contract: contract, quantity: quantity, payer: payer, recipient: recipient,
            memo: value["memo"], of: action)
    }

    private static func others(in action: Action, _ value: TypedValue) -> [Payment] {
        func payment(_ kind: Kind, _ contract: Name, _ payer: String, _ recipient: String, _ quantity: String)
            -> [Payment]
        {
            Payment(kind, of: contract, value, payer, recipient, quantity, in: action).map { [$0] } ?? []
        }
        switch action.name.text {
        case "swapto" where action.account == .coreVaulta:
            // core.vaulta takes EOS from the balance at eosio.token.
            let isEOS = value["quantity"]?.asset?.symbol.code.text == "EOS"
            let contract = isEOS ? .token : action.account
            return payment(.exchange, contract, "from", "to", "quantity")
        case "delegatebw" where SystemContract.has(action.account):
            return ["stake_net_quantity", "stake_cpu_quantity"]
                .flatMap { payment(.stake, systemToken(of: action), "from", "receiver", $0) }
                .filter { $0.quantity.amount != 0 }
        case "buyram" where SystemContract.has(action.account):
            return payment(.buyRAM, systemToken(of: action), "payer", "receiver", "quant")
        case "powerup" where SystemContract.has(action.account):
            return payment(.powerUp, systemToken(of: action), "payer", "receiver", "max_payment")
        case "issue", "retire": return supply(of: action, value)
        default: return own(action, value)
        }
    }

    /// A change of the supply of a token, recognised by its fields at any contract.
    private static func supply(of action: Action, _ value: TypedValue) -> [Payment] {
        guard let quantity = value["quantity"]?.asset else { return [] }
        let (token, isIssue) = (action.account, action.name.text == "issue")
        // `retire` has no account in its data: its issuer authorizes it (eosio.token.cpp,
        // `token::retire`).
        guard let account = isIssue ? value["to"]?.name : action.authorization.first?.actor else { return [] }
        return [
            Payment(
                kind: isIssue ? .issue : .retire, contract: token, quantity: quantity,
                payer: isIssue ? token : account, recipient: isIssue ? account : token, memo: value["memo"],
                of: action)
        ]
    }

    /// The payments of an action of a system contract between an account and the contract.
    private static func own(_ action: Action, _ value: TypedValue) -> [Payment] {
        guard SystemContract.has(action.account), let own = own[action.name.text],
            let payer = own.payer.compactMap({ value[$0]?.name }).first
        else { return [] }
        return own.amounts.compactMap { field in
            guard let quantity = value[field]?.asset, quantity.amount != 0 else { return nil }
            return Payment(
                kind: own.kind, contract: own.kind == .sell ? action.account : systemToken(of: action),
                quantity: quantity, payer: payer,
                recipient: own.kind == .unstake ? value["receiver"]?.name ?? action.account : action.account,
                for: own.beneficiary.flatMap { value[$0]?.name }, memo: value["memo"], of: action)
        }
    }

    private struct Own {
        let kind: Kind
        /// The field of the payer: the first one that the ABI has.
        let payer: [String]
        let amounts: [String]
        /// The field of the beneficiary.
        let beneficiary: String?

        init(_ kind: Kind, _ payer: String..., amounts: String..., for beneficiary: String? = nil) {
            (self.kind, self.payer, self.amounts, self.beneficiary) = (kind, payer, amounts, beneficiary)
        }
    }

    /// The actions of the system contracts whose tokens go to no other account, with their fields
    /// in the built-in ABIs.
    private static let own: [String: Own] = [
        "buyramself": Own(.spend, "account", "payer", amounts: "quant"),
        "buyramburn": Own(.spend, "payer", amounts: "quantity"),
        "donatetorex": Own(.spend, "payer", amounts: "quantity"),
        "bidname": Own(.spend, "bidder", amounts: "bid", for: "newname"),
        "buyrex": Own(.spend, "from", amounts: "amount"), "deposit": Own(.spend, "owner", amounts: "amount"),
        "rentcpu": Own(.spend, "from", amounts: "loan_payment", "loan_fund", for: "receiver"),
        "rentnet": Own(.spend, "from", amounts: "loan_payment", "loan_fund", for: "receiver"),
        "fundcpuloan": Own(.spend, "from", amounts: "payment"),
        "fundnetloan": Own(.spend, "from", amounts: "payment"),
        "undelegatebw": Own(.unstake, "from", amounts: "unstake_net_quantity", "unstake_cpu_quantity"),
        "unstaketorex": Own(.unstake, "owner", amounts: "from_net", "from_cpu"),
        "withdraw": Own(.withdraw, "owner", amounts: "amount"),
        "defcpuloan": Own(.withdraw, "from", amounts: "amount"),
        "defnetloan": Own(.withdraw, "from", amounts: "amount"),
        "sellrex": Own(.sell, "from", amounts: "rex"),
    ]

    /// The contract that keeps the balance of the token that a system contract takes: core.vaulta
    /// takes its own token, eosio the token of eosio.token.
    private static func systemToken(of action: Action) -> Name {
        action.account == .eosio ? .token : action.account
    }
}
