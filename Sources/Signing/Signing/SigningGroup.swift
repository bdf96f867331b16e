import Keys
import Policy
import Transactions

/// Signs requests one after another with the signer of a store, which records them at once. One
/// request, a batch and the clients of an agent all sign here.
///
/// Policies and keys are verified once. The policies count what the group signed.
struct SigningGroup<Signer: DigestSigner & ~Copyable> {
    /// The verified policies of the keys, with what the group signed.
    private(set) var policies: PolicyLedger
    private var keys: [(chosen: ChosenKey, verified: Signer.VerifiedKey)] = []
    private var chains: [ChainID: ChainFacts] = [:]

    /// What the store states about a chain, verified.
    struct ChainFacts {
        let pins: [PinnedContractABI]
        /// Of a chain that is not built in.
        let name: String?
    }

    /// - Parameters:
    ///   - keys: all keys of the group.
    ///   - known: A policy with the same text need not be parsed again.
    init(
        of keys: [PublicKey], parsedIn known: PolicyLedger, in signer: inout Signer
    ) throws(SigningError) {
        policies = try signer.readingOften { signer throws(SigningError) in
            try signer.policies(of: keys, parsedIn: known)
        }
    }

    /// Verifies keys, unless the group did.
    mutating func verify(_ chosen: [ChosenKey], in signer: inout Signer) throws(SigningError) {
        for key in chosen where !keys.contains(where: { $0.chosen == key }) {
            keys.append((key, try key.verified(by: &signer)))
        }
    }

    /// What the store states about a chain, verified once.
    mutating func facts(of chain: ChainID, in signer: inout Signer) throws(SigningError) -> ChainFacts {
        if let known = chains[chain] { return known }
        let facts = ChainFacts(pins: try signer.pinnedABIs(of: chain), name: try signer.name(of: chain))
        chains[chain] = facts
        return facts
    }

    /// Signs a request with each key that has not signed yet.
    /// - Parameter decide: decides with the policies.
    /// - Returns: the signatures; or why this request is refused. Then the store did nothing for
    ///   it, and the next request can be signed.
    /// - Throws: an error while the signatures are recorded: the store must undo the whole group.
    mutating func sign(
        _ request: SigningRequest, in signer: inout Signer,
        deciding decide: (PolicyLedger) throws(SigningError) -> [PublicKey: PolicyAllowance]
    ) throws(SigningError) -> Result<SigningRequest.CheckedSignatures, SigningError> {
        try recording(request, in: &signer, decide) { signer, keys throws(SigningError) in
            try request.signatures(by: &signer, with: keys)
        }
    }

    /// Starts the signatures of a request, and records them at once: if one of them fails, the
    /// store must undo the whole group. So the next requests are decided before they are made.
    /// - Returns: what `SigningRequest.finish` needs; or why this request is refused.
    mutating func start(
        _ request: SigningRequest, in signer: inout Signer,
        deciding decide: (PolicyLedger) throws(SigningError) -> [PublicKey: PolicyAllowance]
    ) throws(SigningError) -> Result<SigningRequest.StartedSignatures, SigningError> {
        try recording(request, in: &signer, decide) { signer, keys throws(SigningError) in
            try request.start(by: &signer, with: keys)
        }
    }

    /// Decides, makes or starts the signatures, and records them.
    private mutating func recording<Made>(
        _ request: SigningRequest, in signer: inout Signer,
        _ decide: (PolicyLedger) throws(SigningError) -> [PublicKey: PolicyAllowance],
        _ make: (inout Signer, [(chosen: ChosenKey, verified: Signer.VerifiedKey)]) throws(SigningError) ->
            Made
    ) throws(SigningError) -> Result<Made, SigningError> {
        let (allowances, made): ([PublicKey: PolicyAllowance], Made)
        do throws(SigningError) {
            if !signer.canRecord { try policies.refuseKeys(request.missing) }
            allowances = try decide(policies)
            try signer.readingOften { signer throws(SigningError) in
                try request.expectStored(by: &signer)
                try verify(request.missing, in: &signer)
            }
            made = try make(&signer, verified(request.missing))
        } catch { return .failure(error) }
        try signer.readingOften { signer throws(SigningError) in try request.record(in: &signer) }
        policies.add(allowances)
        return .success(made)
    }

    private func verified(_ chosen: [ChosenKey]) -> [(chosen: ChosenKey, verified: Signer.VerifiedKey)] {
        chosen.compactMap { key in keys.first { $0.chosen == key } }
    }

    /// Stores what the policies counted.
    func end(in signer: inout Signer) throws(SigningError) {
        try signer.readingOften { signer throws(SigningError) in try policies.store(in: &signer) }
    }
}
