import Policy
import Transactions

extension AuthorizedRequest {
    /// Signs several requests at once: the store records all signatures together. Each request is
    /// decided again with the verified policies, after the requests before it. If its consent is
    /// asked, its history must be the one in the review. If not, nobody saw the review, and the
    /// verified history after the requests before it replaces the history in the review.
    /// - Parameter isWanted: false for a request, by its index, that is no longer to be signed. It
    ///   is called right before the request is signed.
    /// - Returns: for each request its signed transaction, or why it alone was refused; nil if it
    ///   is not wanted.
    /// - Throws: errors of the store, such as a lock. Then no signature is released.
    package static func sign<Store: KeyStore & ~Copyable>(
        _ requests: [AuthorizedRequest], with store: borrowing Store,
        ifWanted isWanted: @escaping (Int) -> Bool
    ) throws(SigningError) -> [Result<Signed, SigningError>?] {
        let outcomes = try store.lendSigner(
            to: GroupUse<Store.Memory>(requests: requests, isWanted: isWanted), recording: true)
        // A faulty store could return the outcome of another group.
        guard outcomes.count == requests.count else { throw .recoveredOtherKey }
        var refusals: [PolicyRefusal.Kind: Int64] = [:]
        for case .failure(.policy(let refusal))? in outcomes { refusals[refusal.kind, default: 0] += 1 }
        if !refusals.isEmpty { store.count(refusals) }
        return zip(requests, outcomes).map { request, outcome in
            outcome.map { outcome in
                Result { () throws(SigningError) in
                    let decided = try outcome.get()
                    // A faulty store could return the outcome of another request.
                    let transaction = try request.request.signed(decided.signatures)
                    return Signed(request: decided.request, transaction: transaction)
                }
            }
        }
    }

    /// A request of a group that was signed.
    package struct Signed: Sendable {
        /// With the history on which the request was decided.
        package let request: SigningRequest
        package let transaction: SignedTransaction
    }

    private struct Decided {
        let request: SigningRequest
        let signatures: SigningRequest.CheckedSignatures
    }

    private struct GroupUse<Memory: PaymentMemory>: SignerUse {
        let requests: [AuthorizedRequest]
        let isWanted: (Int) -> Bool

        func run<Signer: DigestSigner & ~Copyable>(
            with signer: inout Signer
        ) throws(SigningError) -> [Result<Decided, SigningError>?]
        where Signer.Memory == Memory {
            let keys = requests.flatMap { $0.request.missing.map(\.publicKey) }
            var group = try SigningGroup(of: keys, parsedIn: .empty, in: &signer)
            var outcomes: [Result<Decided, SigningError>?] = []
            for (index, request) in requests.enumerated() {
                guard isWanted(index) else {
                    outcomes.append(nil)
                    continue
                }
                signer.begin(for: request.requester)
                let renewed = try signer.readingOften { signer throws(SigningError) in
                    try request.renewed(by: signer)
                }
                switch try renewed.signatures(by: &signer, in: &group) {
                case .success(let signatures):
                    outcomes.append(.success(Decided(request: renewed.request, signatures: signatures)))
                case .failure(let error):
                    if error.endsGroup { throw error }
                    outcomes.append(.failure(error))
                }
            }
            try group.end(in: &signer)
            return outcomes
        }
    }
}

extension SigningError {
    /// True if the store can't sign the other requests of a group either.
    fileprivate var endsGroup: Bool {
        if case .store(let failure) = self { !failure.error.isAboutOneKey } else { false }
    }
}
