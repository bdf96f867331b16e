import ABICodec
import Codecs
import JSON
import Transactions

/// Decodes the actions of a transaction and of the transactions inside.
struct ActionReader {
    let abis: ContractABIs
    let blind: Set<ActionPattern>
    let proposals: [GivenProposal]
    /// True if an action that was read contains or refers to a transaction.
    private(set) var hasNested = false

    /// Its budget is how many bytes may still be shown.
    private var decoder = ValueDecoder(budget: Review.maximumSize)

    init(abis: ContractABIs, blind: Set<ActionPattern>, proposals: [GivenProposal]) {
        self.abis = abis
        self.blind = blind
        self.proposals = proposals
    }

    /// Decodes all actions of a transaction.
    mutating func read(
        _ transaction: Transaction, outer: [ActionPlace]
    ) throws(SigningError) -> (contextFree: [ReviewedAction], actions: [ReviewedAction]) {
        let contextFree = try read(transaction.contextFreeActions, isContextFree: true, outer)
        return (contextFree, try read(transaction.actions, isContextFree: false, outer))
    }

    private mutating func read(
        _ actions: [Action], isContextFree: Bool, _ outer: [ActionPlace]
    ) throws(SigningError) -> [ReviewedAction] {
        var reviewed: [ReviewedAction] = []
        reviewed.reserveCapacity(actions.count)
        let list = actions.span
        for index in list.indices {
            reviewed.append(
                try read(list[index], ActionPlace(isContextFree: isContextFree, index: index), outer))
        }
        return reviewed
    }

    private mutating func read(
        _ action: Action, _ place: ActionPlace, _ outer: [ActionPlace]
    ) throws(SigningError) -> ReviewedAction {
        let (value, source, nullKeyCount): (TypedValue, ContractABIs.Source, Int)
        do { (value, source, nullKeyCount) = try decode(action, isContextFree: place.isContextFree) } catch {
            switch error {
            case .undecodable(let reason):
                guard blind.contains(where: { $0.account == action.account && $0.action == action.name })
                else {
                    throw refusal(reason, action, place, outer)
                }
                try spend(on: action)
                return ReviewedAction(
                    action: action, content: .blind(reason), value: nil, partial: try partial(of: action),
                    place: place, outer: outer, nullKeyCount: 0)
            case .signing(let error): throw error
            }
        }
        return ReviewedAction(
            action: action, content: .decoded(source), value: value,
            nested: try nested(in: action, value, place, outer),
            stated: try stated(in: action, value, place, outer),
            newABI: NewABI.find(in: action, value, abis), place: place, outer: outer,
            nullKeyCount: nullKeyCount)
    }

    private func refusal(
        _ reason: Undecodable, _ action: Action, _ place: ActionPlace, _ outer: [ActionPlace]
    ) -> SigningError {
        .undecodable(
            path: Self.path(place, outer), account: action.account, action: action.name, reason)
    }

    /// For example `actions[2]`, or `actions[0].inner.actions[2]`.
    private static func path(_ place: ActionPlace, _ outer: [ActionPlace]) -> String {
        (outer + [place]).map(\.path).joined(separator: ".inner.")
    }

    /// Subtracts the size of data that is shown as bytes.
    private mutating func spend(on action: Action) throws(SigningError) {
        decoder.budget -= ValueDecoder.valueCost + 2 * action.data.count
        guard decoder.budget >= 0 else { throw .reviewTooLong(limit: Review.maximumSize) }
    }

    // MARK: - data

    private enum Failure: Error {
        case undecodable(Undecodable)
        case signing(SigningError)
    }

    /// Decodes the action's data with the first ABI whose type fits. If none does, throws the error
    /// of the newest ABI.
    private mutating func decode(_ action: Action, isContextFree: Bool) throws(Failure) -> (
        TypedValue, ContractABIs.Source, nullKeyCount: Int
    ) {
        if let nonce = action.nonce(isContextFree: isContextFree) {
            do throws(SigningError) { try spend(on: action) } catch { throw .signing(error) }
            return (nonce, .builtIn, 0)
        }
        var first: Undecodable?
        for (type, source) in try types(of: action) {
            let value: TypedValue?
            do { value = try decoder.decode(action.data, as: type) } catch {
                first = first ?? .data(error)
                continue
            }
            guard let value else { throw .signing(.reviewTooLong(limit: Review.maximumSize)) }
            // The value that is shown must encode to the bytes that are signed.
            guard type.encodes(value, to: action.data) else {
                first = first ?? .notReproduced
                continue
            }
            return (value, source, decoder.nullKeyCount)
        }
        throw .undecodable(first ?? .unknownAction)
    }

    private func types(of action: Action) throws(Failure) -> [(type: ABIType, source: ContractABIs.Source)] {
        do { return try abis.types(account: action.account, action: action.name) } catch {
            switch error {
            case .noABI: throw .undecodable(.noABI)
            case .unknownAction: throw .undecodable(.unknownAction)
            case .actionNotBuiltIn: throw .undecodable(.actionNotBuiltIn)
            case .abi(_, let error): throw .undecodable(.type(error))
            default: throw .signing(.transaction(error))
            }
        }
    }

    /// The data without bytes that follow it: contracts ignore them, so the data still has an
    /// effect. Nil for data that can't be decoded at all.
    private mutating func partial(of action: Action) throws(SigningError) -> (
        value: TypedValue, trailing: Int
    )? {
        guard let type = try? abis.type(account: action.account, action: action.name).type else { return nil }
        var trailing = 0
        let value: TypedValue?
        do {
            value = try ByteReader.read(action.data) { reader throws(ABIError) in
                defer { trailing = reader.remaining }
                return try decoder.decode(&reader, as: type)
            }
        } catch { return nil }
        guard let value else {
            // Data that can't be decoded at all has no part to show, whatever it costs.
            guard let rest = Self.trailingCount(action.data, type), rest > 0 else { return nil }
            throw .reviewTooLong(limit: Review.maximumSize)
        }
        return trailing > 0 ? (value, trailing) : nil
    }

    /// The number of bytes after a value of the type; nil if the data does not begin with one.
    private static func trailingCount(_ data: [UInt8], _ type: ABIType) -> Int? {
        var writer = JSONWriter()
        return ByteReader.read(data) { reader in
            (try? type.decode(&reader, into: &writer)).map { _ in reader.remaining }
        }
    }

    // MARK: - nested transactions

    private mutating func nested(
        in action: Action, _ value: TypedValue, _ place: ActionPlace, _ outer: [ActionPlace]
    ) throws(SigningError) -> NestedTransaction? {
        let (role, transaction): (NestedTransaction.Role, SignedTransaction)
        if let found = NestedTransaction.bytes(in: action, value) {
            do { (role, transaction) = (found.role, try SignedTransaction(packed: found.bytes)) } catch {
                throw .transaction(error)
            }
        } else if let proposal = try proposal(of: action, value, place, outer) {
            (role, transaction) = (.approved, proposal)
        } else {
            return nil
        }
        hasNested = true
        guard outer.count < NestedTransaction.depthLimit else {
            throw .nestedTooDeep(limit: NestedTransaction.depthLimit)
        }
        return try nested(transaction, role, place, outer)
    }

    private mutating func nested(
        _ transaction: SignedTransaction, _ role: NestedTransaction.Role, _ place: ActionPlace,
        _ outer: [ActionPlace]
    ) throws(SigningError) -> NestedTransaction {
        let (contextFree, actions) = try read(transaction.transaction, outer: outer + [place])
        return NestedTransaction(
            role: role, transaction: transaction, contextFreeActions: contextFree, actions: actions)
    }

    /// The transaction that an `exec` executes according to a given file; nil for any other action.
    private mutating func stated(
        in action: Action, _ value: TypedValue, _ place: ActionPlace, _ outer: [ActionPlace]
    ) throws(SigningError) -> StatedExecution? {
        guard let given = ProposalExecution.find(in: action, value)?.find(in: proposals),
            outer.count < NestedTransaction.depthLimit
        else { return nil }
        return StatedExecution(
            file: given.file, transaction: try nested(given.transaction, .stated, place, outer))
    }

    /// The proposal whose hash an `approve` action states; nil if the action states no hash, or no
    /// proposals were given.
    private func proposal(
        of action: Action, _ value: TypedValue, _ place: ActionPlace, _ outer: [ActionPlace]
    ) throws(SigningError) -> SignedTransaction? {
        guard let approval = ProposalApproval.find(in: action, value), let hash = approval.hash else {
            return nil
        }
        let path = Self.path(place, outer)
        guard hash.contains(where: { $0 != 0 }) else { throw .zeroProposalHash(path: path) }
        let proposals = proposals.map(\.transaction)
        if let proposal = proposals.first(where: { $0.idBytes == hash }) { return proposal }
        guard let other = proposals.first else { return nil }
        throw .otherProposal(path: path, stated: Hex.encode(hash), given: other.id)
    }
}

/// The action `approve` of eosio.msig, or of a contract with the same interface.
struct ProposalApproval {
    let proposer: Name
    let proposal: Name
    /// SHA-256 of the packed transaction; nil if the action approves whatever the proposal is.
    let hash: [UInt8]?

    /// - Returns: nil for any other action.
    static func find(in action: Action, _ value: TypedValue) -> ProposalApproval? {
        guard action.name == .approve, let fields = value.fields, (3...4).contains(fields.count),
            let (proposer, proposal) = value.proposal, fields[2].value.isPermissionLevel
        else { return nil }
        let hash = fields.dropFirst(3).first?.value.plain.map { (try? Hex.decode($0)) ?? [] }
        return ProposalApproval(proposer: proposer, proposal: proposal, hash: hash)
    }
}
