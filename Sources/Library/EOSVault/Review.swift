import ABICodec
import Glibc
import JSON
import KeyVault
import Keys
import Messages
import Policy
package import Signing
import Transactions

/// The contents of a transaction that keys of a vault are to sign.
///
/// Show all of it: the chain, the actions, the payments, the warnings and the step of the clock.
/// Then ``accepted(by:)`` decides, and ``UnlockedVault/sign(_:)`` signs.
public struct Review: Sendable {
    package let request: Signing.SigningRequest
    private let policies: PolicyLedger

    /// The time of the review, for warnings about the expiration: seconds since 1970.
    private let time: Int64

    init(
        _ transaction: Antelope.Transaction, for chain: Antelope.ChainID, keys: [String],
        abis: [Antelope.Name: [UInt8]], in vault: KeyVault.Vault
    ) throws(EOSError) {
        let time = Int64(Glibc.time(nil))
        self.time = time
        var contracts = Transactions.ContractABIs(
            pins: try reporting { () throws(VaultError) in try vault.unverifiedPins(of: chain.value) })
        for (account, contents) in abis.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            _ = try reporting { () throws(TransactionError) in
                try contracts.add(contents, for: account.value)
            }
        }
        let all = try reporting { () throws(VaultError) in try vault.unverifiedKeys() }
        let chosen = try Self.chosen(keys, among: all, in: vault)
        let policies = try reporting { () throws(VaultError) in
            try vault.unverifiedPolicies(of: chosen.map(\.publicKey), at: time)
        }
        self.policies = policies
        let blind = policies.blindActions(for: chosen.map(\.publicKey))
        var review = try reporting { () throws(SigningError) in
            try Signing.Review(of: transaction.value, chain: chain.value, abis: contracts, blind: Set(blind))
        }
        try reporting { () throws(VaultError) in
            try vault.complete(&review, signedBy: chosen, ChainNames(vault.unverifiedNamedChains()))
        }
        request = try reporting { () throws(SigningError) in
            try Signing.SigningRequest(review, keys: chosen, own: OwnKeys(all))
        }
        // A person confirms what the review shows: the same policies, at the same time.
        clockStep = (try? request.authorize(policies))?.clockStep.map(Int.init)
    }

    private static func chosen(
        _ texts: [String], among all: [KeyDescription], in vault: KeyVault.Vault
    ) throws(EOSError) -> [ChosenKey] {
        do throws(KeyVault.Vault.ChoiceError) {
            return try vault.unverifiedChoice(of: texts, among: all)
        } catch {
            switch error {
            case .unknown: throw EOSError(VaultError.input(.noSuchKey).words)
            case .none: throw EOSError(Words(.noSuchKey, "the vault contains no key"))
            case .several: throw EOSError(Words(.severalKeys))
            case .vault(let error): throw EOSError(error.words)
            }
        }
    }

    private var review: Signing.Review { request.review }

    public var transaction: Antelope.Transaction { Antelope.Transaction(review.transaction) }
    public var chain: Antelope.ChainID { Antelope.ChainID(request.chain) }
    /// The keys that have not signed the transaction, and are to sign it.
    public var keys: [VaultKey] { request.missing.map { VaultKey($0.description) } }
    /// The vault's name for a private chain; nil if the chain is built in or has no name.
    public var chainName: String? { review.chainName }
    /// All actions in their order. If an action contains a transaction, as a proposal does, the
    /// inner actions follow it.
    public var actions: [ReviewedAction] {
        zip(review.allActions, review.executions).map { ReviewedAction($0, $1) }
    }
    /// All payments, in the order of the actions.
    public var payments: [Payment] { review.allPayments.map { Payment($0.payment, $0.execution) } }

    /// Everything unusual, in the order of the actions.
    public var warnings: [Warning] {
        review.warnings(now: time, own: request.own).map { Warning($0) }
    }

    /// The dangers, each once.
    public var dangers: [Danger] { review.dangers(own: request.own).map { Danger($0) } }

    /// The seconds between the vault's last record and the clock, if a policy of the keys depends
    /// on the time and a person must confirm that the clock is right; nil if there is nothing to
    /// confirm, or if a policy refuses the transaction.
    public let clockStep: Int?

    /// True if these keys signed the same transaction before.
    public var wasSignedBefore: Bool { request.wasSignedBefore }

    /// Decides whether the transaction may be signed: by the consent, and by the policies of the
    /// keys. The decision is repeated with the verified policies when the vault signs.
    /// - Throws: `danger-not-allowed`; `policy-rule`, `policy-limit` and other codes that begin
    ///   with `policy`.
    public func accepted(by consent: Consent) throws(EOSError) -> AcceptedReview {
        try reporting { () throws(SigningError) in
            AcceptedReview(request: try request.authorize(policies, consent: consent.value))
        }
    }
}

/// A review that was accepted: what ``UnlockedVault/sign(_:)`` signs.
public struct AcceptedReview: Sendable {
    package let request: AuthorizedRequest
}

/// When an action of a review runs.
public enum Execution: Sendable {
    /// It is an action of the transaction itself.
    case direct
    /// It is in a nested transaction that runs with this one, such as a proposal that this one
    /// executes.
    case executed
    /// It is in a proposal, which runs later if it is approved.
    case proposed

    init(_ execution: Signing.Execution) {
        self =
            switch execution {
            case .direct: .direct
            case .executed: .executed
            case .proposed: .proposed
            }
    }
}

/// An action in a review.
public struct ReviewedAction: Sendable {
    public let action: Antelope.Action
    /// The decoded data as JSON, in the ABI's order; nil for an action that a policy allows to be
    /// signed as bytes.
    public let fields: String?
    /// The place in the transaction, such as `actions[0].inner.actions[2]`.
    public let place: String
    public let execution: Execution
    /// The origin of the ABI that decoded the data; nil for an action that is signed as bytes.
    public let abi: ABISource?
    /// The transaction in the data, or the proposal that the action executes: its id is the hash
    /// that an approval states. Its actions follow this one.
    public let inner: Antelope.Transaction?

    init(_ action: Signing.ReviewedAction, _ execution: Signing.Execution) {
        self.action = Antelope.Action(action.action)
        fields = action.value?.json.text()
        place = action.reference.path
        self.execution = Execution(execution)
        abi = if case .decoded(let source) = action.content { ABISource(source) } else { nil }
        inner = action.nested.map { Antelope.Transaction($0.transaction) }
    }
}

/// The origin of an ABI.
public enum ABISource: Sendable {
    /// A parameter of ``Vault/review(_:for:keys:abis:)``: only as trustworthy as its origin.
    case given
    /// The vault pins it.
    case pinned
    /// It is built in.
    case builtIn
    /// It is built in, an earlier ABI of the contract.
    case builtInOlder

    init(_ source: Transactions.ContractABIs.Source) {
        self =
            switch source {
            case .given: .given
            case .pinned: .pinned
            case .builtIn: .builtIn
            case .builtInOlder: .builtInOlder
            }
    }
}

/// A movement of tokens that a transaction makes.
public struct Payment: Sendable {
    /// What moves the tokens.
    public enum Kind: String, Sendable {
        case transfer
        case stake
        case buyRAM = "buy-ram"
        /// The quantity is the most that the action may cost.
        case powerUp = "power-up"
        /// The token is exchanged for another one, for the recipient.
        case exchange
        /// Spent for the contract of the action: a bid, REX, RAM that is destroyed.
        case spend
        /// Stake that the payer takes back from the recipient, or moves to REX.
        case unstake
        /// Tokens that come back to the payer: from the REX fund or a loan.
        case withdraw
        /// REX that the payer sells to the contract.
        case sell
        /// New tokens of the contract, which is the payer.
        case issue
        /// Tokens of the payer that no longer exist.
        case retire
    }

    public let kind: Kind
    /// The contract of the token.
    public let contract: Antelope.Name
    public let payer: Antelope.Name
    public let recipient: Antelope.Name
    /// The account or name that benefits from the tokens, if it is not the recipient: the account
    /// that gets CPU or RAM, the name that is bid for.
    public let beneficiary: Antelope.Name?
    public let quantity: Antelope.Asset
    public let memo: String
    public let execution: Execution

    init(_ payment: Transactions.Payment, _ execution: Signing.Execution) {
        kind = Kind(payment.kind)
        contract = Antelope.Name(payment.contract)
        payer = Antelope.Name(payment.payer)
        recipient = Antelope.Name(payment.recipient)
        beneficiary = payment.beneficiary.map { Antelope.Name($0) }
        quantity = Antelope.Asset(payment.quantity)
        memo = payment.memo
        self.execution = Execution(execution)
    }
}

extension Payment.Kind {
    fileprivate init(_ kind: Transactions.Payment.Kind) {
        self =
            switch kind {
            case .transfer: .transfer
            case .stake: .stake
            case .buyRAM: .buyRAM
            case .powerUp: .powerUp
            case .exchange: .exchange
            case .spend: .spend
            case .unstake: .unstake
            case .withdraw: .withdraw
            case .sell: .sell
            case .issue: .issue
            case .retire: .retire
            }
    }
}

/// Something unusual in a transaction.
public struct Warning: Sendable {
    /// Lower case, with hyphens. `eosvault codes` lists all. A code never changes.
    public let code: String
    /// One sentence for the person who is about to sign.
    public let message: String
    /// The place of the action that it is about, as in ``ReviewedAction/place``; nil if it is about
    /// the whole transaction.
    public let place: String?
    /// The danger that the warning is; nil for one that needs no consent.
    public let danger: Danger?

    init(_ warning: Signing.Warning) {
        code = warning.code.rawValue
        message = warning.text
        place = warning.action?.path
        danger = Signing.Danger(warning).map { Danger($0) }
    }
}

/// A warning that must be accepted by its name: it may cost an account.
public struct Danger: Hashable, Sendable {
    /// The code of the warning.
    public let code: String
    /// The account, or `ACCOUNT::ACTION` of an action that is signed as bytes. Let a person type
    /// it.
    public let subject: String

    public init(code: String, subject: String) { (self.code, self.subject) = (code, subject) }

    init(_ danger: Signing.Danger) { self.init(code: danger.code.rawValue, subject: danger.subject) }
}

/// Who accepts a transaction.
public enum Consent: Sendable {
    /// A person has read the review, with its ``Review/clockStep``, and accepted each of these
    /// dangers. If a policy requires a confirmation, only this consent gives it.
    case person(accepting: [Danger])
    /// The app decides without a person, and accepts these dangers.
    case program(accepting: [Danger])
    /// Only the policies of the keys decide: a key without a policy signs nothing.
    case policies

    fileprivate var value: any Signing.Consent {
        switch self {
        case .person(let dangers): NamedDangers(accepted: Set(dangers), isAsked: true)
        case .program(let dangers): NamedDangers(accepted: Set(dangers), isAsked: false)
        case .policies: PolicyConsent()
        }
    }
}

/// A person or a program that accepted dangers by their names.
private struct NamedDangers: Signing.Consent {
    let accepted: Set<Danger>
    let isAsked: Bool

    func refused(_ dangers: [Signing.Danger]) -> [Signing.Danger] {
        dangers.filter { !accepted.contains(Danger($0)) }
    }

    func refusedActions(of review: Signing.Review, byPolicies: Bool) -> [ActionPattern] { [] }
}
