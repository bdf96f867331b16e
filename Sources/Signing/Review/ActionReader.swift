import ABICodec
import Codecs
import JSON
import Transactions

/// Decodes the actions of a transaction and of the transactions inside.
struct ActionReader {
    let abis: ContractABIs
    let blind: Set<ActionPattern>
    let proposals: [SignedTransaction]
    /// How many bytes may still be shown. The size of the shown data, rounded up generously, is
    /// subtracted.
    private var budget = Review.maximumSize

    /// The types of the actions that were read. A transaction often has many actions of a kind.
    private var known: [TypeKey: [(type: ABIType, source: ContractABIs.Source)]] = [:]

    private struct TypeKey: Hashable {
        let account, action: Name
    }

    /// The maximum cost of a line in bytes, without its value: each value is on its own line,
    /// indented by its depth.
    private static let lineCost = 80

    init(abis: ContractABIs, blind: Set<ActionPattern>, proposals: [SignedTransaction]) {
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
        for (index, action) in actions.enumerated() {
            reviewed.append(try read(action, ActionPlace(isContextFree: isContextFree, index: index), outer))
        }
        return reviewed
    }

    private mutating func read(
        _ action: Action, _ place: ActionPlace, _ outer: [ActionPlace]
    ) throws(SigningError) -> ReviewedAction {
        let decoded: Decoded
        do { decoded = try decode(action, isContextFree: place.isContextFree) } catch {
            switch error {
            case .undecodable(let reason):
                guard blind.contains(where: { $0.account == action.account && $0.action == action.name }) else {
                    throw refusal(reason, action, place, outer)
                }
                try spend(Self.lineCost + 2 * action.data.count)
                return ReviewedAction(
                    action: action, content: .blind(reason), value: nil, partial: partial(of: action),
                    place: place, outer: outer, nullKeyCount: 0)
            case .signing(let error): throw error
            }
        }
        return ReviewedAction(
            action: action, content: .decoded(decoded.json, decoded.source), value: decoded.value,
            nested: try nested(in: action, decoded.value, place, outer),
            newABI: NewABI(action, decoded.value, abis: abis), place: place, outer: outer,
            nullKeyCount: decoded.nullKeyCount)
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

    private mutating func spend(_ size: Int) throws(SigningError) {
        budget -= size
        guard budget >= 0 else { throw .reviewTooLong(limit: Review.maximumSize) }
    }

    // MARK: - data

    private struct Decoded {
        let json: JSONValue
        let value: TypedValue
        let source: ContractABIs.Source
        let nullKeyCount: Int
    }

    private enum Failure: Error {
        case undecodable(Undecodable)
        case signing(SigningError)
    }

    /// Decodes the action's data with the first ABI whose type fits. If none does, throws the error
    /// of the newest ABI.
    private mutating func decode(_ action: Action, isContextFree: Bool) throws(Failure) -> Decoded {
        if let nonce = action.nonce(isContextFree: isContextFree) {
            let json = try value(of: nonce)
            let fields = (json.object ?? []).map { member in
                TypedField(name: member.key, value: .plain(member.value.string ?? member.value.number ?? ""))
            }
            return Decoded(json: json, value: .fields(fields), source: .builtIn, nullKeyCount: 0)
        }
        var first: Undecodable?
        for (type, source) in try types(of: action) {
            let text: (json: [UInt8], nullKeyCount: Int)
            do { text = try Self.decode(action.data, as: type) } catch {
                first = first ?? error
                continue
            }
            let json = try value(of: text.json)
            guard let value = type.typed(json) else { throw .undecodable(.notReproduced) }
            return Decoded(json: json, value: value, source: source, nullKeyCount: text.nullKeyCount)
        }
        throw .undecodable(first ?? .unknownAction)
    }

    private mutating func types(of action: Action) throws(Failure) -> [(type: ABIType, source: ContractABIs.Source)] {
        let key = TypeKey(account: action.account, action: action.name)
        if let known = known[key] { return known }
        do {
            let types = try abis.types(account: action.account, action: action.name)
            known[key] = types
            return types
        } catch {
            switch error {
            case .noABI: throw .undecodable(.noABI)
            case .unknownAction: throw .undecodable(.unknownAction)
            case .actionNotBuiltIn: throw .undecodable(.actionNotBuiltIn)
            case .abi(_, let error): throw .undecodable(.type(error))
            default: throw .signing(.transaction(error))
            }
        }
    }

    /// The value of a text that the decoder wrote. Refuses a value that would not print as the same
    /// text.
    private mutating func value(of json: [UInt8]) throws(Failure) -> JSONValue {
        // A value takes more memory than its text, so the size of the text is limited first.
        var lines = 1
        for byte in json where byte == UInt8(ascii: ",") { lines += 1 }
        do throws(SigningError) { try spend(Self.lineCost * lines + json.count) } catch { throw .signing(error) }
        guard let value = try? JSONValue.parse(json) else { throw .undecodable(.notReproduced) }
        var writer = JSONWriter()
        writer.write(value)
        guard writer.bytes == json else { throw .undecodable(.notReproduced) }
        return value
    }

    /// Decodes data to text that encodes to the same bytes again. Also returns the number of
    /// all-zero keys.
    private static func decode(
        _ data: [UInt8], as type: ABIType
    ) throws(Undecodable) -> (json: [UInt8], nullKeyCount: Int) {
        var writer = JSONWriter()
        let nullKeyCount: Int
        let again: [UInt8]
        do {
            nullKeyCount = try type.decode(data, into: &writer)
            again = try type.encode(json: writer.bytes)
        } catch { throw .data(error) }
        guard again == data else { throw .notReproduced }
        return (writer.bytes, nullKeyCount)
    }

    /// The data without bytes that follow it: contracts ignore them, so the data still has an
    /// effect. Nil for data that can't be decoded at all.
    private func partial(of action: Action) -> (value: TypedValue, trailing: Int)? {
        guard let type = try? abis.type(account: action.account, action: action.name).type else { return nil }
        var writer = JSONWriter()
        let trailing: Int? = ByteReader.read(action.data) { reader in
            guard (try? type.decode(&reader, into: &writer)) != nil else { return nil }
            return reader.remaining
        }
        guard let trailing, trailing > 0, let json = try? JSONValue.parse(writer.bytes),
            let value = type.typed(json)
        else { return nil }
        return (value, trailing)
    }

    // MARK: - nested transactions

    private mutating func nested(
        in action: Action, _ value: TypedValue, _ place: ActionPlace, _ outer: [ActionPlace]
    ) throws(SigningError) -> NestedTransaction? {
        let outer = outer + [place]
        let (role, transaction): (NestedTransaction.Role, SignedTransaction)
        if let found = NestedTransaction.bytes(in: action, value) {
            do { (role, transaction) = (found.role, try SignedTransaction(packed: found.bytes)) } catch {
                throw .transaction(error)
            }
        } else if let proposal = try proposal(of: action, value, outer) {
            (role, transaction) = (.approved, proposal)
        } else {
            return nil
        }
        guard outer.count <= NestedTransaction.depthLimit else {
            throw .nestedTooDeep(limit: NestedTransaction.depthLimit)
        }
        let (contextFree, actions) = try read(transaction.transaction, outer: outer)
        return NestedTransaction(
            role: role, transaction: transaction, contextFreeActions: contextFree, actions: actions)
    }

    /// The proposal whose hash an `approve` action states; nil if the action states no hash, or no
    /// proposals were given.
    private func proposal(
        of action: Action, _ value: TypedValue, _ outer: [ActionPlace]
    ) throws(SigningError) -> SignedTransaction? {
        guard let approval = ProposalApproval(action, value), let hash = approval.hash else { return nil }
        let path = outer.map(\.path).joined(separator: ".inner.")
        guard hash.contains(where: { $0 != 0 }) else { throw .zeroProposalHash(path: path) }
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

    init?(_ action: Action, _ value: TypedValue) {
        guard action.name.text == "approve", let proposer = value["proposer"]?.name,
            let proposal = value["proposal_name"]?.name, value["level"]?.isPermissionLevel == true
        else { return nil }
        self.proposer = proposer
        self.proposal = proposal
        switch value["proposal_hash"] {
        case .plain(let text): hash = (try? Hex.decode(text)) ?? []
        default: hash = nil
        }
    }
}
