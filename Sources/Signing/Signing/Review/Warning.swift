import ABICodec
import Keys
import Transactions

/// A fact to know before signing. Its severity decides what it needs: a note and a warning are
/// shown; a danger needs a typed word, or an option that allows it.
package enum Warning: Equatable, Sendable {
    case transaction(TransactionWarning)
    /// The header of the transaction that an action contains or names.
    case nested(ActionReference, TransactionWarning)
    /// A signature of the file, counted from 0.
    case signature(index: Int, SignatureWarning)
    case permission(ActionReference, PermissionLevel, PermissionWarning)
    case action(ActionReference, ActionWarning)
}

/// A warning about the header of a transaction, its chain, or the ABIs that decode it.
package enum TransactionWarning: Equatable, Sendable {
    case expired(secondsAgo: Int64)
    /// The way back to a machine with a network may take longer than this.
    case shortWindow(expiresInSeconds: Int64)
    /// nodeos accepts a transaction at most an hour before its expiration.
    case tooEarly(pushableInSeconds: Int64)
    /// The reference block will be too old before nodes accept the transaction.
    case beyondTAPOS(expiresInSeconds: Int64)
    case noActions
    case delay(seconds: UInt32)
    case extensions(count: Int)
    case limits(netWords: UInt32, cpuMilliseconds: UInt8)
    case contextFreeActions
    /// The only context-free action is a nonce, which makes equal transactions different.
    case nonce
    case contextFreeDataWithoutActions
    case unknownChain
    /// The built-in ABI describes Vaulta's system contract. This chain has another system contract,
    /// or may have one.
    case foreignSystemContract(account: Name)
    /// A given ABI replaces the built-in one and decodes actions differently.
    case abiOverride(ContractABIs.Override)
    /// The sender of the transaction used another ABI: it may have meant something else.
    case senderABI(ContractABIs.Difference)
    /// The data was decoded by a given ABI that is neither built in nor pinned.
    case unpinnedABI(account: Name)
    /// An ABI was given for an account that the transaction does not use.
    case unusedABI(account: Name)
    /// A transaction with the same actions was signed before and can still run.
    case signedBefore(id: String, expiration: TimePointSec)
    /// The summary has no room for so many payers and tokens, and kinds of changes. It depends on
    /// the terminal, so only a text has it.
    case summaryCut(payments: Int, changes: Int)
}

/// A warning about a signature that the file has already.
package enum SignatureWarning: Equatable, Sendable {
    case nonCanonical
    /// No public key can be recovered.
    case unknownSigner
    /// The same key signed twice. nodeos refuses such a transaction.
    case duplicateSigner
    /// The signer's key is not in the vault.
    case foreignSigner(PublicKey)
    /// A key of the vault signed the same transaction for another chain.
    case otherChain(PublicKey, Chain)
}

/// A warning about a permission that an action uses or changes.
package enum PermissionWarning: Equatable, Sendable {
    /// The owner permission authorizes the action.
    case ownerUsed
    case duplicateAuthorization
    /// `eosio.code` authorizes the action.
    case codeAuthorization
    /// A system account authorizes the action.
    case systemAuthorization
    /// The share of the vault is nil if no vault is compared.
    case changed(OwnShare?)
    case deleted
    /// Keys of the new authority that are not in the vault, and what they can do without it.
    case foreignKeys(count: Int, of: Int, AuthorityReach)
    /// Without a vault, keys can't be compared.
    case keysNotCompared
    /// The authority can be satisfied, but no key of the vault is needed for it; or nothing
    /// satisfies it.
    case lockout
    /// Waits alone satisfy the authority: anyone can propose a transaction with this delay.
    case openAfterWait(seconds: UInt32)
    case unreachableThreshold(threshold: UInt32, weights: UInt64)
    /// No verified backup contains a key of the vault that the authority needs.
    case notBackedUp(PublicKey)
    /// The parts of an authority are not in ascending order, occur twice, or a wait is 0.
    case refusedAuthority
    case account(AddedPermission)
    /// The code of a contract can use the permission.
    case code(AddedPermission)
    /// A key whose ends equal those of a key of the vault.
    case lookAlikeKey(String, imitated: PublicKey)
    /// A link of one action.
    case linked(LinkedAction)
    /// A link of all actions of a contract.
    case linkedToAll(contract: Name)
}

/// A permission in a new authority.
package struct AddedPermission: Equatable, Sendable {
    package let level: PermissionLevel
    package let weight: UInt32
    package let threshold: UInt32
    /// What the permission alone can do.
    package let reach: AuthorityReach
}

/// A warning about an action.
package enum ActionWarning: Equatable, Sendable {
    case blind
    /// The data was decoded by an older built-in ABI. The contract that a chain runs today may read
    /// the data differently.
    case olderABI(date: String)
    /// The input has decoded data next to the action's bytes, but no ABI to compare them. The bytes
    /// are signed.
    case uncheckedData
    /// The data contains an all-zero public key. No one can sign with it.
    case nullKey
    case noAuthorization
    case manyAuthorizations(count: Int)
    case unlinked(account: Name)
    /// Every permission of the account may authorize the actions (`eosio.any`).
    case linkedToAny(account: Name, contract: Name)
    case permissionLimits(account: Name)
    case codeChange(account: Name)
    case abiChange(account: Name)
    case privileged(account: Name)
    /// The development key of all chains, whose private key is published, gets authority over an
    /// account or signs its blocks.
    case developmentKey(account: Name)
    /// A token with the name of a known token, but of another contract or precision.
    case otherToken(Symbol, contract: Name, known: KnownToken)
    case systemRecipient(Name)
    /// The recipient is the name without letters.
    case emptyRecipient
    /// A name that looks like another account's.
    case lookAlikeAccount(Name, imitated: Name)
    /// A transfer to core.vaulta, which exchanges the token.
    case exchange
    case zeroAmount, negativeAmount
    /// The payer does not authorize the payment.
    case payerAbsent(Name)
    case ramMoved
    /// Tokens are destroyed, or donated without a return.
    case destroysTokens
    case stakeGiven(recipient: Name)
    /// One payment is more than all others of the same token and payer together.
    case outlier(Asset, recipient: Name)
    case innerTransaction
    case approvalWithoutHash(proposer: Name)
    case unseenProposal(proposer: Name, name: Name)
    case unseenExecution(proposer: Name, name: Name)
    /// A contract with the interface of eosio.msig or eosio.wrap.
    case otherMultisig
}

/// How much attention a warning needs.
package enum Severity: String, Comparable, CaseIterable, Sendable {
    case note, warning, danger

    package static func < (left: Severity, right: Severity) -> Bool {
        (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }
}

/// The action that a warning is about.
package struct ActionReference: Equatable, Sendable {
    package let place: ActionPlace
    /// The positions of the actions that contain the action's transaction, the outermost first.
    package let outer: [ActionPlace]
    package let account: Name
    package let name: Name

    /// `ACCOUNT::ACTION`
    package var text: String { "\(account.text)::\(name.text)" }

    init(_ action: Action, _ place: ActionPlace, outer: [ActionPlace] = []) {
        self.place = place
        self.outer = outer
        account = action.account
        name = action.name
    }
}

extension Warning {
    /// The action that the warning is about; nil if it is about the whole transaction.
    package var action: ActionReference? {
        switch self {
        case .nested(let action, _), .permission(let action, _, _), .action(let action, _): action
        case .transaction, .signature: nil
        }
    }

    /// The account that the warning concerns; nil if it concerns none.
    package var account: Name? {
        switch self {
        case .transaction(.foreignSystemContract(let account)), .transaction(.unpinnedABI(let account)),
            .transaction(.unusedABI(let account)):
            account
        case .transaction(.abiOverride(let override)): override.account
        case .transaction(.senderABI(let difference)): difference.account
        case .permission(_, let level, _): level.actor
        case .action(_, let warning): warning.account
        case .transaction, .nested, .signature: nil
        }
    }
}

extension ActionWarning {
    fileprivate var account: Name? {
        switch self {
        case .unlinked(let account), .linkedToAny(let account, _), .permissionLimits(let account),
            .codeChange(let account), .abiChange(let account), .privileged(let account), .developmentKey(let account),
            .approvalWithoutHash(let account), .unseenProposal(let account, _), .unseenExecution(let account, _),
            .systemRecipient(let account), .stakeGiven(let account), .payerAbsent(let account),
            .outlier(_, let account), .lookAlikeAccount(let account, _):
            account
        case .blind, .olderABI, .uncheckedData, .nullKey, .noAuthorization, .manyAuthorizations, .otherToken,
            .emptyRecipient, .exchange, .zeroAmount, .negativeAmount, .ramMoved, .destroysTokens, .innerTransaction,
            .otherMultisig:
            nil
        }
    }
}
