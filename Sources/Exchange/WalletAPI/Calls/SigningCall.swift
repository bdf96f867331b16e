import ABICodec
import JSON
import Keys
import Messages
import Transactions

/// The body of `sign_transaction`: the transaction in the form in which cleos writes it, the keys
/// and the chain.
///
/// keosd reads numbers modulo their width, ignores unknown members and takes defaults for missing
/// ones. It then signs something other than what the client wrote. Here, each of them is refused.
package struct SigningCall: Sendable {
    package let transaction: SignedTransaction
    /// K1 before R1, each in the order of the bytes, without repeated keys.
    package let keys: [PublicKey]
    package let chain: ChainID

    init(_ body: PlainBody) throws(WalletError) {
        let parts = try Self.parts(of: body)
        transaction = try Self.transaction(parts[0])
        keys = try Self.keys(parts[1])
        chain = try Self.chain(parts[2])
    }

    /// The texts of the three elements. The syntax of the body is checked.
    private static func parts(of body: PlainBody) throws(WalletError) -> [[UInt8]] {
        try JSONReader.read(body.bytes, limits: BodyLimits.transaction, orThrow: { _ in .unparsable }) {
            reader throws(WalletError) in
            try reader.expectBody()
            // Refuses repeated members and everything that is no JSON.
            try reader.orRefuse { reader throws(JSONError) in
                try reader.skipValue()
                try reader.expectEnd()
            }
        }
        guard let found = try? JSONReader.parts(of: body.bytes, atMost: 3), found.kind == .array else {
            throw .unparsable
        }
        guard found.parts.count == 3 else { throw .missingInput }
        return found.parts.map(\.text)
    }

    // MARK: - the transaction

    private static let integers = [
        "ref_block_num", "ref_block_prefix", "max_net_usage_words", "max_cpu_usage_ms", "delay_sec",
    ]
    private static let actionLists = ["context_free_actions", "actions"]
    private static let members =
        ["expiration"] + integers + actionLists
        + ["transaction_extensions", "signatures", "context_free_data"]
    private static let actionMembers = ["account", "name", "authorization", "data"]

    private static func transaction(_ text: [UInt8]) throws(WalletError) -> SignedTransaction {
        let found = try members(of: text, exactly: members, "the transaction")
        for name in integers where found[name]?.kind != .number {
            throw .unparsable("\(name) is not a number")
        }
        let expiration = found["expiration"].flatMap { try? JSONValue.parse($0.text).string }
        guard expiration?.utf8.count == "2026-12-01T00:00:00".utf8.count else {
            throw .unparsable("expiration is not a time in seconds")
        }
        for name in actionLists { try expectActions(found[name]?.text ?? [], name) }
        do { return try SignedTransaction(reading: text, abis: ContractABIs()) } catch {
            throw .unparsable(error.words.message)
        }
    }

    /// The longest body has room for fewer actions: each has at least 54 bytes.
    private static let maximumActionCount = 40_000

    /// Each action has its data in hex, and no second form of it.
    private static func expectActions(_ text: [UInt8], _ list: String) throws(WalletError) {
        guard let found = try? JSONReader.parts(of: text, atMost: maximumActionCount), found.kind == .array
        else { throw .unparsable("\(list) is not an array") }
        guard found.parts.count <= maximumActionCount else { throw .unparsable("\(list) is too long") }
        for (index, action) in found.parts.enumerated() {
            let path = "\(list)[\(index)]"
            let members = try members(of: action.text, exactly: actionMembers, path)
            guard members["data"]?.kind == .string else { throw .unparsable("\(path).data is not hex") }
        }
    }

    private struct Member {
        let text: [UInt8]

        var kind: JSONKind? {
            // A value is not empty.
            switch text.first ?? 0 {
            case UInt8(ascii: "\""): .string
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number
            default: nil
            }
        }
    }

    /// The members of an object that has exactly these.
    private static func members(
        of text: [UInt8], exactly names: [String], _ place: String
    ) throws(WalletError) -> [String: Member] {
        guard let found = try? JSONReader.parts(of: text, atMost: names.count), found.kind == .object else {
            throw .unparsable("\(place) is not an object")
        }
        let keys = found.parts.map(\.key)
        guard keys.count <= names.count else { throw .unparsable("\(place) has an unknown member") }
        if let name = names.first(where: { !keys.contains($0) }) {
            throw .unparsable("\(place) lacks the member \(name)")
        }
        return Dictionary(uniqueKeysWithValues: found.parts.map { ($0.key, Member(text: $0.text)) })
    }

    // MARK: - keys and chain

    /// More than a transaction can be signed with.
    private static let maximumKeyCount = 1_024

    private static func keys(_ text: [UInt8]) throws(WalletError) -> [PublicKey] {
        guard let found = try? JSONReader.parts(of: text, atMost: maximumKeyCount), found.kind == .array
        else { throw .unparsable("the keys are not an array") }
        guard found.parts.count <= maximumKeyCount else {
            throw .unparsable("more than \(maximumKeyCount) keys")
        }
        var keys: Set<PublicKey> = []
        for part in found.parts {
            guard let text = try? JSONValue.parse(part.text).string else {
                throw .unparsable("a public key is not a text")
            }
            keys.insert(try PublicKey(inRequest: text))
        }
        return keys.inWalletOrder
    }

    private static func chain(_ text: [UInt8]) throws(WalletError) -> ChainID {
        guard let text = try? JSONValue.parse(text).string, text.utf8.count == 2 * ChainID.size,
            let chain = try? ChainID(text)
        else { throw .unparsable("a chain id has 64 hex digits") }
        return chain
    }
}

extension Collection<PublicKey> {
    /// In the order of keosd: K1 before R1, each by its bytes.
    var inWalletOrder: [PublicKey] {
        sorted { left, right in
            left.kind == right.kind
                ? left.body.lexicographicallyPrecedes(right.body) : left.kind.rawValue < right.kind.rawValue
        }
    }
}
