import ABICodec
import Codecs
import JSON
import Keys
import Policy
import Signing
import Transactions

/// The review of a packed transaction. What is shown is decoded from the bytes and encodes to the
/// same bytes; the summary counts every action.
public enum ReviewLaw: Law {
    public static let name = "Review"
    private static let chain = Chain.all.first.flatMap { try? ChainID($0.id) }
    private static let key = "EOS6gsQXzM6CLbhbDKLEteS6PZb6W2UaHDLvtQN56gxEGYsBZ6rcC"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let built = vectors.tests("built-transactions").compactMap { $0["packed_trx"]?.string }
        let packed = vectors.tests("transactions").compactMap { $0["packed_trx"]?.string }
        let hex: [String] = (built + packed).filter { $0.utf8.count < 4_000 }
        let transactions: [[UInt8]] = try hex.map { try Hex.decode($0) }
        let made: [[UInt8]] = try (nested() + samples()).map { try Self.packed(actions: $0) }
        return transactions + made
    }

    /// Actions whose data is written as JSON.
    private static func samples() -> [[String]] {
        let authority = """
            {"threshold":1,"keys":[{"key":"\(key)","weight":1}],"accounts":[{"permission":{"actor":"bob",\
            "permission":"eosio.code"},"weight":1}],"waits":[{"wait_sec":60,"weight":1}]}
            """
        return [
            [
                action(
                    "eosio", "updateauth",
                    #"{"account":"a","permission":"owner","parent":"","auth":\#(authority)}"#)
            ],
            [
                action(
                    "eosio", "newaccount",
                    #"{"creator":"a","name":"b","owner":\#(authority),"active":\#(authority)}"#)
            ],
            [action("eosio", "setcode", #"{"account":"a","vmtype":0,"vmversion":0,"code":"0061736d"}"#)],
            [
                action(
                    "eosio", "setabi",
                    #"{"account":"a","abi":"0e656f73696f3a3a6162692f312e3000000000000000"}"#)
            ],
            [action("eosio", "linkauth", #"{"account":"a","code":"b","type":"","requirement":"eosio.any"}"#)],
            [transfer("b", "1.0000 EOS"), transfer("", "-1 MMM"), transfer("eosio", "0.00 EOS")],
            [action("core.vaulta", "buyram", #"{"payer":"a","receiver":"b","quant":"1.0000 A"}"#)],
            [
                action(
                    "eosio.msig", "approve",
                    #"{"proposer":"a","proposal_name":"b","level":{"actor":"c","permission":"active"}}"#)
            ],
            [action("dex", "trade", "\"00\"")],
        ]
    }

    private static func transfer(_ to: String, _ quantity: String) -> String {
        action(
            "eosio.token", "transfer",
            #"{"from":"a","to":"\#(to)","quantity":"\#(quantity)","memo":"\u202e  x"}"#)
    }

    /// A transfer in a proposal, and in proposals of proposals beyond the limit.
    private static func nested() throws -> [[String]] {
        var actions = [transfer("b", "1.0000 EOS")]
        return try (0...NestedTransaction.depthLimit + 1).map { level in
            let inner = Hex.encode(try packed(actions: actions))
            // `exec` of eosio.wrap: a name and a transaction.
            let data =
                level.isMultiple(of: 2)
                ? "0000000000000030" + inner : "0000000000000030" + "0000000000000030" + "00" + inner
            let (account, name) = level.isMultiple(of: 2) ? ("eosio.wrap", "exec") : ("eosio.msig", "propose")
            actions = [action(account, name, "\"\(data)\"")]
            return actions
        }
    }

    private static func action(_ account: String, _ name: String, _ data: String) -> String {
        """
        {"account":"\(account)","name":"\(name)","authorization":[{"actor":"a","permission":"active"}],"data":\(data)}
        """
    }

    private static func packed(actions: [String]) throws -> [UInt8] {
        let text = """
            {"expiration":"2026-12-01T00:00:00","ref_block_num":1,"ref_block_prefix":1,\
            "actions":[\(actions.joined(separator: ","))]}
            """
        return try SignedTransaction(reading: Array(text.utf8), abis: ContractABIs()).packed
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        if let transaction = try? SignedTransaction(packed: input) { try check(transaction) }
    }

    private static func check(_ transaction: SignedTransaction) throws(LawBroken) {
        // Every action may be signed as bytes.
        let blind = Set(
            (transaction.transaction.contextFreeActions + transaction.transaction.actions).compactMap {
                ActionPattern("\($0.account.text)::\($0.name.text)")
            })
        guard
            let review = try? Review(
                of: transaction, chain: chain, abis: ContractABIs(), blind: blind,
                proposals: [GivenProposal(transaction)])
        else { return }
        for action in review.allActions { try check(action) }
        let summary = review.summary
        try law(
            summary.kinds.reduce(0) { $0 + $1.count } == review.allActions.count
                && summary.actionCount + summary.innerCount == review.allActions.count,
            "the summary counts each action"
        )
        let payments = review.allActions.flatMap(\.payments)
        try law(
            summary.totals.reduce(0) { $0 + $1.count } == payments.count, "the summary counts each payment")
        try law(
            summary.totals.reduce(Int128(0)) { $0 + $1.amount }
                == payments.reduce(Int128(0)) { $0 + Int128($1.quantity.amount) },
            "the totals are the payments")
        for own in [nil, (try? PublicKey(key)).map { OwnKeys([KeyDescription($0, label: nil)]) }] {
            let warnings = review.warnings(now: 1_796_000_000, own: own)
            for warning in warnings {
                try law(
                    WarningCode(rawValue: warning.code.rawValue) == warning.code, "the code is in the list")
                try law(!warning.text.isEmpty, "a warning has a text")
            }
            let grouped = WarningGroup.all(warnings).reduce(0) { $0 + $1.warnings.count }
            try law(grouped == warnings.count, "each warning is in a group")
            for danger in review.dangers(own: own) {
                try law(
                    !danger.subject.isEmpty || warnings.contains { $0.code == danger.code },
                    "a danger is a warning")
            }
        }
    }

    private static func check(_ reviewed: ReviewedAction) throws(LawBroken) {
        let action = reviewed.action
        guard case .decoded = reviewed.content, let value = reviewed.value else {
            return try law(reviewed.value == nil, "an action that is signed as bytes has no value")
        }
        try check(value)
        // The nonce of eosio.null has no ABI.
        guard let types = try? ContractABIs().types(account: action.account, action: action.name) else {
            return
        }
        let text = Array(value.json.text().utf8)
        try law(
            types.contains { (try? $0.type.encode(json: text)) == action.data },
            "the shown data encodes to the bytes of the action")
        if let nested = reviewed.nested, nested.role != .approved {
            try law(
                action.data.suffix(nested.transaction.packed.count).elementsEqual(nested.transaction.packed),
                "the nested transaction is the end of the data")
        }
    }

    /// Other values than text are words of printable ASCII characters.
    private static func check(_ value: TypedValue) throws(LawBroken) {
        switch value {
        case .plain(let text), .unquoted(let text), .publicKey(let text):
            try law(text.utf8.allSatisfy { (0x21...0x7e).contains($0) }, "a value is a word")
        case .list(let list): for item in list { try check(item) }
        case .fields(let fields): for field in fields { try check(field.value) }
        case .alternative(_, let inner): try check(inner)
        case .name, .asset, .text, .bytes, .absent: return
        }
    }
}
