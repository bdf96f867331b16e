import ABICodec
import Codecs
import JSON
import Testing

@testable import Transactions

struct ProposedTransactionTests {
    private static func read(_ text: String, name: String? = nil) throws -> ProposedTransaction {
        try ProposedTransaction(
            reading: Array(text.utf8), name: name.map { try Name($0) }, abis: ContractABIs())
    }

    private static func error(_ text: String, name: String? = nil) -> BuildError? {
        do { _ = try read(text, name: name) } catch let error as BuildError { return error } catch {}
        return nil
    }

    /// A transaction without actions: expiration 2026-12-01T00:00:00, block 1000.
    private static let packed = "000e0e6be80378563412000000000000"

    private static func row(_ name: String, _ hex: String = packed) -> String {
        "{\"proposal_name\":\"\(name)\",\"packed_transaction\":\"\(hex)\"}"
    }

    private static func rows(_ rows: String...) -> String {
        "{\"rows\":[\(rows.joined(separator: ","))],\"more\":false,\"next_key\":\"\"}"
    }

    @Test func allFormsHaveOneHash() throws {
        let hash = try Self.read(Self.packed).hash
        // sha256sum of the 16 bytes.
        #expect(Hex.encode(hash) == "f344c5f25aaa294c15ec16b411e125beaa8d92fe1c69bde07ec7f7ec73245de2")
        let unpacked = try SignedTransaction(reading: Array(Self.packed.utf8), abis: ContractABIs()).json
            .text()
        let propose = try Self.proposeAction(Self.packed)
        for text in [
            Self.packed + "\n", Self.packed.uppercased(), Self.row("pay"), Self.rows(Self.row("pay")),
            unpacked,
            Self.rows(Self.row("other", "00"), Self.row("pay")), propose,
            "{\"expiration\":\"2020-01-01T00:00:00\",\"ref_block_num\":0,\"ref_block_prefix\":0,"
                + "\"actions\":[\(propose)]}",
        ] {
            #expect(try Self.read(text, name: "pay").hash == hash, "\(text)")
        }
    }

    private static func proposeAction(_ hex: String, name: String = "propose") throws -> String {
        let proposer = try Name("alice").rawValue
        let proposal = try Name("pay").rawValue
        var writer = ByteWriter()
        writer.write(integer: proposer)
        writer.write(integer: proposal)
        writer.write(varuint32: 1)
        writer.write(integer: try Name("bob").rawValue)
        writer.write(integer: try Name("active").rawValue)
        let data = Hex.encode(writer.bytes) + hex
        return "{\"account\":\"eosio.msig\",\"name\":\"\(name)\",\"authorization\":[],\"data\":\"\(data)\"}"
    }

    /// eosio.msig stores bytes after the transaction, and hashes them.
    @Test func trailingBytesCount() throws {
        let proposed = try Self.read(Self.packed + "beef")
        #expect(proposed.trailingCount == 2)
        #expect(proposed.hash != (try Self.read(Self.packed).hash))
        #expect(try Self.read(Self.proposeAction(Self.packed + "beef")).hash == proposed.hash)
        #expect(try Self.read(Self.row("pay", Self.packed + "beef")).hash == proposed.hash)
    }

    @Test func refusals() throws {
        #expect(Self.error(Self.rows(Self.row("other")), name: "pay") == .proposal(.noRow(try Name("pay"))))
        #expect(Self.error(Self.row("other"), name: "pay") == .proposal(.noRow(try Name("pay"))))
        #expect(Self.error(Self.rows(), name: "pay") == .proposal(.noRow(try Name("pay"))))
        #expect(Self.error(Self.rows()) == .proposal(.severalRows))
        #expect(Self.error(Self.rows(Self.row("a"), Self.row("b"))) == .proposal(.severalRows))
        #expect(
            try Self.error(Self.proposeAction(Self.packed), name: "other") == .proposal(.noRow(Name("other")))
        )
        #expect(try Self.error(Self.proposeAction(Self.packed, name: "cancel")) == .proposal(.notPropose))
        #expect(Self.error("00") == .transaction(.bytes(.unexpectedEnd(offset: 0, needed: 4, remaining: 1))))
        #expect(Self.error("0x") == .transaction(.hex(.invalidHexDigit(offset: 1))))
        let error = ABIError.bytes(.unexpectedEnd(offset: 0, needed: 8, remaining: 1)).inside(.field("data"))
        let short = "{\"account\":\"eosio.msig\",\"name\":\"propose\",\"authorization\":[],\"data\":\"00\"}"
        #expect(Self.error(short) == .value(error))
    }

    // MARK: - actions

    private static func inner(_ more: String = "") throws -> SignedTransaction {
        let text =
            "{\"expiration\":\"2026-12-01T00:00:00\",\"ref_block_num\":0,\"ref_block_prefix\":0,\"actions\":[]\(more)}"
        return try SignedTransaction(reading: Array(text.utf8), abis: ContractABIs())
    }

    private static func propose(
        _ transaction: SignedTransaction, _ requested: [String] = ["bob@active"], name: String = "pay"
    ) throws -> NewAction {
        try ActionForm.propose.action([
            "proposer": .name(Name("alice")), "proposal_name": .name(Name(name)),
            "requested": .list(requested.map { .level(try PermissionLevel($0)) }),
            "trx": .transaction(transaction),
        ])
    }

    private static func approve(_ level: String, hash: [UInt8]) throws -> NewAction {
        try ActionForm.approve.action([
            "proposer": .name(Name("alice")), "proposal_name": .name(Name("pay")),
            "level": .level(PermissionLevel(level)), "proposal_hash": .hash(hash),
        ])
    }

    /// The bytes at the end of the data are the transaction's, so that its hash is that of the
    /// proposal.
    @Test func proposesTheBytes() throws {
        let inner = try Self.inner()
        var builder = TransactionBuilder(chain: try ChainID("eos"), abis: ContractABIs())
        try builder.add(Self.propose(inner, ["bob@active", "alice@active"]))
        let made = try builder.transaction(expiration: TimePointSec(seconds: 7), reference: .none)
        #expect(made.transaction.actions[0].data.suffix(inner.packed.count).elementsEqual(inner.packed))
        #expect(try Self.read(made.json.text(), name: "pay").stored == inner.packed)
    }

    @Test func proposalRefusals() throws {
        let inner = try Self.inner()
        func refused(_ fault: BuildError.Fault, _ step: () throws -> Void) {
            #expect(throws: BuildError.proposal(fault), performing: step)
        }
        refused(.nobodyRequested) { _ = try Self.propose(inner, []) }
        refused(.requestedTwice(try PermissionLevel("bob@active"))) {
            _ = try Self.propose(inner, ["bob@active", "alice@active", "bob@active"])
        }
        refused(.emptyName) { _ = try Self.propose(inner, name: "") }
        refused(.contextFree) { _ = try Self.propose(Self.inner(",\"context_free_data\":[\"\"]")) }
        refused(.extensions) { _ = try Self.propose(Self.inner(",\"transaction_extensions\":[[7,\"\"]]")) }
        let signature =
            "SIG_K1_KBeduu9pU6K53ZPbwBLdd6whfgPiBsakFQe6ZaoxcXu7q639zZFuNNgXRSpuBJ985nYUbfKYJKHBVy3J4rDEpbJi41a3HL"
        refused(.signed) { _ = try Self.propose(Self.inner(",\"signatures\":[\"\(signature)\"]")) }
        refused(.zeroHash) {
            _ = try Self.approve("bob@active", hash: [UInt8](repeating: 0, count: 32))
        }
        refused(.emptyName) {
            _ = try ActionForm.execute.action(
                [
                    "proposer": .name(Name("alice")), "proposal_name": .name(Name("")),
                    "executer": .name(Name("a")),
                ])
        }
    }

    /// Approvals of the permission that approves.
    @Test func approvalIsAuthorizedByItsLevel() throws {
        let action = try Self.approve("bob@owner", hash: Self.read(Self.packed).hash)
        #expect(action.authorization.map(\.text) == ["bob@owner"])
        let other = try PermissionLevel("carol@active")
        #expect(action.authorized(by: [other]).authorization == [other])
    }

    @Test func hashAsText() throws {
        let hash = try Self.read(Self.packed).hash
        #expect(try ProposedTransaction.hash(Hex.encode(hash)) == hash)
        #expect(throws: BuildError.value(ABIError(.wrongHexLength(bytes: 1, expected: 32)))) {
            try ProposedTransaction.hash("00")
        }
    }

    /// The time is rounded up to a second; a time after 2106 does not fit.
    @Test(
        arguments: [
            ("null", nil), ("\"2026-11-20T10:00:00.500\"", "2026-11-20T10:00:01"),
            ("\"2026-11-20T10:00:00.000\"", "2026-11-20T10:00:01"),
        ] as [(String, String?)])
    func earliestExecution(time: String, text: String?) throws {
        let row = Self.row("payday").dropLast() + ",\"earliest_exec_time\":\(time)}"
        #expect(try Self.read(String(row)).earliestExecution?.text == text)
        #expect(try Self.read(Self.row("payday")).earliestExecution == nil)
    }

    @Test(arguments: ["7", "\"soon\"", "\"2106-02-07T06:28:16.000\"", "\"9999-12-31T23:59:59\""])
    func wrongEarliestExecution(time: String) {
        let row = Self.row("payday").dropLast() + ",\"earliest_exec_time\":\(time)}"
        #expect(throws: BuildError.self) { try Self.read(String(row)) }
    }
}
