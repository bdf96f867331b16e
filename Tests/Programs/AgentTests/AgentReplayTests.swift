import TestSupport
import Testing

/// The recorded requests of cleos and others, sent to a real agent with a real vault. The answers
/// are those of keosd, except for the deliberate differences.
struct AgentReplayTests {
    private static func policy(for chain: String) -> String {
        let actions = [("eosio.token", "*"), ("eosio", "*"), ("eosio.msig", "*"), ("eosio.null", "nonce")]
        let rules = actions.map { #"{"contract":"\#($0)","action":"\#($1)"}"# }.joined(separator: ",")
        return #"{"version":1,"chains":["\#(chain)"],"transaction":{"context_free_actions":"rules"},"#
            + #""rules":[\#(rules)]}"#
    }

    private static func check(
        _ row: Recorded.Row, with agent: ReplayAgent, _ differences: [Difference]
    ) throws {
        let difference = differences.of(row)
        let closes = row.closes(difference)
        let found = try agent.exchange(
            row.bytes, answers: difference == nil ? row.answers.count : 1,
            isHalfClosed: row.isHalfClosed, closes: closes)
        let fault = row.fault(in: found.answers, isClosed: found.isClosed, difference)
        #expect(fault == nil)
    }

    @Test func commandsOfCleos() throws {
        let rows = try Recorded.rows("exchanges")
        let agent = try ReplayAgent(
            pin: Recorded.password, keys: [], policy: Self.policy(for: Recorded.chain))
        for row in rows {
            // keosd's `create` left its new wallet unlocked.
            if row.name == "10" { try agent.call("unlock", #"["default","\#(Recorded.password)"]"#) }
            if let key = Recorded.createdKeys[row.name] {
                // A created key is random: the recorded one is imported.
                try agent.call("import_key", #"["default","\#(key)"]"#)
            } else {
                try Self.check(row, with: agent, Difference.ofPolicies + Difference.ofCommands)
            }
        }
        #expect(rows.count == 79)
    }

    @Test func unusualHTTP() throws {
        let rows = try Recorded.rows("http")
        let agent = try ReplayAgent(
            pin: Recorded.bodyPassword, keys: [Recorded.walletKeys[0]],
            policy: Self.policy(for: Recorded.chain))
        try agent.call("unlock", #"["default","\#(Recorded.bodyPassword)"]"#)
        for row in rows {
            // It opens the wallet, which locks it.
            if row.name == "chunked request" { try agent.lock() }
            try Self.check(row, with: agent, Difference.ofHTTP)
        }
        #expect(rows.count == 50)
    }

    @Test func bodies() throws {
        let rows = try Recorded.rows("bodies").filter { !$0.name.hasSuffix("file removed") }
        let locked = [
            "wrong password", "keys after open", "sign after the timeout", "keys after the timeout",
        ]
        let agent = try ReplayAgent(
            pin: Recorded.bodyPassword, keys: Recorded.walletKeys,
            policy: Self.policy(for: Recorded.mainChain),
            Recorded.walletPublicKeys.flatMap { ["--allow-digest", $0] })
        for row in rows {
            try agent.lock()
            if !row.name.hasPrefix("unlock"), !locked.contains(row.name) {
                try agent.call("unlock", #"["default","\#(Recorded.bodyPassword)"]"#)
            }
            try Self.check(row, with: agent, Difference.ofVault + Difference.ofBodies)
        }
        #expect(rows.count == 104)
    }
}

extension Recorded.Row {
    /// True if the agent closes the connection after its answer.
    fileprivate func closes(_ difference: Difference?) -> Bool {
        switch difference?.answer {
        case .error, .transactionUnchanged, .otherR1Nonces: false
        case .status(_, _, let closes), .answer(_, _, let closes): closes
        case nil: isHalfClosed || isClosed ?? false
        }
    }
}

extension Difference {
    /// Added to `ofCommands`.
    fileprivate static let ofPolicies = [
        Difference(
            "no policy accepts a danger",
            .error(
                3_120_000, "the transaction is dangerous: unseen-execution of alice (danger-not-allowed)"),
            ["57"])
    ]

    /// Before `ofBodies`.
    fileprivate static let ofVault = [
        Difference(
            "what can't be decoded is refused",
            .error(
                3_120_000,
                "actions[0]: data: from: the bytes end too early: 8 bytes needed at byte 0, 0 available "
                    + "(undecodable)"),
            ["empty data"]),
        Difference(
            "a policy can't decide about a digest",
            .error(3_120_000, "the key has a policy, which can't decide about a digest (policy-rule)"),
            ["sign_digest: ok", "sign_digest: ok PUB_K1", "sign_digest: upper case", "sign_digest: R1"]),
    ]
}
