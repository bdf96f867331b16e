import ABICodec
import Codecs
import JSON

extension NewAction {
    /// Proposes a transaction. eosio.msig stores its bytes, without signatures.
    package static func propose(
        proposer: Name, proposal: Name, requested: [PermissionLevel], transaction: SignedTransaction
    ) throws(BuildError) -> NewAction {
        guard !proposal.text.isEmpty else { throw .proposal(.emptyName) }
        guard !requested.isEmpty else { throw .proposal(.nobodyRequested) }
        let sorted = requested.sorted()
        for (one, next) in zip(sorted, sorted.dropFirst()) where one == next { throw .proposal(.requestedTwice(one)) }
        guard transaction.signatures.isEmpty else { throw .proposal(.signed) }
        guard transaction.transaction.contextFreeActions.isEmpty, transaction.contextFreeData.isEmpty else {
            throw .proposal(.contextFree)
        }
        // The ABI has another form of an extension than the JSON of a transaction.
        guard transaction.transaction.extensions.isEmpty else { throw .proposal(.extensions) }
        return try NewAction(
            "eosio.msig", "propose", by: PermissionLevel(activeOf: proposer),
            [
                "proposer": proposer.json, "proposal_name": proposal.json, "requested": .array(requested.map(\.json)),
                "trx": transaction.transaction.json,
            ])
    }

    /// Approves a proposal whose stored bytes have a hash. The permission that approves authorizes
    /// the action.
    /// - Parameter hash: 32 bytes; see ``ProposedTransaction/hash``.
    package static func approve(
        proposer: Name, proposal: Name, level: PermissionLevel, hash: [UInt8]
    ) throws(BuildError) -> NewAction {
        guard !proposal.text.isEmpty else { throw .proposal(.emptyName) }
        guard hash.contains(where: { $0 != 0 }) else { throw .proposal(.zeroHash) }
        return try NewAction(
            "eosio.msig", "approve", by: level,
            [
                "proposer": proposer.json, "proposal_name": proposal.json, "level": level.json,
                "proposal_hash": .string(Hex.encode(hash)),
            ])
    }

    package static func execute(proposer: Name, proposal: Name, executer: Name) throws(BuildError) -> NewAction {
        guard !proposal.text.isEmpty else { throw .proposal(.emptyName) }
        return try NewAction(
            "eosio.msig", "exec", by: PermissionLevel(activeOf: executer),
            [
                "proposer": proposer.json, "proposal_name": proposal.json, "executer": executer.json,
            ])
    }
}
