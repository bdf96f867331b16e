import ABICodec
import Transactions

/// A multisig proposal that a person gives in a file, or a client in its request.
package struct GivenProposal: Sendable {
    package let transaction: SignedTransaction
    /// The name of the file, or the place in the request.
    package let file: String
    /// The name of the proposal; nil if the file does not state it.
    package let name: Name?

    package init(_ transaction: SignedTransaction, file: String = "", name: Name? = nil) {
        (self.transaction, self.file, self.name) = (transaction, file, name)
    }
}

/// The transaction that an action executes according to a file. The signature does not bind it,
/// because `exec` states only the proposer and the name: no payment and no policy counts it.
package struct StatedExecution: Sendable {
    package let file: String
    package let transaction: NestedTransaction
}

/// The action `exec` of eosio.msig, or of a contract with the same interface.
struct ProposalExecution {
    let proposer: Name
    let proposal: Name

    /// - Returns: nil for any other action.
    static func find(in action: Action, _ value: TypedValue) -> ProposalExecution? {
        guard action.name == .exec, value.fields?.count == 3, let (proposer, proposal) = value.proposal,
            value.fields?[2].value.name != nil
        else { return nil }
        return ProposalExecution(proposer: proposer, proposal: proposal)
    }

    /// The file of the proposal: the one with its name, or the only one, if it has no name.
    func find(in given: [GivenProposal]) -> GivenProposal? {
        given.first { $0.name == proposal } ?? (given.count == 1 && given[0].name == nil ? given[0] : nil)
    }
}
