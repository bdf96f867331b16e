import ABICodec
import Codecs
import KeyVault
import Keys
import Policy
import Transactions

extension UnlockedVault: KeyStore {
    /// Signs in one transaction of the vault; without `recording`, on a read-only view.
    /// - Throws: `vault`.
    package borrowing func signatures(
        for request: AuthorizedRequest, recording: Bool
    ) throws(SigningError) -> SigningRequest.CheckedSignatures {
        let sign = { (transaction: inout VaultTransaction) throws(SigningError) in
            try request.signatures(by: &transaction)
        }
        guard recording else { return try withoutRecord(sign) }
        do { return try transaction(sign) } catch {
            // The refusal is reported also if it can't be counted.
            if case .policy(let refusal) = error {
                do throws(VaultError) { try countPolicyRefusals([refusal.kind: 1]) } catch {}
            }
            throw error
        }
    }
}

extension Vault {
    /// What decides about requests before the vault is unlocked. Anyone who can write the file can
    /// change it, so the decision is repeated on the verified rows.
    /// - Parameters:
    ///   - candidate: A policy that is tried in place of those of the file.
    ///   - readingUses: Whether what the keys used is read. A limit then counts only the request.
    /// - Throws: `vault`.
    package func unverifiedPolicies(
        of keys: [PublicKey], at clock: Int64, trying candidate: KeyPolicy? = nil, readingUses: Bool = true
    ) throws(SigningError) -> PolicyLedger {
        let (policies, last): ([StoredPolicy], Int64?)
        do throws(VaultError) {
            policies = try unverifiedPolicies()
            last = try policies.isEmpty && candidate == nil ? nil : unverifiedLastRecordTime()
        } catch { throw .vault(error) }
        return try PolicyLedger(
            of: keys, policies: policies, trying: candidate, clock: clock, lastRecord: last
        ) {
            key throws(VaultError) in readingUses ? try unverifiedUses(of: key) : PolicyUses()
        }
    }
}

extension VaultTransaction: DigestSigner {
    package var canRecord: Bool { !isReadOnly }

    package func policies(
        of keys: [PublicKey], parsedIn known: PolicyLedger
    ) throws(SigningError) -> PolicyLedger {
        let (policies, clock): ([StoredPolicy], Int64)
        do throws(VaultError) { (policies, clock) = try (self.policies(), now()) } catch { throw .vault(error) }
        guard !policies.isEmpty else { return .empty }
        let last = try converting(SigningError.vault, lastRecordTime())
        return try PolicyLedger(
            of: keys, policies: policies, parsedIn: known, clock: clock, lastRecord: last
        ) {
            key throws(VaultError) in try policyUses(of: key)
        }
    }

    package mutating func store(
        _ uses: LimitUses, _ times: PolicyUses.Times, of key: PublicKey
    ) throws(SigningError) {
        try converting(
            SigningError.vault, store(uses.changedParts, keeping: uses.keptParts, times, of: EntryName(key)))
    }

    package func pinnedABIs(of chain: ChainID) throws(SigningError) -> [PinnedContractABI] {
        do throws(VaultError) {
            return try pinnedABIs(of: chain.bytes).map { abi throws(VaultError) in try PinnedContractABI(abi) }
        } catch { throw .vault(error) }
    }

    package func history(of subject: PaymentHistory.Subject) throws(SigningError) -> PaymentHistory {
        try converting(SigningError.vault, verifiedHistory(of: subject))
    }

    package mutating func remember(
        _ signature: PaymentHistory.Signature, of subject: PaymentHistory.Subject
    ) throws(SigningError) {
        try converting(SigningError.vault, rememberSignature(signature, of: subject))
    }

    package mutating func verifiedKey(_ chosen: ChosenKey) throws(SigningError) -> VerifiedEntry {
        do throws(VaultError) {
            switch chosen.choice {
            case .publicKey: return try entry(named: EntryName(chosen.publicKey))
            case .label(let label): return try entry(labelled: label)
            case .only:
                // Either another process added a key after the review. Or someone removed rows from
                // the file, so that it showed another key as the only one. `keyCount` finds missing
                // rows.
                let count = entryCount <= 1 ? entryCount : try keyCount()
                if count <= 1 { return try entry(named: EntryName(chosen.publicKey)) }
            }
        } catch { throw .vault(error) }
        throw .keyAddedMeanwhile
    }

    package func description(of key: VerifiedEntry) throws(SigningError) -> KeyDescription {
        try converting(SigningError.vault, KeyDescription(status(of: key)))
    }

    package mutating func sign(_ digest: SigningDigest, with key: VerifiedEntry) throws(SigningError) -> Signature {
        let signed = try converting(SigningError.vault, signature(of: digest, by: key))
        return try converting(SigningError.curve, signed.get().signature)
    }

    package mutating func recordSignature(
        by key: PublicKey, chain: ChainID, transaction: [UInt8], actions: SignedActions
    ) throws(SigningError) {
        let event = AuditEvent.signed(
            key: EntryName(key), chain: chain.bytes, transaction: transaction, actions: actions)
        try converting(SigningError.vault, record(event))
    }
}

extension SignedActions {
    /// The actions of a transaction. Context-free actions are first, as a chain executes them.
    package init(_ transaction: Transaction) {
        self.init(
            (transaction.contextFreeActions + transaction.actions).lazy.map { action in
                Kind(contract: action.account.rawValue, action: action.name.rawValue)
            })
    }
}

extension KeyDescription {
    /// - Throws: `notAKey`, `unsupportedKind`; `damaged` when its name is not a public key.
    package init(_ status: KeyStatus) throws(VaultError) {
        let entry = status.entry
        _ = try entry.kind.curve()
        guard let publicKey = entry.name.publicKey else { throw .integrity(.damaged(.row(.entries))) }
        self.init(publicKey, label: entry.label?.text, isBackedUp: status.isBackedUp)
    }
}

extension PinnedContractABI {
    /// - Throws: `damaged` when the account is not a name.
    package convenience init(_ abi: PinnedABI) throws(VaultError) {
        guard let account = try? Name(abi.contract.account) else { throw .integrity(.damaged(.row(.abis))) }
        self.init(account: account, raw: abi.raw)
    }
}
