import ABICodec
import Transactions

/// The effect of an action of a built-in contract, other than moving tokens (``Payment``) and
/// changing who controls an account.
package struct ActionEffect: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        // RAM
        case buyRAMBytes = "buy-ram-bytes"
        case sendRAM = "send-ram"
        case giveRAM = "give-ram"
        case returnRAM = "return-ram"
        case sellRAM = "sell-ram"
        case destroyRAM = "destroy-ram"
        // votes and block production
        case vote
        case voteByProxy = "vote-by-proxy"
        case updateVote = "update-vote"
        case setProxy = "set-proxy"
        case registerProducer = "register-producer"
        case unregisterProducer = "unregister-producer"
        case claimRewards = "claim-rewards"
        case registerFinalizer = "register-finalizer"
        case activateFinalizer = "activate-finalizer"
        case deleteFinalizer = "delete-finalizer"
        case registerPeer = "register-peer"
        case deletePeer = "delete-peer"
        // tokens whose amount is not in the data
        case refund
        case refundBid = "refund-bid"
        case lockREX = "lock-rex"
        case unlockREX = "unlock-rex"
        case updateREX = "update-rex"
        case cancelREXOrder = "cancel-rex-order"
        case exchangeExcess = "exchange-excess"
        case blockExchanges = "block-exchanges"
        case openBalance = "open-balance"
        case closeBalance = "close-balance"
        case createToken = "create-token"
        // proposals
        case propose
        case approve
        case unapprove
        case cancelProposal = "cancel-proposal"
        case execute
        case invalidateApprovals = "invalidate-approvals"
        case runInner = "run-inner"
        case cancelDelayed = "cancel-delayed"
        // the system
        case process
        case limitPermissions = "limit-permissions"
        case changeResources = "change-resources"
        case changeSystem = "change-system"
    }

    package let kind: Kind
    /// The account that gets something, or whose proposal it is.
    package let receiver: Name?
    /// The other values in the row: keys, names, amounts.
    package let details: [TypedValue]

    package static func == (left: ActionEffect, right: ActionEffect) -> Bool {
        (left.kind, left.receiver) == (right.kind, right.receiver) && left.details == right.details
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(receiver)
        hasher.combine(details.count)
    }
}

extension ActionEffect {
    /// Which fields of an action state its effect. Of several names, the first one that the ABI has
    /// counts: the contracts name some fields differently.
    struct Fields: Sendable {
        let kind: Kind
        /// The account that acts. Without one, it is the account that authorizes the action.
        fileprivate let account: [String]
        fileprivate let receiver: [String]
        /// The number of bytes.
        fileprivate let amount: [String]
        fileprivate let details: [String]

        init(
            _ kind: Kind, _ account: String..., to receiver: [String] = [], amount: [String] = [],
            details: [String] = []
        ) {
            (self.kind, self.account, self.receiver) = (kind, account, receiver)
            (self.amount, self.details) = (amount, details)
        }
    }

    /// The effect of an action, with its account and its number of bytes.
    static func change(of action: Action, _ value: TypedValue) -> AccountChange? {
        guard let fields = fields(of: action, value) else { return nil }
        func first(_ names: [String]) -> TypedValue? { names.compactMap { value[$0] }.first }
        let account =
            first(fields.account)?.name ?? value["level"]?.level?.actor ?? action.authorization.first?.actor
            ?? action.account
        // The action itself states these effects.
        let isNamed = [.changeSystem, .changeResources, .process, .updateREX].contains(fields.kind)
        let details = isNamed ? [.name(action.name)] : fields.details.compactMap { value[$0] }
        let effect = ActionEffect(kind: fields.kind, receiver: first(fields.receiver)?.name, details: details)
        return AccountChange(
            account: account, kind: .effect(effect), amount: first(fields.amount)?.plain.flatMap { Int64($0) }
        )
    }

    private static func fields(of action: Action, _ value: TypedValue) -> Fields? {
        // A transfer is the most frequent action.
        guard action.name != .transfer else { return nil }
        let name = action.name.text
        switch action.account {
        case .eosio, .coreVaulta:
            // A vote for a proxy has no producers, and the other way round.
            if name == "voteproducer", let proxy = value["proxy"]?.name, proxy.rawValue != 0 {
                return Fields(.voteByProxy, "voter", to: ["proxy"])
            }
            return system[name] ?? (action.account == .coreVaulta ? token[name] : nil)
        case .token: return token[name]
        case .multisig: return multisig[name]
        case .wrap: return wrap[name]
        default: return nil
        }
    }

    /// Actions of the built-in contracts that change nothing for anybody: they only record, check
    /// or return a value.
    static let withoutEffect: Set<String> = [
        "denyhashcalc", "enforcebal", "getpeerkeys", "logbuyram", "logramchange", "logsellram",
        "logsystemfee", "noop",
        "reqauth", "swaptrace",
    ]
}

// The actions of the built-in ABIs, in the order of their names.
extension ActionEffect {
    private static let system: [String: Fields] = [
        "actfinkey": Fields(.activateFinalizer, "finalizer_name", details: ["finalizer_key"]),
        "activate": Fields(.changeSystem), "bidrefund": Fields(.refundBid, "bidder", to: ["newname"]),
        "blockswapto": Fields(.blockExchanges, "account", details: ["block"]),
        "buyrambytes": Fields(.buyRAMBytes, "payer", to: ["receiver"], amount: ["bytes"]),
        "canceldelay": Fields(.cancelDelayed, details: ["trx_id"]), "cfgpowerup": Fields(.changeSystem),
        "claimrewards": Fields(.claimRewards, "owner"), "closerex": Fields(.updateREX, "owner"),
        "cnclrexorder": Fields(.cancelREXOrder, "owner"), "consolidate": Fields(.updateREX, "owner"),
        "delfinkey": Fields(.deleteFinalizer, "finalizer_name", details: ["finalizer_key"]),
        "delpeerkey": Fields(.deletePeer, "proposer_finalizer_name", details: ["key"]),
        "delschedule": Fields(.changeSystem), "denyhashadd": Fields(.changeSystem),
        "denyhashrm": Fields(.changeSystem), "denynames": Fields(.changeSystem),
        "execschedule": Fields(.process),
        "giftram": Fields(.giveRAM, "from", to: ["to", "receiver"], amount: ["bytes", "ram_bytes"]),
        "init": Fields(.changeSystem), "limitauthchg": Fields(.limitPermissions, "account"),
        "mvfrsavings": Fields(.unlockREX, "owner", details: ["rex"]),
        "mvtosavings": Fields(.lockREX, "owner", details: ["rex"]), "onblock": Fields(.changeSystem),
        "onerror": Fields(.changeSystem), "powerupexec": Fields(.process),
        "ramburn": Fields(.destroyRAM, "owner", amount: ["bytes"]),
        "ramtransfer": Fields(.sendRAM, "from", to: ["to"], amount: ["bytes"]),
        "refund": Fields(.refund, "owner"),
        "regfinkey": Fields(.registerFinalizer, "finalizer_name", details: ["finalizer_key"]),
        "regpeerkey": Fields(.registerPeer, "proposer_finalizer_name", details: ["key"]),
        "regproducer": Fields(.registerProducer, "producer", details: ["producer_key"]),
        "regproducer2": Fields(.registerProducer, "producer", details: ["producer_authority"]),
        "regproxy": Fields(.setProxy, "proxy", details: ["isproxy"]), "rexexec": Fields(.process),
        "rmvproducer": Fields(.unregisterProducer, "producer"),
        "sellram": Fields(.sellRAM, "account", amount: ["bytes"]),
        "setacctcpu": Fields(.changeResources, "account"), "setacctnet": Fields(.changeResources, "account"),
        "setacctram": Fields(.changeResources, "account"), "setalimits": Fields(.changeResources, "account"),
        "setglimits": Fields(.changeSystem), "setinflation": Fields(.changeSystem),
        "setparams": Fields(.changeSystem),
        "setpayfactor": Fields(.changeSystem), "setprods": Fields(.changeSystem),
        "setram": Fields(.changeSystem),
        "setramrate": Fields(.changeSystem), "setrex": Fields(.changeSystem),
        "setrexmature": Fields(.changeSystem),
        "setschedule": Fields(.changeSystem),
        "swapexcess": Fields(.exchangeExcess, "account", details: ["eos_before"]),
        "switchtosvnn": Fields(.changeSystem), "undenynames": Fields(.changeSystem),
        "ungiftram": Fields(.returnRAM, "from", to: ["to"]),
        "unregprod": Fields(.unregisterProducer, "producer"),
        "unvest": Fields(.changeResources, "account"), "updaterex": Fields(.updateREX, "owner"),
        "updtrevision": Fields(.changeSystem), "voteproducer": Fields(.vote, "voter", details: ["producers"]),
        "voteupdate": Fields(.updateVote, "voter_name"), "wasmcfg": Fields(.changeSystem),
    ]

    private static let token: [String: Fields] = [
        "close": Fields(.closeBalance, "owner", details: ["symbol"]),
        "create": Fields(.createToken, "issuer", details: ["maximum_supply"]),
        "open": Fields(.openBalance, "ram_payer", to: ["owner"], details: ["symbol"]),
    ]

    private static let multisig: [String: Fields] = [
        "approve": Fields(.approve, to: ["proposer"], details: ["proposal_name"]),
        "cancel": Fields(.cancelProposal, "canceler", to: ["proposer"], details: ["proposal_name"]),
        "exec": Fields(.execute, "executer", to: ["proposer"], details: ["proposal_name"]),
        "invalidate": Fields(.invalidateApprovals, "account"),
        "propose": Fields(.propose, "proposer", details: ["proposal_name"]),
        "unapprove": Fields(.unapprove, to: ["proposer"], details: ["proposal_name"]),
    ]

    private static let wrap: [String: Fields] = ["exec": Fields(.runInner, "executer")]
}
