import ABICodec
import Curves
import Transactions

extension Review {
    /// nodeos accepts a transaction at most this many seconds before its expiration
    /// (`max_transaction_lifetime`).
    package static let maximumLifetime: Int64 = 3600

    /// How many seconds more than `maximumLifetime` give no warning. `cleos -x 3600` counts from
    /// the head block's time, and clocks differ by some seconds, so a transaction that is signed at
    /// once would seem too early. Carrying it to a networked machine takes longer than this
    /// tolerance.
    package static let clockTolerance: Int64 = 60

    /// Seconds until the expiration; negative after it.
    /// - Parameter now: Seconds since 1970 by this machine's clock.
    package func remaining(now: Int64) -> Int64 { Int64(transaction.transaction.expiration.seconds) - now }

    package func warnings(now: Int64) -> [Warning] {
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
        warnings += overrides.map { .abiOverride($0) }
        var foreign: Set<Name> = []
        let unchecked = Set(transaction.uncheckedData)
        for reviewed in contextFreeActions + actions {
            let reference = reviewed.reference
            if case .blind = reviewed.content, unchecked.contains(reviewed.place) {
                warnings.append(.uncheckedData(reference))
            }
            if reviewed.nullKeyCount > 0 { warnings.append(.nullKey(reference)) }
            switch reviewed.content {
            case .blind: warnings.append(.blindAction(reference))
            case .decoded where Self.carriers.contains(reference.text): warnings.append(.innerActions(reference))
            case .decoded(_, .builtIn):
                guard let chain, !chain.hasVaultaSystemContract,
                    ["eosio", "core.vaulta"].contains(reference.account.text),
                    foreign.insert(reference.account).inserted
                else { continue }
                warnings.append(.foreignSystemContract(account: reference.account))
            case .decoded(_, .builtInOlder(let date)): warnings.append(.olderABI(reference, date: date))
            case .decoded(_, .given), .decoded(_, .pinned): continue
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

extension ChainID {
    /// The chains that run the system contracts whose ABIs are built in.
    fileprivate var hasVaultaSystemContract: Bool {
        chain.map { ["eos", "jungle4", "kylin"].contains($0.name) } ?? true
    }
}
