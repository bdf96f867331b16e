import ABICodec
import Codecs
import Messages
import Testing

@testable import Transactions

/// A CSV file of payments: the transfers, and each refusal with its line.
struct PaymentTableTests {
    private static func table(_ text: String) throws -> PaymentTable {
        try PaymentTable(csv: Array(text.utf8), chain: ChainID("eos"), contract: nil)
    }

    @Test func transfers() throws {
        let table = try Self.table(
            "account,amount,memo\r\nbob,1.0000 EOS,\"a, \"\"b\"\"\"\r\ncarol,2.0000 EOS,\r\n")
        #expect(table.count == 2)
        let groups = try table.transfers(from: Name("alice"), authorizedBy: [], atMost: 1)
        #expect(groups.map(\.lines) == [2...2, 3...3] && groups.allSatisfy { $0.count == 1 })
        var builder = TransactionBuilder(chain: try ChainID("eos"), abis: ContractABIs())
        for group in groups { try group.add(to: &builder) }
        let made = try builder.transaction(
            expiration: TimePointSec("2026-12-01T00:00:00"),
            reference: BlockReference(id: "0000000130d70e94e0022fd2fa035cabb9e542c34ea27f572ac90b5a7aa3d891"))
        #expect(made.transaction.actions.count == 2)
        #expect(made.transaction.actions.allSatisfy { $0.authorization.map(\.text) == ["alice@active"] })
    }

    @Test(arguments: [
        ("", "line 1: the file has no payment"), ("account,amount,memo\n", "line 1: the file has no payment"),
        ("bob,1.0000 EOS\n", "line 1: 2 columns instead of 3"),
        ("bob,1.0000 EOS,a,b\n", "line 1: more than 3 columns"),
        ("bob,1.0000 EOS,\n\ncarol,1.0000 EOS,\n", "line 2: the line is empty"),
        ("bob,1.0000 EOS,\rcarol", "line 1: a carriage return without a line feed"),
        ("bob,1.0000 EOS,a\"b\n", "line 1: a quote inside a field or after a quoted field"),
        ("bob,1.0000 EOS,\"a\n", "line 1: a quoted field has no last quote"),
        ("bob,1.0000 EOS,=1+1\n", "line 1: a field starts with =, like a formula of a spreadsheet"),
        ("bob,1.0000 EOS,a\nbob,01.0000 EOS,a\n", "line 2: the same payment as in line 1"),
        ("BOB,1.0000 EOS,\n", "line 1, account: "),
        ("bob,1.00 EOS,\n", "line 1, amount: 2 decimals, but EOS"),
        ("bob,1.0000 ABC,\n", "line 1, amount: the token ABC is not known"),
    ])
    func refused(text: String, message: String) throws {
        let error = #expect(throws: PaymentTableError.self) { try Self.table(text) }
        let words = try #require(error).words
        #expect(words.message.hasPrefix(message), "\(words.message)")
        #expect(!words.hint.isEmpty)
    }

    /// Faults that a file shows only when its transfers are made.
    @Test(arguments: [
        ("alice,1.0000 EOS,\n", "line 1: the sender is also the recipient"),
        ("bob,0.0000 EOS,\n", "line 1: the amount is zero"),
        (
            "bob,1.0000 EOS,\(String(repeating: "a", count: 257))\n",
            "line 1: the memo has more than 256 bytes"
        ),
    ])
    func refusedTransfers(text: String, message: String) throws {
        let table = try Self.table(text)
        let error = #expect(throws: PaymentTableError.self) {
            try table.transfers(from: Name("alice"), authorizedBy: [], atMost: 100)
        }
        #expect(try #require(error).words.message == message)
    }

    @Test func limits() {
        #expect(BuildError.Fault.severalTransactions(101, limit: 100).words.code == .tooLarge)
        #expect(BuildError.Fault.tooManyPayments(limit: 9).words.message == "more than 9 payments")
        #expect(BuildError.Fault.notUTF8.words.code == .invalidEncoding)
    }
}

/// The words of errors about transactions and ABIs.
struct TransactionErrorWordsTests {
    @Test func words() throws {
        let (account, action) = (try Name("eosio.token"), try Name("transfer"))
        let (given, known) = (ABIHash(raw: [1]), ABIHash(raw: [2]))
        let rows: [(TransactionError, ErrorCode, String)] = [
            (.unrecognised, .notATransaction, "neither a JSON object nor hex"),
            (
                .noABI(path: "actions[0]", account: account), .noABI,
                "actions[0]: no ABI for eosio.token is known"
            ),
            (
                .unknownAction(path: "actions[0]", account: account, action: action), .noABI,
                "actions[0]: the ABI of eosio.token has no action transfer"
            ),
            (
                .idDisagrees(computed: "ab"), .disagreement,
                "`id` does not match this transaction, whose id is ab"
            ),
            (.membersDisagree("a", "b"), .disagreement, "`a` and `b` differ"),
            (.unknownCompression, .invalidEncoding, "compression is neither none nor zlib"),
            (.inflate(.invalid), .invalidEncoding, "the compressed bytes are not a complete zlib stream"),
            (
                .inflate(.trailingBytes(count: 2)), .invalidEncoding,
                "2 trailing bytes after the end of the zlib stream"
            ),
            (
                .inflate(.tooLong(limit: 5)), .tooLarge,
                "the uncompressed data has more than 5 bytes, which nodeos refuses"
            ),
            (.abiGivenTwice(account: account), .duplicate, "a second ABI was given for eosio.token"),
            (
                .abiOfOtherAccount(account: account, stated: "eosio"), .wrongFile,
                "the file has the ABI of eosio, not of eosio.token"
            ),
            (
                .abiDiffersFromBuiltIn(account: account, action: action, given: given, builtIn: known),
                .abiDiffers,
                "the ABI of eosio.token, SHA-256 \(given.text), differs from the built-in one, SHA-256 "
                    + "\(known.text): it lacks transfer or decodes it differently"
            ),
            (
                .abiNotRecorded(account: account, given: given), .abiDiffers,
                "the raw ABI of eosio.token has the SHA-256 \(given.text), which is not a known version of the "
                    + "built-in ABI; the built-in ABI decodes the same"
            ),
            (
                .abiDiffersFromPinned(account: account, given: given, pinned: known), .abiDiffers,
                "the ABI of eosio.token, SHA-256 \(given.text), differs from the pinned one, SHA-256 \(known.text)"
            ),
            (
                .actionNotBuiltIn(path: "actions[0]", account: account, action: action), .abiDiffers,
                "actions[0]: the built-in ABI of eosio.token has no action transfer; only the given ABI has it"
            ),
        ]
        for (error, code, message) in rows {
            #expect(error.words.code == code && error.words.message == message, "\(error.words)")
        }
    }
}
