import Glibc
import JSON
import TestSupport
import Testing

/// The program as clients see it.
struct AgentProcessTests {
    @Test func itSignsWhatAPolicyAllowsAndRecordsIt() throws {
        let agent = try RunningAgent()
        #expect(try agent.call("wallet/list_wallets") == RawAnswer(200, #"["default"]"#))
        try agent.unlock()
        #expect(try agent.call("wallet/get_public_keys") == RawAnswer(200, "[\"\(RunningAgent.key)\"]"))
        let signed = try agent.call("wallet/sign_transaction", RunningAgent.transfer(1))
        #expect(signed.status == 201)
        let records = try agent.signatureRecords()
        #expect(records.count == 1)
        #expect(records.first?["requester"]?["uid"]?.text() == "\(getuid())")
        #expect(records.first?["requester"]?["program"]?.string?.contains("pid \(getpid())") == true)
    }

    @Test func otherRequestsAreRefusedWithTheirReason() throws {
        let limits = #"[{"name": "a day", "amount": "2.0000 EOS@eosio.token", "per": "24h"}]"#
        let agent = try RunningAgent(policy: RunningAgent.policy(limits: limits))
        let locked = try agent.call("wallet/sign_transaction", RunningAgent.transfer(1))
        #expect(locked.message == "Wallet is locked: default")
        try agent.unlock()
        for number in 1...2 {
            #expect(try agent.call("wallet/sign_transaction", RunningAgent.transfer(number)).status == 201)
        }
        let beyond = try agent.call("wallet/sign_transaction", RunningAgent.transfer(3))
        #expect(beyond.status == 500)
        #expect(beyond.message?.contains("(policy-limit)") == true)
        // The same transaction counts once.
        #expect(try agent.call("wallet/sign_transaction", RunningAgent.transfer(2)).status == 201)
        let other = RunningAgent.transfer(4).replacing("\"alice\"", with: "\"bob\"")
        #expect(try agent.call("wallet/sign_transaction", other).status == 500)
        let blind = RunningAgent.transfer(5).replacing("eosio.token", with: "unknown")
        #expect(try agent.call("wallet/sign_transaction", blind).status == 500)
        #expect(try agent.signatureRecords().count == 2)
    }

    /// The vault has no ABI of the contract.
    @Test func aPolicyAllowsDataThatCannotBeDecoded() throws {
        let agent = try RunningAgent(
            policy: """
                {"version": 1, "chains": ["eos"],
                 "rules": [{"contract": "dex", "action": "transfer", "authorization": ["alice@active"],
                            "blind": "allow"}, {"contract": "other", "action": "*"}]}
                """)
        try agent.unlock()
        func answer(_ contract: String, _ payer: String = "alice") throws -> RawAnswer {
            let call = RunningAgent.transfer(1).replacing("eosio.token", with: contract)
                .replacing("\"alice\"", with: "\"\(payer)\"")
            return try agent.call("wallet/sign_transaction", call)
        }
        #expect(try answer("dex").status == 201)
        #expect(try answer("dex", "bob").message?.contains("(policy-rule)") == true)
        #expect(try answer("other").message?.contains("(no-abi)") == true)
        let record = try #require(agent.signatureRecords().first)
        #expect(try agent.signatureRecords().count == 1)
        #expect(record["actions"]?.text().contains("dex") == true)
    }

    @Test func aKeyWithoutAPolicySignsNothing() throws {
        let agent = try RunningAgent(policy: nil)
        try agent.unlock()
        let refused = try agent.call("wallet/sign_transaction", RunningAgent.transfer(1))
        #expect(refused.status == 500)
        #expect(try agent.signatureRecords().isEmpty)
    }

    // MARK: the same request twice

    /// libcurl sends a request again if its connection ends before the answer.
    @Test func aRequestThatIsSentTwiceIsSignedOnce() throws {
        let agent = try RunningAgent()
        try agent.unlock()
        for number in 1...20 {
            let connections = try (0..<4).map { _ in try agent.connect() }
            for connection in connections {
                try connection.request("wallet/sign_transaction", RunningAgent.transfer(number))
            }
            let answers = try connections.map { try $0.answer() }
            #expect(Set(answers.map(\.body)).count == 1)
            #expect(answers[0].status == 201)
        }
        #expect(try agent.signatureRecords().count == 20)
    }

    @Test func aClientThatLeftGetsTheSameAnswerLater() throws {
        let agent = try RunningAgent()
        try agent.unlock()
        try agent.connect().request("wallet/sign_transaction", RunningAgent.transfer(1))
        let first = try agent.call("wallet/sign_transaction", RunningAgent.transfer(1))
        #expect(first.status == 201)
        #expect(try agent.signatureRecords().count == 1)
    }

    // MARK: locking

    @Test func aLockForgetsTheKeys() throws {
        let agent = try RunningAgent()
        try agent.unlock()
        #expect(try agent.call("wallet/lock", #""default""#) == RawAnswer(200, "{}"))
        #expect(try !agent.isUnlocked)
        let refused = try agent.call("wallet/sign_transaction", RunningAgent.transfer(1))
        #expect(refused.message == "Wallet is locked: default")
        try agent.unlock()
        #expect(try agent.call("wallet/sign_transaction", RunningAgent.transfer(1)).status == 201)
    }

    /// An unlock that follows at once delays no lock.
    @Test func everyLockIsAnswered() throws {
        let agent = try RunningAgent()
        try agent.unlock()
        for _ in 0..<20 {
            let clients = try (0..<3).map { _ in try agent.connect() }
            try clients[0].request("wallet/sign_transaction", RunningAgent.transfer(1))
            try clients[1].request("wallet/lock", #""default""#)
            try clients[2].request("wallet/unlock", #"["default","\#(RunningAgent.pin)"]"#)
            #expect(try clients[1].answer() == RawAnswer(200, "{}"))
            #expect(try [200, 500].contains(clients[2].answer().status))
            if try !agent.isUnlocked { try agent.unlock() }
        }
    }

    @Test func signalsLockAndStop() throws {
        let agent = try RunningAgent()
        try agent.unlock()
        kill(agent.process, SIGUSR1)
        try agent.wait { try !agent.isUnlocked }
        kill(agent.process, SIGTERM)
        #expect(agent.waitForEnd() == 0)
        #expect(access(agent.socket, F_OK) != 0)
    }

    @Test func theTimeLimitLocks() throws {
        let agent = try RunningAgent(["--ttl", "1"])
        try agent.unlock()
        try agent.wait { try !agent.isUnlocked }
        #expect(try agent.call("wallet/set_timeout", "2").message == "a timeout is from 1 to 1 seconds")
    }

    /// Only a use of the vault begins its time again.
    @Test func refusedRequestsDoNotKeepTheVaultUnlocked() throws {
        let agent = try RunningAgent(["--ttl", "1"], policy: nil)
        try agent.unlock()
        try agent.wait {
            let refused = try agent.call("wallet/sign_transaction", RunningAgent.transfer(1))
            return refused.message == "Wallet is locked: default"
        }
    }

    @Test func stopAnswersAndEnds() throws {
        let agent = try RunningAgent()
        try agent.unlock()
        let idle = try agent.connect()
        #expect(try agent.call("keosd/stop") == RawAnswer(200, "{}"))
        #expect(agent.waitForEnd() == 0)
        #expect(try idle.isClosed())
        #expect(access(agent.socket, F_OK) != 0)
    }

    /// Wrong PINs delay only `unlock`.
    @Test func wrongPINsDelayNothingElse() throws {
        let agent = try RunningAgent()
        for _ in 0..<2 {
            let wrong = try agent.call("wallet/unlock", #"["default","a wrong test PIN"]"#)
            #expect(wrong.message == "Invalid password for wallet: \"default\"")
        }
        let waiting = try agent.connect()
        try waiting.request("wallet/unlock", #"["default","\#(RunningAgent.pin)"]"#)
        #expect(try agent.call("wallet/list_wallets") == RawAnswer(200, #"["default"]"#))
        #expect(!waiting.hasAnswer(milliseconds: 0))
        #expect(try waiting.answer() == RawAnswer(200, "{}"))
        #expect(try agent.isUnlocked)
    }

    // MARK: other processes

    @Test func otherCommandsUseTheVaultMeanwhile() throws {
        let agent = try RunningAgent()
        try agent.unlock()
        try agent.eosvault("create", "--label", "other", "--pin-file", "pin")
        #expect(try agent.call("wallet/sign_transaction", RunningAgent.transfer(1)).status == 201)
        try agent.wait {
            try agent.call("wallet/get_public_keys").body.split(separator: ",").count == 2
        }
        #expect(try agent.isUnlocked)
    }

    @Test(arguments: [["rekey"], ["restore"]])
    func aChangeOfTheKeysLocks(_ command: [String]) throws {
        let agent = try RunningAgent()
        try agent.eosvault("backup", "copy", "--pin-file", "pin")
        try agent.unlock()
        #expect(try agent.call("wallet/sign_transaction", RunningAgent.transfer(1)).status == 201)
        if command == ["rekey"] {
            try agent.eosvault("rekey", "--pin-file", "pin")
        } else {
            rename(agent.path("copy"), agent.path("data/eosvault/vault.db"))
        }
        try agent.wait { try !agent.isUnlocked }
    }
}
