import ABICodec
import Codecs
import Keys
import Policy
import Signing
import Tokens
import Transactions

extension UnlockedVault: KeyStore {
    package typealias Memory = PaymentLedger

    /// Signs in one transaction of the vault; without `recording`, on a read-only view.
    package borrowing func lendSigner<Use: SignerUse>(
        to use: Use, recording: Bool
    ) throws(SigningError) -> Use.Outcome where Use.Memory == PaymentLedger {
        let run = { (transaction: inout VaultTransaction) throws(SigningError) in
            try use.run(with: &transaction)
        }
        return recording ? try transaction(run) : try withoutRecord(run)
    }

    package borrowing func count(_ refusals: [PolicyRefusal.Kind: Int64]) {
        let counts = refusals.map { kind, count in
            (PolicyRefusals.Kind(key: EntryName(kind.key), code: kind.code, part: kind.part), count)
        }
        do throws(VaultError) { try countPolicyRefusals(Dictionary(uniqueKeysWithValues: counts)) } catch {}
    }
}

extension TokenError: StoreError {
    package var isAboutOneKey: Bool { true }
}

extension SigningError {
    static func token(_ error: TokenError) -> SigningError { .store(StoreFailure(error)) }
}

extension VaultError: StoreError {
    package var isReadOnly: Bool { self == .machine(.readOnly) }
    package var isAboutOneKey: Bool { [.input(.noSuchKey), .input(.keyInToken)].contains(self) }
}

extension SigningError: VaultFailure {
    package init(vault error: VaultError) { self = .vault(error) }

    package static func vault(_ error: VaultError) -> SigningError { .store(StoreFailure(error)) }
}

extension VaultTransaction: DigestSigner {
    package typealias Memory = PaymentLedger

    package var canRecord: Bool { !isReadOnly }

    package mutating func begin(for requester: Requester?) { self.requester = requester }

    package mutating func readingOften<Result>(
        _ body: (inout VaultTransaction) throws(SigningError) -> Result
    ) throws(SigningError) -> Result {
        let keys = keys
        return try keys.lendManifest { _ throws(SigningError) in try body(&self) }
    }

    package func policies(
        of keys: [PublicKey], parsedIn known: PolicyLedger
    ) throws(SigningError) -> PolicyLedger {
        let (policies, clock): ([StoredPolicy], Int64)
        do throws(VaultError) { (policies, clock) = try (self.policies(), now()) } catch {
            throw .vault(error)
        }
        guard !policies.isEmpty else { return .empty }
        let last = try converting(SigningError.vault, lastRecordTime())
        let content = self.keys.content
        return try converting(
            SigningError.vault,
            PolicyLedger(
                of: keys, policies: policies, parsedIn: known, clock: clock, lastRecord: last,
                parsing: content.policy(in:)
            ) { key throws(VaultError) in try content.uses(of: key, in: buckets) })
    }

    package mutating func store(
        _ uses: LimitUses, _ times: PolicyLedger.Times, of key: PublicKey
    ) throws(SigningError) {
        try converting(SigningError.vault, store(uses, times, of: EntryName(key)))
    }

    package func pinnedABIs(of chain: ChainID) throws(SigningError) -> [PinnedContractABI] {
        do throws(VaultError) {
            return try pinnedABIs(of: chain.bytes).map { abi throws(VaultError) in try PinnedContractABI(abi)
            }
        } catch { throw .vault(error) }
    }

    package func name(of chain: ChainID) throws(SigningError) -> String? {
        guard chain.chain == nil else { return nil }
        return try converting(SigningError.vault, namedChains()).first { $0.id == chain }?.name.text
    }

    package func history(of subject: PaymentHistory.Subject) throws(SigningError) -> PaymentHistory {
        try converting(SigningError.vault, verifiedHistory(of: subject))
    }

    package mutating func remember(
        _ signature: PaymentHistory.Signature, of subject: PaymentHistory.Subject
    ) throws(SigningError) {
        try converting(SigningError.vault, rememberSignature(signature, of: subject))
    }

    package mutating func beginBatch(after memory: consuming PaymentLedger?) throws(SigningError) {
        try converting(SigningError.vault, holdHistory(memory))
        keepKeysOpen()
    }

    package mutating func endBatch() throws(SigningError) -> PaymentLedger {
        closeKeys()
        return try converting(SigningError.vault, releaseHistory())
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

    package mutating func sign(
        _ digest: SigningDigest, with key: VerifiedEntry
    ) throws(SigningError) -> MadeSignature {
        if case .tokenKey = key.description.kind, let publicKey = key.description.name.publicKey {
            guard let tokens = keys.tokens else { throw .token(.notOpened) }
            return .unchecked(try converting(SigningError.token, tokens.sign(digest, with: publicKey)))
        }
        let signed = try converting(SigningError.vault, signature(of: digest, by: key))
        return .checked(try converting(SigningError.curve, signed.get()))
    }

    package mutating func start(
        _ digest: SigningDigest, with key: VerifiedEntry
    ) throws(SigningError) -> StartedSignature {
        guard case .tokenKey = key.description.kind, let publicKey = key.description.name.publicKey,
            let tokens = keys.tokens
        else { return .made(try sign(digest, with: key)) }
        return .pending(tokens.start(digest, with: publicKey))
    }

    package mutating func finish(_ started: StartedSignature) throws(SigningError) -> MadeSignature {
        switch started {
        case .made(let signature): return signature
        case .pending(let object):
            guard let started = object as? StartedTokenSignature, let tokens = keys.tokens else {
                throw .token(.notOpened)
            }
            return .unchecked(try converting(SigningError.token, tokens.finish(started)))
        }
    }

    package mutating func recordSignature(
        by key: PublicKey, of review: Review, on chain: ChainID
    ) throws(SigningError) {
        let event = AuditEvent.signed(
            key: EntryName(key), chain: chain.bytes, transaction: review.transaction.idBytes,
            actions: SignedActions(review))
        keys.content.digestKeys.remove(EntryName(key))
        try converting(SigningError.vault, record(event))
    }
}

extension SignedActions {
    /// The actions and payments of a transaction. Context-free actions are first, as a chain
    /// executes them.
    package init(_ review: Review) {
        let transaction = review.transaction.transaction
        self.init(
            (transaction.contextFreeActions + transaction.actions).lazy.map { action in
                Kind(contract: action.account.rawValue, action: action.name.rawValue)
            }, payments: review.runningPayments.map(SignedPayment.init))
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
