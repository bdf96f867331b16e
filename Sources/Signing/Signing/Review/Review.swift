import ABICodec
import Codecs
import Keys
import Transactions

/// The contents of a transaction, decoded from the same bytes that are hashed and signed.
///
/// A review exists only if the data of each action could be decoded and encodes to the same bytes
/// again, or if the user or a policy allowed signing the action as bytes. It contains everything
/// that will be signed.
package struct Review: Sendable {
    package let transaction: SignedTransaction
    /// nil if no chain was given. The review then has neither digest nor signers.
    package let chain: ChainID?
    package let contextFreeActions: [ReviewedAction]
    package let actions: [ReviewedAction]
    /// The digest to be signed, of the same bytes that were decoded; nil without a chain.
    package let digest: SigningDigest?
    /// The signers, in the order of the signatures. Empty without a chain, because the digest needs
    /// its id.
    package let signers: [Signer]
    /// The given ABIs that replace a pinned or built-in one.
    package let overrides: [ContractABIs.Override]
    /// The accounts of the given ABIs, sorted.
    package let givenAccounts: [Name]
    /// The ABIs of the review that differ from the ABIs of the transaction's sender, sorted by
    /// account.
    package let senderDifferences: [ContractABIs.Difference]
    /// The pinned ABIs of the chain. They are not verified before the vault is unlocked.
    package let pins: [PinnedContractABI]
    /// The vault's history of the recipients and of these actions; nil if no vault was asked. It is
    /// not verified before the vault is unlocked.
    package var history: PaymentHistory?
    /// The name that the vault gives to a chain that is not built in; nil if it gives none, or
    /// without a vault. It is not verified before the vault is unlocked.
    package var chainName: String?

    /// The maximum size of the shown data of all actions, in bytes. An ABI can turn few bytes into
    /// long text that no person would read.
    package static let maximumSize = 4 << 20

    let executed: ExecutedActions
    /// The hash of the actions, made only if the history is looked up.
    let actionsHash = Memo<[UInt8]>()

    /// The payments that run with the transaction, in the order of the actions.
    package var runningPayments: [Payment] {
        executed.payments.compactMap { payment, execution, _ in execution == .proposed ? nil : payment }
    }

    /// All payments, in the order of the actions, with their execution.
    package var allPayments: [(payment: Payment, execution: Execution)] {
        executed.payments.map { ($0.payment, $0.execution) }
    }

    /// The execution of each of `allActions`.
    package var executions: [Execution] { executed.executions }

    /// All actions, including actions of nested transactions, in the order in which they are shown.
    package var allActions: [ReviewedAction] { executed.actions }

    /// True if the transaction is a login of a signing request: an action of no contract, which no
    /// chain executes. `RequestData` makes the ABI that decodes it.
    package var isLogin: Bool {
        guard actions.count == 1, contextFreeActions.isEmpty, actions[0].action.account.rawValue == 0,
            case .decoded(.builtIn) = actions[0].content
        else { return false }
        return true
    }

    /// The limits of a review: more than a person can check, or needs to sign.
    package static let maximumSignatureCount = 1_000

    /// - Parameters:
    ///   - blind: Actions that may be shown and signed as bytes.
    ///   - proposals: `approve` actions refer to them by their hashes, `exec` actions by their
    ///     names.
    package init(
        of transaction: SignedTransaction, chain: ChainID?, abis: ContractABIs,
        blind: Set<ActionPattern> = [],
        proposals: [GivenProposal] = []
    ) throws(SigningError) {
        do { if let chain { try transaction.expectChain(chain) } } catch { throw .transaction(error) }
        guard transaction.signatures.count <= Self.maximumSignatureCount else {
            throw .tooManySignatures(limit: Self.maximumSignatureCount)
        }
        self.transaction = transaction
        self.chain = chain
        overrides = abis.overrides
        pins = abis.pins
        givenAccounts = abis.givenAccounts
        digest = chain.map { transaction.digest(for: $0) }
        var reader = ActionReader(abis: abis, blind: blind, proposals: proposals)
        (contextFreeActions, actions) = try reader.read(transaction.transaction, outer: [])
        executed = ExecutedActions(contextFree: contextFreeActions, actions, hasNested: reader.hasNested)
        let stated = transaction.statedABIs
        let used = stated.isEmpty ? [] : Set(executed.actions.map(\.action.account))
        senderDifferences = stated.filter { used.contains($0.key) }
            .compactMap { abis.difference(of: $0.value, for: $0.key) }.sorted {
                $0.account.text < $1.account.text
            }
        signers = digest.map { Signer.all(of: transaction, over: $0) } ?? []
    }

    /// - Parameter id: A transaction id in hex, in any case.
    /// - Throws: `otherTransaction`.
    package func expectTransaction(_ id: String) throws(SigningError) {
        guard transaction.id == id.lowercased() else {
            throw .otherTransaction(id: transaction.id, expected: id.lowercased())
        }
    }
}

/// An action and its decoded data. It is a class because many lists of a review contain it.
package final class ReviewedAction: Sendable {
    package enum Content: Sendable {
        /// The value was decoded from the bytes of the action, and encodes to these bytes again.
        /// The ABI has this origin.
        case decoded(ContractABIs.Source)
        /// The bytes can't be decoded, and the user or a policy allowed them.
        case blind(Undecodable)
    }

    package let action: Action
    package let content: Content
    /// The decoded data with its types and with the fields in the ABI's order; nil for an action
    /// that is signed as bytes.
    package let value: TypedValue?
    /// For an action that is signed as bytes: the value at the beginning of the data, and the
    /// number of bytes that follow it; nil if there is no such value.
    package let partial: (value: TypedValue, trailing: Int)?
    /// The transaction that the data contains or refers to.
    package let nested: NestedTransaction?
    /// The transaction that the action executes according to a file. It is only shown.
    package let stated: StatedExecution?
    /// The ABI that the action gives to an account; nil if it gives none.
    package let newABI: NewABI?
    /// The position of the action in its transaction.
    package let place: ActionPlace
    /// The positions of the actions that contain its transaction, the outermost first.
    package let outer: [ActionPlace]
    /// The number of all-zero public keys in the data. No one has a private key for them.
    package let nullKeyCount: Int
    /// The changes that the data makes. A nested transaction has its own changes.
    package let changes: [AccountChange]
    let authorityChanges: [AuthorityChange]

    /// The payments in the data. They are computed, because a review has a list of all payments.
    package var payments: [Payment] { value.map { Payment.all(in: action, $0) } ?? [] }

    package var reference: ActionReference { ActionReference(action, place, outer: outer) }

    init(
        action: Action, content: Content, value: TypedValue?,
        partial: (value: TypedValue, trailing: Int)? = nil,
        nested: NestedTransaction? = nil, stated: StatedExecution? = nil, newABI: NewABI? = nil,
        place: ActionPlace,
        outer: [ActionPlace], nullKeyCount: Int
    ) {
        (self.action, self.content, self.value, self.partial) = (action, content, value, partial)
        (self.nested, self.stated, self.newABI, self.place, self.outer) = (
            nested, stated, newABI, place, outer
        )
        self.nullKeyCount = nullKeyCount
        guard let value else {
            (changes, authorityChanges) = ([], [])
            return
        }
        changes = AccountChange.all(in: action, value)
        authorityChanges = AuthorityChange.all(in: action, value)
    }
}
