import ABICodec
import JSON
import Transactions

/// What the content of a file is recognised as. The file is not trusted because of it: each command
/// that reads the file checks it again.
package enum FileKind: Equatable, Sendable {
    case abi
    /// An answer to get_info.
    case information
    /// An answer to get_block.
    case block
    /// An answer to get_account.
    case account(Name)
    /// Rows of the tables of eosio.msig: proposals, or approvals.
    case proposals(Int)
    case approvals(Int)
    /// Other rows of an answer to get_table_rows.
    case rows(Int)
    /// JSON of another kind.
    case json

    init(of content: [UInt8]) throws(FileRefusal) {
        if (try? ABIDefinition.read(content)) != nil {
            self = .abi
            return
        }
        guard let json = try? JSONValue.parse(content) else { throw .neitherJSONNorABI }
        self = Self.answer(json, content) ?? .json
    }

    private static func answer(_ json: JSONValue, _ content: [UInt8]) -> FileKind? {
        if json["last_irreversible_block_num"] != nil, json["chain_id"] != nil { return .information }
        if json["id"] != nil, json["block_num"] != nil { return .block }
        if let account = try? AccountPermissions(content).account, let name = try? Name(account) {
            return .account(name)
        }
        let isAnswer = json["rows"] != nil
        guard let rows = isAnswer ? json["rows"]?.array : [json] else { return nil }
        func allHave(_ member: String) -> Bool { !rows.isEmpty && rows.allSatisfy { $0[member] != nil } }
        if allHave("proposal_name"), allHave("packed_transaction") { return .proposals(rows.count) }
        if allHave("proposal_name"), allHave("provided_approvals") { return .approvals(rows.count) }
        return isAnswer ? .rows(rows.count) : nil
    }

    /// For programs.
    package var code: String {
        switch self {
        case .abi: "abi"
        case .information: "info"
        case .block: "block"
        case .account: "account"
        case .proposals: "proposals"
        case .approvals: "approvals"
        case .rows: "rows"
        case .json: "json"
        }
    }

    package var description: String {
        switch self {
        case .abi: "an ABI"
        case .information: "the state of a chain (get_info)"
        case .block: "a block (get_block)"
        case .account(let name): "the account \(name.text) (get_account)"
        case .proposals(let count): Self.count(count, "proposal", "proposals")
        case .approvals(let count): Self.count(count, "row of approvals", "rows of approvals")
        case .rows(let count): Self.count(count, "table row", "table rows")
        case .json: "JSON of another kind"
        }
    }

    private static func count(_ count: Int, _ one: String, _ several: String) -> String {
        "\(count) \(count == 1 ? one : several) (get_table_rows)"
    }
}
