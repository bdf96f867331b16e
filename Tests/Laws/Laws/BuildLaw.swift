import ABICodec
import Codecs
import JSON
import Keys
import Transactions

/// What `build` reads: the text of an authority, and a node's answers about a block, an account and
/// a proposal.
public enum BuildLaw: Law {
    public static let name = "Build"
    private static let chain = Chain.all.first.flatMap { try? ChainID($0.id) }

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let key = "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"
        let authority = """
            {"threshold":2,"keys":[{"key":"\(key)","weight":1},{"key":"cold","weight":1}],\
            "accounts":[{"permission":{"actor":"bob","permission":"active"},"weight":1}],\
            "waits":[{"wait_sec":60,"weight":1}]}
            """
        let id = "0000000130d70e94e0022fd2fa035cabb9e542c34ea27f572ac90b5a7aa3d891"
        let current = """
            {"account_name":"alice","permissions":[{"perm_name":"active","parent":"owner",\
            "required_auth":{"threshold":1,"keys":[{"key":"\(key)","weight":1}],"accounts":[],"waits":[]}}]}
            """
        let packed = "000e0e6be80378563412000000000000"
        let files = vectors.tests("built-transactions").flatMap { $0["files"]?.object ?? [] }
        return files.map { Array($0.value.text().utf8) }
            + [
                key, "cold treasury", "bob@active", authority, id, packed, packed + "beef", current,
                "{\"chain_id\":\"\(chain?.text ?? "")\",\"last_irreversible_block_num\":1,"
                    + "\"last_irreversible_block_id\":\"\(id)\"}",
                "{\"id\":\"\(id)\",\"block_num\":1,\"ref_block_prefix\":3526296288}",
                "{\"proposal_name\":\"a\",\"packed_transaction\":\"\(packed)\"}",
                "{\"account\":\"eosio.msig\",\"name\":\"propose\",\"authorization\":[],\"data\":\"00\"}",
                "90m", "2026-12-01T00:00:00", "1.5%", "15000000000000",
                "account,amount,memo\r\nbob,1.0000 EOS,\"one, \"\"two\"\"\"\r\ncarol,2.0000 EOS,",
                "{\"proposal_name\":\"a\",\"requested_approvals\":[],\"provided_approvals\":[{\"level\":"
                    + "{\"actor\":\"bob\",\"permission\":\"active\"},\"time\":\"2026-11-22T16:04:00.000\"}]}",
            ].map { Array($0.utf8) }
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        if let given = try? AuthorityText(text(input)), given.labels.isEmpty,
            let authority = try? given.authority(LabelledKeys())
        {
            try check(authority)
        }
        if let chain, let reference = try? BlockReference(answer: input, chain: chain) {
            try law(reference != .none, "an answer names a block")
        }
        if let alice = try? Name("alice"), let active = try? Name("active"),
            let current = try? CurrentAuthority.find(active, of: alice, in: input)
        {
            try check(current.authority, isReported: true)
        }
        if let time = try? ExpirationText(text(input)).time(now: 0) {
            try law(time.seconds > 0 || text(input).contains("T"), "a duration is not zero")
        }
        if let share = try? ResourceShare(text(input)) {
            try law((0...1_000_000_000_000_000).contains(share.units), "a share is at most everything")
        }
        if let chain, let alice = try? Name("alice"),
            let payments = try? PaymentTable(csv: input, chain: chain, contract: nil),
            let groups = try? payments.transfers(from: alice, authorizedBy: [], atMost: 2)
        {
            try law(
                groups.reduce(0) { $0 + $1.count } == payments.count && groups.allSatisfy { $0.count <= 2 },
                "each payment is in one transaction")
            let lines = groups.map(\.lines)
            try law(
                zip(lines, lines.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound },
                "the payments are in the order of their lines")
        }
        if let approvals = try? ProposalApprovals(reading: input, proposal: nil) {
            let levels = approvals.approved.map(\.level) + approvals.missing
            try law(Set(levels).count == levels.count, "a permission is asked once")
        }
        if let proposed = try? ProposedTransaction(reading: input, name: nil, abis: ContractABIs()) {
            try law(
                proposed.hash == HashFunction.sha256.hash(proposed.stored), "the hash is that of the bytes")
            let packed = proposed.transaction.packed
            try law(
                proposed.stored.starts(with: packed)
                    && proposed.stored.count == packed.count + proposed.trailingCount,
                "the transaction is at the start of the stored bytes")
        }
    }

    /// nodeos accepts the authority: sorted, without duplicates, reachable. A reported one may be
    /// unreachable, and have the all-zero key.
    private static func check(_ authority: Authority, isReported: Bool = false) throws(LawBroken) {
        let weights =
            authority.keys.map(\.weight) + authority.accounts.map(\.weight) + authority.waits.map(\.weight)
        try law(
            authority.threshold > 0
                && (isReported || weights.reduce(0) { $0 + Int($1) } >= Int(authority.threshold)),
            "the weights reach the threshold")
        let levels = authority.accounts.map(\.level)
        try law(zip(levels, levels.dropFirst()).allSatisfy { $0 < $1 }, "the accounts are sorted")
        let waits = authority.waits.map(\.seconds)
        try law(zip([0] + waits, waits).allSatisfy { $0 < $1 }, "the waits are sorted, and not zero")
        let keys = authority.keys.map(\.key)
        try law(Set(keys).count == keys.count, "each key occurs once")
        try law(
            keys.map(\.kind.rawValue) == keys.map(\.kind.rawValue).sorted(), "the kinds of keys are sorted")
    }
}
