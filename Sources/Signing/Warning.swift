import ABICodec
import Transactions

/// A reason why a chain may refuse the transaction, or a fact to know before signing. A warning
/// does not prevent signing: the clock of an air-gapped machine may be wrong, and chains differ.
package enum Warning: Equatable, Sendable {
    case expired(secondsAgo: Int64)
    /// nodeos accepts a transaction at most an hour before its expiration.
    case tooEarly(pushableInSeconds: Int64)
    case noActions
    case delay(seconds: UInt32)
    case extensions(count: Int)
    case contextFreeActions
    case contextFreeDataWithoutActions
    case blindAction(ActionReference)
    /// A proposal or a wrapped transaction. The data of the actions inside is not decoded.
    case innerActions(ActionReference)
    case unknownChain
    /// The built-in ABI describes Vaulta's system contract. This chain has another system contract.
    case foreignSystemContract(account: Name)
    case nonCanonicalSignature(index: Int)
    case unknownSigner(index: Int)
    /// The same key signed twice. nodeos refuses such a transaction.
    case duplicateSigner(index: Int)
    /// A given ABI replaces the built-in one and decodes actions differently.
    case abiOverride(ContractABIs.Override)
    /// The data was decoded by an older built-in ABI. The contract that a chain runs today may read
    /// the data differently.
    case olderABI(ActionReference, date: String)
    /// The data contains an all-zero public key. No one can sign with it.
    case nullKey(ActionReference)
    /// The input has decoded data next to the action's bytes, but no ABI to compare them. The bytes
    /// are signed.
    case uncheckedData(ActionReference)

    package var code: WarningCode {
        switch self {
        case .expired: .expired
        case .tooEarly: .tooEarly
        case .noActions: .noActions
        case .delay: .delay
        case .extensions: .extensions
        case .contextFreeActions: .contextFreeActions
        case .contextFreeDataWithoutActions: .contextFreeData
        case .blindAction: .blind
        case .innerActions: .innerTransaction
        case .unknownChain: .unknownChain
        case .foreignSystemContract: .foreignSystemContract
        case .nonCanonicalSignature: .nonCanonicalSignature
        case .unknownSigner: .unknownSigner
        case .duplicateSigner: .duplicateSigner
        case .abiOverride: .abiOverride
        case .olderABI: .olderABI
        case .nullKey: .nullKey
        case .uncheckedData: .uncheckedData
        }
    }
}

/// The codes of warnings, for programs. A code never changes.
package enum WarningCode: String, CaseIterable, Sendable {
    case expired
    case tooEarly = "too-early"
    case noActions = "no-actions"
    case delay
    case extensions
    case contextFreeActions = "context-free-actions"
    case contextFreeData = "context-free-data"
    case blind
    case innerTransaction = "inner-transaction"
    case unknownChain = "unknown-chain"
    case foreignSystemContract = "foreign-system-contract"
    case nonCanonicalSignature = "non-canonical-signature"
    case unknownSigner = "unknown-signer"
    case duplicateSigner = "duplicate-signer"
    case abiOverride = "abi-override"
    case olderABI = "older-abi"
    case nullKey = "null-key"
    case uncheckedData = "unchecked-data"
}

/// The action that a warning is about.
package struct ActionReference: Equatable, Sendable {
    package let place: ActionPlace
    package let account: Name
    package let name: Name

    /// `ACCOUNT::ACTION`
    package var text: String { "\(account.text)::\(name.text)" }

    init(_ action: Action, _ place: ActionPlace) {
        self.place = place
        account = action.account
        name = action.name
    }
}
