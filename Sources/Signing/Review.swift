import ABICodec
import Curves
import JSON
import Transactions

/// The contents of a transaction, decoded from the same bytes that are hashed and signed.
///
/// A review exists only if the data of each action could be decoded and encodes to the same bytes
/// again, or if the user named the action for signing as bytes. It contains everything that will be
/// signed.
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
    /// The pinned ABIs of the chain. They are not verified before the vault is unlocked.
    package let pins: [PinnedContractABI]

    /// The maximum size of the shown data of all actions, in bytes. An ABI can turn few bytes into
    /// long text that no person would read.
    package static let maximumSize = 4 << 20

    package init(
        of transaction: SignedTransaction, chain: ChainID?, abis: ContractABIs, blind: Set<ActionPattern> = []
    ) throws(SigningError) {
        do { if let chain { try transaction.expectChain(chain) } } catch { throw .transaction(error) }
        self.transaction = transaction
        self.chain = chain
        overrides = abis.overrides
        pins = abis.pins
        digest = chain.map { transaction.digest(for: $0) }
        var budget = Self.maximumSize
        func reviewed(_ actions: [Action], isContextFree: Bool) throws(SigningError) -> [ReviewedAction] {
            var reviewed: [ReviewedAction] = []
            for (index, action) in actions.enumerated() {
                let place = ActionPlace(isContextFree: isContextFree, index: index)
                reviewed.append(try ReviewedAction(action, place, abis: abis, blind: blind, budget: &budget))
            }
            return reviewed
        }
        contextFreeActions = try reviewed(transaction.transaction.contextFreeActions, isContextFree: true)
        actions = try reviewed(transaction.transaction.actions, isContextFree: false)
        signers = digest.map { Signer.all(of: transaction, over: $0) } ?? []
    }
}

/// An action and its decoded data.
package struct ReviewedAction: Sendable {
    package enum Content: Sendable {
        /// The values of the data, with the fields in the ABI's order, and the origin of the ABI.
        /// The value was decoded from the bytes of the action, and encodes to these bytes again.
        case decoded(JSONValue, ContractABIs.Source)
        /// The bytes can't be decoded, and the user named the action for signing as bytes.
        case blind(Undecodable)
    }

    package let action: Action
    package let content: Content
    /// The position of the action in the transaction.
    package let place: ActionPlace
    /// The number of all-zero public keys in the data. No one has a private key for them.
    package let nullKeyCount: Int

    var reference: ActionReference { ActionReference(action, place) }

    /// The maximum cost of a line in bytes, without its value: each value is on its own line,
    /// indented by its depth.
    private static let lineCost = 80

    /// - Parameter budget: How many bytes may still be shown. The size of the shown data, rounded
    ///   up generously, is subtracted.
    init(
        _ action: Action, _ place: ActionPlace, abis: ContractABIs, blind: Set<ActionPattern>, budget: inout Int
    ) throws(SigningError) {
        self.action = action
        self.place = place
        do {
            (content, nullKeyCount) = try Self.decode(action, place, abis: abis, budget: &budget)
        } catch .undecodable(let path, let account, let name, let reason) {
            guard blind.contains(where: { $0.account == account && $0.action == name }) else {
                throw .undecodable(path: path, account: account, action: name, reason)
            }
            content = .blind(reason)
            nullKeyCount = 0
            try Self.spend(Self.lineCost + 2 * action.data.count, of: &budget)
        }
    }

    private static func spend(_ size: Int, of budget: inout Int) throws(SigningError) {
        budget -= size
        guard budget >= 0 else { throw .reviewTooLong(limit: Review.maximumSize) }
    }

    /// Decodes the action's data with the first ABI whose type fits. If none does, throws the error
    /// of the newest ABI.
    private static func decode(
        _ action: Action, _ place: ActionPlace, abis: ContractABIs, budget: inout Int
    ) throws(SigningError) -> (Content, nullKeyCount: Int) {
        func refusal(_ reason: Undecodable) -> SigningError {
            .undecodable(path: place.path, account: action.account, action: action.name, reason)
        }
        func content(_ json: [UInt8], _ source: ContractABIs.Source) throws(SigningError) -> Content {
            // A value takes more memory than its text, so the size of the text is limited first.
            let lines = json.reduce(1) { $1 == UInt8(ascii: ",") ? $0 + 1 : $0 }
            try spend(lineCost * lines + json.count, of: &budget)
            guard let value = value(of: json) else { throw refusal(.notReproduced) }
            return .decoded(value, source)
        }
        if let nonce = action.nonce(isContextFree: place.isContextFree) { return (try content(nonce, .builtIn), 0) }
        let types: [(type: ABIType, source: ContractABIs.Source)]
        do {
            types = try abis.types(account: action.account, action: action.name)
        } catch .noABI {
            throw refusal(.noABI)
        } catch .unknownAction {
            throw refusal(.unknownAction)
        } catch .actionNotBuiltIn {
            throw refusal(.actionNotBuiltIn)
        } catch .abi(_, let error) {
            throw refusal(.type(error))
        } catch { throw .transaction(error) }
        var first: Undecodable?
        for (type, source) in types {
            let decoded: (json: [UInt8], nullKeyCount: Int)
            do { decoded = try decode(action.data, as: type) } catch {
                first = first ?? error
                continue
            }
            return (try content(decoded.json, source), decoded.nullKeyCount)
        }
        throw refusal(first ?? .unknownAction)
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

    /// The value of a text that the decoder wrote. Nil if it would not print as the same text.
    private static func value(of json: [UInt8]) -> JSONValue? {
        guard let value = try? JSONValue.parse(json) else { return nil }
        var writer = JSONWriter()
        writer.write(value)
        return writer.bytes == json ? value : nil
    }
}

/// The signer of one of the transaction's signatures.
package enum Signer: Equatable, Sendable {
    case key(PublicKey)
    /// The key is recovered, but today's chains refuse the signature: r or s is too high, or has a
    /// superfluous leading zero.
    case nonCanonical(PublicKey)
    /// No key can be recovered, for this reason.
    case unknown(CurveError)

    package var key: PublicKey? {
        switch self {
        case .key(let key), .nonCanonical(let key): key
        case .unknown: nil
        }
    }

    static func all(of transaction: SignedTransaction, over digest: SigningDigest) -> [Signer] {
        transaction.signatures.map { signature in
            let key: PublicKey
            do throws(CurveError) { key = try signature.recover(digest) } catch { return .unknown(error) }
            return signature.kind == .k1 && !signature.isCanonical ? .nonCanonical(key) : .key(key)
        }
    }
}
