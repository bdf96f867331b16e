import JSON
import Keys
import Messages
import Testing
import Transactions
import WalletAPI

@testable import eosvault_agent

/// Answers that a client does not print, and lines that an agent answers in another order.
struct ClientAnswerTests {
    private static func transfer(_ block: Int = 1_000, quantity: String = "1.0000 EOS") -> String {
        """
        {"expiration":"2099-12-01T00:00:00","ref_block_num":\(block),"ref_block_prefix":305419896,"actions":[\
        {"account":"eosio.token","name":"transfer","authorization":[{"actor":"alice","permission":"active"}],\
        "data":{"from":"alice","to":"bob","quantity":"\(quantity)","memo":""}}]}
        """
    }

    private static let sign = ["sign", "transfer.json", "--chain", "eos", "--key", FakeSigner.key, "--json"]

    private static func run(
        _ arguments: [String] = sign, _ text: String = transfer(), reply: ([UInt8]) throws -> FakeAgent.Reply
    ) throws -> FakeAgent.Result {
        let agent = try FakeAgent()
        try agent.write(text, to: "transfer.json")
        return try agent.run(arguments) { _, body in try reply(body) }
    }

    @Test func theRightAnswerIsPrinted() throws {
        let result = try Self.run { .answer(try FakeSigner.answer(FakeSigner.transaction($0))) }
        #expect(result.status == 0 && result.error.isEmpty)
        let signed = try SignedTransaction(reading: Array(result.output.utf8), abis: ContractABIs())
        #expect(
            try signed.signatures[0].recover(signed.digest(for: ChainID("eos"))) == PublicKey(FakeSigner.key))
    }

    enum Fault: CaseIterable {
        case otherTransaction, otherChain, otherKey, statedKey, noSignature, removedSignature
    }

    private static func answer(_ fault: Fault, _ body: [UInt8]) throws -> WalletAnswer {
        let given = try FakeSigner.transaction(body)
        switch fault {
        case .otherTransaction:
            return try FakeSigner.answer(
                SignedTransaction(reading: Array(transfer(quantity: "9.0000 EOS").utf8), abis: ContractABIs())
            )
        case .otherChain: return try FakeSigner.answer(given, chain: "jungle4")
        case .otherKey: return try FakeSigner.answer(given, by: FakeSigner.otherWIF)
        case .statedKey: return try FakeSigner.answer(given, by: FakeSigner.otherWIF, stating: FakeSigner.key)
        case .noSignature:
            return WalletAnswer(
                SignedOrder(
                    transaction: given, chain: try ChainID("eos"), keys: [try PublicKey(FakeSigner.key)],
                    wasSignedBefore: true))
        case .removedSignature:
            var without = given
            without = try SignedTransaction(packed: given.packed)
            return try FakeSigner.answer(without)
        }
    }

    @Test(arguments: Fault.allCases) func anotherSignatureIsNotPrinted(_ fault: Fault) throws {
        var text = Self.transfer()
        if fault == .removedSignature {
            let given = try SignedTransaction(reading: Array(text.utf8), abis: ContractABIs())
            let signed = try FakeSigner.answer(given, by: FakeSigner.otherWIF)
            text = try JSONValue.parse(signed.body)["packed"]?.text() ?? ""
        }
        let result = try Self.run(Self.sign, text) { .answer(try Self.answer(fault, $0)) }
        #expect(result.status == 1 && result.output.isEmpty)
        #expect(result.error.hasPrefix(#"{"error":{"code":"faulty-signature","#), "\(result.error)")
    }

    /// Only the agent can pack the data: its vault has the ABI. Everything else is compared.
    @Test func dataThatOnlyTheVaultCanPackIsTaken() throws {
        let text = Self.transfer().replacing("eosio.token", with: "mytoken")
        func packed(_ text: String) throws -> SignedTransaction {
            let data = #"{"from":"alice","to":"bob","quantity":"1.0000 EOS","memo":""}"#
            return try SignedTransaction(
                reading: Array(text.replacing(data, with: #""aabb""#).utf8), abis: ContractABIs())
        }
        let taken = try Self.run(Self.sign, text) { _ in .answer(try FakeSigner.answer(packed(text))) }
        #expect(taken.status == 0 && taken.output.contains(#""data": "aabb""#))
        let other = text.replacing("alice\",\"permission", with: "carol\",\"permission")
        let refused = try Self.run(Self.sign, text) { _ in .answer(try FakeSigner.answer(packed(other))) }
        #expect(refused.status == 1 && refused.output.isEmpty)
        #expect(refused.error.contains("faulty-signature"))
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]",
        "HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\n\r\n", "SSH-2.0-x\r\n\r\n", "HTTP/1.1 500 X\r\nContent-Length: 4\r\n\r\nnull",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}{}",
    ]) func anotherProgramIsNoAgent(_ text: String) throws {
        let result = try Self.run { _ in .bytes(text) }
        #expect(result.status == 69 && result.output.isEmpty)
        #expect(result.error.hasPrefix(#"{"error":{"code":"no-agent","#), "\(result.error)")
    }

    @Test func anAgentThatEndsIsNamed() throws {
        let result = try Self.run { _ in .close }
        #expect(result.status == 69 && result.output.isEmpty)
        #expect(result.error.contains("closed the connection without an answer"))
    }

    /// No error of the agent can control the terminal.
    @Test func anErrorIsPrintable() throws {
        let error = WalletError(Words(.policyLimit, "a\u{1b}[2Jb\nc", hint: "d\u{7}"))
        let result = try Self.run(Array(Self.sign.dropLast())) { _ in .answer(WalletAnswer(error)) }
        #expect(result.status == 3 && result.output.isEmpty)
        #expect(!result.error.contains { $0 == "\u{1b}" || $0 == "\u{7}" })
    }

    // MARK: - lines

    private static let lines = ["sign", "--lines", "-", "--chain", "eos"]

    /// Three answers arrive in the reverse order.
    @Test func answersArePrintedInTheOrderOfTheLines() throws {
        let agent = try FakeAgent()
        let input = (1...3).map { #"{"id":"p\#($0)","transaction":\#(Self.transfer($0))}"# + "\n" }.joined()
        let result = try agent.run(Self.lines, input: input) { _, body in
            .later(try FakeSigner.answer(FakeSigner.transaction(body)), when: 3)
        }
        let printed = result.output.split(separator: "\n").map { String($0.prefix(30)) }
        #expect(result.status == 0)
        #expect(
            printed == (1...3).map { #"{"line":\#($0),"id":"p\#($0)","transaction"#.prefix(30).description })
    }

    /// The answers of two lines are swapped.
    @Test func anAnswerOfAnotherLineIsRefused() throws {
        let agent = try FakeAgent()
        var first: [UInt8]?
        let result = try agent.run(Self.lines, input: Self.transfer(1) + "\n" + Self.transfer(2) + "\n") {
            _, body in
            defer { first = first ?? body }
            return .answer(try FakeSigner.answer(FakeSigner.transaction(first ?? body)))
        }
        #expect(result.status == 1)
        let printed = result.output.split(separator: "\n")
        #expect(printed.count == 2 && printed[0].hasPrefix(#"{"line":1,"transaction_id":"#))
        #expect(printed.last?.hasPrefix(#"{"line":2,"error":{"code":"faulty-signature","#) == true)
    }

    /// A connection ends before its answer. The other lines are answered.
    @Test func aLostConnectionRefusesItsLine() throws {
        let agent = try FakeAgent()
        let input = (1...3).map { Self.transfer($0) + "\n" }.joined()
        var count = 0
        let result = try agent.run(Self.lines, input: input) { _, body in
            count += 1
            return count == 2 ? .close : .answer(try FakeSigner.answer(FakeSigner.transaction(body)))
        }
        let printed = result.output.split(separator: "\n")
        #expect(result.status == 1 && printed.count == 3)
        #expect(printed.filter { $0.contains(#""error":{"code":"no-agent""#) }.count == 1)
        #expect(printed.filter { $0.contains(#""signatures":["#) }.count == 2)
    }

    // MARK: - unlock

    /// The PIN goes to the agent, and not to the output.
    @Test func thePINIsSent() throws {
        let agent = try FakeAgent()
        try agent.write("pin \"of\\ the tests\n", to: "pin")
        let result = try agent.run(["unlock", "--pin-file", "pin"]) { call, _ in
            call == .agentStatus
                ? .answer(
                    WalletAnswer(
                        AgentStatus(
                            version: "1", vault: "v", unlocked: nil, confirmation: "policy", waitingCount: 0))
                )
                : .answer(WalletAnswer(unlockedFor: 61, keyCount: 1))
        }
        #expect(result.status == 0)
        #expect(result.output == "the vault is unlocked: 1 key, locked after 1 min 1 s without use\n")
        #expect(agent.requests.map(\.call) == [.agentStatus, .agentUnlock])
        #expect(agent.requests.last?.body == Array(#"{"pin":"pin \"of\\ the tests"}"#.utf8))
    }

    @Test func aWrongPINHasItsStatus() throws {
        let agent = try FakeAgent()
        try agent.write("pin of the tests", to: "pin")
        let result = try agent.run(["unlock", "--pin-file", "pin"]) { call, _ in
            call == .agentStatus
                ? .answer(
                    WalletAnswer(
                        AgentStatus(
                            version: "1", vault: "v", unlocked: nil, confirmation: "policy", waitingCount: 0))
                )
                : .answer(WalletAnswer(WalletError(Words(.wrongPIN))))
        }
        #expect(result.status == 77 && result.output.isEmpty)
    }
}
