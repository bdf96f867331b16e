import ABICodec
import Curves
import Transactions

/// A reason why a chain may refuse the transaction, or a fact to know before signing. A warning
/// does not prevent signing: the clock of an air-gapped machine may be wrong, and chains differ.
public enum Warning: Equatable, Sendable {
    case expired(secondsAgo: Int64)
    /// nodeos accepts a transaction at most an hour before its expiration.
    case tooEarly(pushableInSeconds: Int64)
    case noActions
    case delay(seconds: UInt32)
    case extensions(count: Int)
    case contextFreeActions
    case contextFreeDataWithoutActions
    case blindAction(account: Name, action: Name)
    /// A proposal or a wrapped transaction. The data of the actions inside is not decoded.
    case innerActions(account: Name, action: Name)
    case unknownChain
    /// The built-in ABI describes Vaulta's system contract. This chain has another system contract.
    case foreignSystemContract(account: Name)
    case nonCanonicalSignature(index: Int)
    case unknownSigner(index: Int)
    /// The same key signed twice. nodeos refuses such a transaction.
    case duplicateSigner(index: Int)
    /// A given ABI replaces the built-in one and decodes actions differently.
    case abiOverride(account: Name, given: ABIHash, builtIn: ABIHash)
    /// The data was decoded by an older built-in ABI. The contract that a chain runs today may read
    /// the data differently.
    case olderABI(account: Name, action: Name, date: String)
    /// The data contains an all-zero public key. No one can sign with it.
    case nullKey(account: Name, action: Name)
    /// The input has decoded data next to the action's bytes, but no ABI to compare them. The bytes
    /// are signed.
    case uncheckedData(account: Name, action: Name)
}

extension Review {
    /// nodeos accepts a transaction at most this many seconds before its expiration
    /// (`max_transaction_lifetime`).
    public static let maximumLifetime: Int64 = 3600

    /// How many seconds more than `maximumLifetime` give no warning. `cleos -x 3600` counts from
    /// the head block's time, and clocks differ by some seconds, so a transaction that is signed at
    /// once would seem too early. Carrying it to a networked machine takes longer than this
    /// tolerance.
    public static let clockTolerance: Int64 = 60

    /// Seconds until the expiration; negative after it.
    /// - Parameter now: Seconds since 1970 by this machine's clock.
    public func remaining(now: Int64) -> Int64 { Int64(transaction.transaction.expiration.seconds) - now }

    public func warnings(now: Int64) -> [Warning] {
        var warnings: [Warning] = []
        let transaction = transaction.transaction
        let remaining = remaining(now: now)
        if remaining <= 0 {
            warnings.append(.expired(secondsAgo: -remaining))
        } else if remaining > Self.maximumLifetime + Self.clockTolerance {
            warnings.append(.tooEarly(pushableInSeconds: remaining - Self.maximumLifetime))
        }
        if transaction.actions.isEmpty { warnings.append(.noActions) }
        if transaction.delaySec != 0 { warnings.append(.delay(seconds: transaction.delaySec)) }
        if !transaction.extensions.isEmpty { warnings.append(.extensions(count: transaction.extensions.count)) }
        if !contextFreeActions.isEmpty { warnings.append(.contextFreeActions) }
        if contextFreeActions.isEmpty, !self.transaction.contextFreeData.isEmpty {
            warnings.append(.contextFreeDataWithoutActions)
        }
        return warnings + contentWarnings + signerWarnings
    }

    private var contentWarnings: [Warning] {
        var warnings: [Warning] = []
        if let chain, chain.chain == nil { warnings.append(.unknownChain) }
        warnings += overrides.map { .abiOverride(account: $0.account, given: $0.given, builtIn: $0.builtIn) }
        var foreign: Set<Name> = []
        let unchecked = Set(transaction.uncheckedData)
        for reviewed in contextFreeActions + actions {
            if case .blind = reviewed.content, unchecked.contains(reviewed.place) {
                warnings.append(.uncheckedData(account: reviewed.action.account, action: reviewed.action.name))
            }
            if reviewed.nullKeyCount > 0 {
                warnings.append(.nullKey(account: reviewed.action.account, action: reviewed.action.name))
            }
            switch reviewed.content {
            case .blind: warnings.append(.blindAction(account: reviewed.action.account, action: reviewed.action.name))
            case .decoded where Self.carriers.contains(reviewed.action.patternText):
                warnings.append(.innerActions(account: reviewed.action.account, action: reviewed.action.name))
            case .decoded(_, .builtIn):
                guard let chain, !chain.hasVaultaSystemContract,
                    ["eosio", "core.vaulta"].contains(reviewed.action.account.text),
                    foreign.insert(reviewed.action.account).inserted
                else { continue }
                warnings.append(.foreignSystemContract(account: reviewed.action.account))
            case .decoded(_, .builtInOlder(let date)):
                warnings.append(.olderABI(account: reviewed.action.account, action: reviewed.action.name, date: date))
            case .decoded(_, .given): continue
            }
        }
        return warnings
    }

    /// Actions whose data contains whole transactions.
    private static let carriers: Set<String> = ["eosio.msig::propose", "eosio.wrap::exec"]

    private var signerWarnings: [Warning] {
        var seen: Set<PublicKey> = []
        return signers.enumerated().compactMap { index, signer in
            switch signer {
            case .key: signer.key.map { seen.insert($0).inserted } == false ? .duplicateSigner(index: index) : nil
            case .nonCanonical: .nonCanonicalSignature(index: index)
            case .unknown: .unknownSigner(index: index)
            }
        }
    }
}

extension Action {
    fileprivate var patternText: String { "\(account.text)::\(name.text)" }
}

extension ChainID {
    /// The chains that run the system contracts whose ABIs are built in.
    fileprivate var hasVaultaSystemContract: Bool {
        chain.map { ["eos", "jungle4", "kylin"].contains($0.name) } ?? true
    }
}
