import Glibc
import TestSupport
import Testing

/// A person at the agent's terminal accepts the requests of clients.
struct AgentQuestionTests {
    private static let question = "Sign this 1 action for Vaulta (EOS)? [y/N] "

    private func agent(_ options: [String] = []) throws -> RunningAgent {
        let agent = try RunningAgent(options, policy: nil, hasTerminal: true)
        try agent.unlock()
        return agent
    }

    /// Sends a request, and waits until it is asked about.
    private func ask(_ agent: RunningAgent, _ number: Int) throws -> RawConnection {
        let client = try agent.connect()
        try client.request("wallet/sign_transaction", RunningAgent.transfer(number))
        try agent.wait(forText: Self.question)
        return client
    }

    @Test func theAnswerDecides() throws {
        let agent = try agent()
        let accepted = try ask(agent, 1)
        // The question delays no other client.
        #expect(try agent.call("wallet/list_wallets") == RawAnswer(200, #"["default *"]"#))
        #expect(!accepted.hasAnswer(milliseconds: 0))
        agent.type("y")
        #expect(try accepted.answer().status == 201)
        let declined = try ask(agent, 2)
        agent.type("n")
        #expect(try declined.answer().message == "not signed: the answer was no (declined)")
        #expect(try agent.signatureRecords().count == 1)
    }

    @Test func theReviewIsTheOneOfSign() throws {
        let agent = try agent()
        let client = try agent.connect()
        try client.request("wallet/sign_transaction", RunningAgent.transfer(7))
        try agent.wait(forText: "Request from ")
        try agent.wait(forText: "action 1 of 1    eosio.token::transfer    by alice@active    ABI built in")
        try agent.wait(forText: "memo       \"hello\"")
        try agent.wait(forText: "alice pays 1.0000 EOS to bob")
        try agent.wait(forText: Self.question)
        agent.type("yes")
        #expect(try client.answer().status == 201)
    }

    /// A danger needs its word: `updateauth` of the owner.
    @Test func aDangerNeedsItsWord() throws {
        let agent = try agent()
        // One key with weight 1 becomes the owner of alice.
        let data =
            "0000000000855c340000000080ab26a700000000000000000100000001"
            + "0002c0ded2bc1f1305fb0faac5e6c03ee3a1924234985427b6167ca569d13df435cf01000000"
        let body = RunningAgent.transfer(3)
            .replacing("eosio.token", with: "eosio").replacing("\"transfer\"", with: "\"updateauth\"")
            .replacing(
                "0000000000855c340000000000000e3d102700000000000004454f53000000000568656c6c6f", with: data)
        for (word, isSigned) in [("y", false), ("alice", true)] {
            let client = try agent.connect()
            try client.request("wallet/sign_transaction", body)
            try agent.wait(forText: "type the account")
            agent.type(word)
            #expect(try (client.answer().status == 201) == isSigned)
        }
    }

    /// A question would stop a job in the background, and a stopped agent can't lock.
    @Test func anAgentInTheBackgroundDoesNotAsk() throws {
        let agent = try RunningAgent(
            ["--confirm", "terminal"], policy: nil, hasTerminal: true, isBackground: true)
        defer { _ = try? agent.call("keosd/stop") }
        try agent.unlock()
        let refused = try agent.call("wallet/sign_transaction", RunningAgent.transfer(1))
        #expect(refused.message?.hasSuffix("(no-terminal)") == true)
        #expect(try agent.isUnlocked)
    }

    /// Without --confirm, a job in the background has nobody to ask.
    @Test func theDefaultInTheBackgroundIsThePolicy() throws {
        let agent = try RunningAgent(hasTerminal: true, isBackground: true)
        defer { _ = try? agent.call("keosd/stop") }
        try agent.unlock()
        #expect(try agent.call("wallet/sign_transaction", RunningAgent.transfer(1)).status == 201)
    }

    // MARK: withdrawn questions

    @Test func aClientThatLeavesWithdrawsItsQuestion() throws {
        let agent = try agent()
        do { _ = try ask(agent, 1) }
        try agent.wait(forText: "The request was withdrawn: nothing was signed.")
        let next = try ask(agent, 2)
        agent.type("y")
        #expect(try next.answer().status == 201)
        #expect(try agent.signatureRecords().count == 1)
    }

    /// A half-closed connection still waits for its answer.
    @Test func aHalfClosedConnectionGetsItsAnswer() throws {
        let agent = try agent()
        let client = try ask(agent, 1)
        shutdown(client.descriptor, Int32(SHUT_WR))
        usleep(50_000)
        agent.type("y")
        #expect(try client.answer().status == 201)
        #expect(try client.isClosed())
    }

    @Test func aLockWithdrawsAllQuestions() throws {
        let agent = try agent()
        let first = try ask(agent, 1)
        let second = try agent.connect()
        try second.request("wallet/sign_transaction", RunningAgent.transfer(2))
        #expect(try agent.call("wallet/lock", #""default""#) == RawAnswer(200, "{}"))
        for client in [first, second] { #expect(try client.answer().status == 500) }
        try agent.wait(forText: "withdrawn")
        #expect(try !agent.isUnlocked)
        try agent.unlock()
        let third = try ask(agent, 3)
        agent.type("y")
        #expect(try third.answer().status == 201)
    }

    /// The vault changed between the review and the answer.
    @Test func aChangedVaultRefuses() throws {
        let agent = try agent()
        let client = try ask(agent, 1)
        try agent.eosvault(
            "sign", "other.json", "--chain", "eos", "--key", "dev", "--yes", "--pin-file", "pin",
            input: ("other.json", RunningAgent.transaction(9)))
        agent.type("y")
        let refused = try client.answer()
        #expect(refused.status == 500)
        #expect(refused.message?.contains("(changed-meanwhile)") == true)
        #expect(try agent.signatureRecords().count == 1)
    }

    @Test func theEndWithdrawsTheQuestion() throws {
        let agent = try agent()
        let client = try ask(agent, 1)
        kill(agent.process, SIGTERM)
        #expect(try client.answer().status == 500)
        #expect(agent.waitForEnd() == 0)
    }
}
