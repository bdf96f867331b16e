import ABICodec
import Codecs
import JSON
import Keys
import Shell
import Signing
import Transactions

@testable import App

/// Reviews of transactions that are written as JSON.
enum SampleReview {
    /// A public key; the tests have no private key for it.
    static let key = "EOS6gsQXzM6CLbhbDKLEteS6PZb6W2UaHDLvtQN56gxEGYsBZ6rcC"
    static let foreignKey = "EOS5o7Y8p2PZhF5ycRbyoTdWz4SMCDgGi4YwPHoc7iCKk5bJDNXSS"
    /// 2026-12-01T00:00:00 in seconds since 1970.
    static let expiration: Int64 = 1_796_083_200
    static let header = "\"expiration\":\"2026-12-01T00:00:00\",\"ref_block_num\":1,\"ref_block_prefix\":2"

    static func action(
        _ account: String, _ name: String, _ data: String, by levels: [String] = ["alice@active"]
    )
        -> String
    {
        let authorization = levels.map { level in
            let parts = level.split(separator: "@")
            return "{\"actor\":\"\(parts[0])\",\"permission\":\"\(parts[1])\"}"
        }.joined(separator: ",")
        return
            "{\"account\":\"\(account)\",\"name\":\"\(name)\",\"authorization\":[\(authorization)],\"data\":\(data)}"
    }

    static func transfer(
        _ to: String, _ quantity: String, from: String = "alice", memo: String = "",
        contract: String = "eosio.token"
    ) -> String {
        let memo = JSONValue.string(memo).text()
        let data = "{\"from\":\"\(from)\",\"to\":\"\(to)\",\"quantity\":\"\(quantity)\",\"memo\":\(memo)}"
        return action(contract, "transfer", data, by: ["\(from)@active"])
    }

    static func transaction(_ actions: [String], more: String = "", abis: ContractABIs = ContractABIs())
        throws
        -> SignedTransaction
    {
        let text = "{\(header),\"actions\":[\(actions.joined(separator: ","))]\(more)}"
        return try SignedTransaction(reading: Array(text.utf8), abis: abis)
    }

    static func own(labels: [String] = ["cold"]) throws -> [KeyDescription] {
        try labels.map { KeyDescription(try PublicKey(key), label: $0) }
    }

    static func text(
        _ actions: [String], more: String = "", chain: String = "eos", blind: [String] = [], width: Int = 80,
        keys: [KeyDescription]? = nil, abis: ContractABIs = ContractABIs()
    ) throws -> ReviewText {
        let review = try Review(
            of: transaction(actions, more: more, abis: abis), chain: ChainID(chain), abis: abis,
            blind: Set(blind.compactMap { ActionPattern($0) }))
        let keys = try keys ?? own()
        return ReviewText(
            review: review, now: expiration - 1_800, own: OwnKeys(keys), keys: keys, width: width)
    }
}
