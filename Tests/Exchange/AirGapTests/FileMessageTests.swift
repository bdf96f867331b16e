import ABICodec
import AirGap
import Codecs
import TestSupport
import Testing
import Transactions

/// Files that cross the gap, and what they are recognised as.
struct FileMessageTests {
    private static let row = #""proposal_name":"pay","packed_transaction":"00""#
    private static let approvals = #""proposal_name":"pay","requested_approvals":[],"provided_approvals":[]"#

    @Test(
        arguments: [
            (#"{"version":"eosio::abi/1.2"}"#, .abi),
            ("0e656f73696f3a3a6162692f312e32000000000000000000\n", .abi),
            (#"{"account_name":"alice","abi":{"version":"eosio::abi/1.2"}}"#, .abi),
            (
                #"{"chain_id":"00","last_irreversible_block_num":1,"last_irreversible_block_id":"00"}"#,
                .information
            ),
            (#"{"id":"00","block_num":1,"previous":"00"}"#, .block),
            ("{\"rows\":[{\(row)}],\"more\":false}", .proposals(1)),
            ("{\"rows\":[{\(row)},{\(row)}],\"more\":false}", .proposals(2)),
            ("{\(row)}", .proposals(1)),
            ("{\"rows\":[{\(approvals)}]}", .approvals(1)),
            (#"{"rows":[]}"#, .rows(0)),
            (#"{"rows":[{"balance":"1.0000 EOS"}]}"#, .rows(1)),
            (#"{"rows":1}"#, .json),
            (#"{"account_name":"alice"}"#, .json),
            (#"{"account_name":"NO NAME","permissions":[]}"#, .json),
            ("[1, 2]", .json), ("{}", .json),
        ] as [(String, FileKind)])
    func kinds(text: String, kind: FileKind) throws {
        let message = try FileMessage(content: Array(text.utf8))
        #expect(message.kind == kind)
        let resource = try AirGapMessage.file(message).resource()
        guard case .file(let again) = try AirGapMessage(resource) else {
            Issue.record("another type")
            return
        }
        #expect(again == message && again.content == Array(text.utf8))
    }

    @Test func accountIsNamed() throws {
        let message = try FileMessage(content: Array(#"{"account_name":"alice","permissions":[]}"#.utf8))
        #expect(try message.kind == .account(Name("alice")))
        #expect(
            message.description
                == "the account alice (get_account), 41 bytes, SHA-256 \(Hex.encode(message.sha256))")
    }

    /// The raw form as bytes.
    @Test func rawABI() throws {
        let raw = try Hex.decode("0e656f73696f3a3a6162692f312e32000000000000000000")
        #expect(try FileMessage(content: raw).kind == .abi)
    }

    @Test func refusals() throws {
        let most = FileMessage.maximumLength
        let text = { (count: Int) in Array(("\"" + String(repeating: "x", count: count - 2) + "\"").utf8) }
        #expect(try FileMessage(content: text(most)).content.count == most)
        #expect(throws: FileRefusal.tooLong(limit: most)) { try FileMessage(content: text(most + 1)) }
        for bad in ["", "hello", "{", "{} {}", "\u{0}"] {
            #expect(throws: FileRefusal.neitherJSONNorABI) { try FileMessage(content: Array(bad.utf8)) }
        }
        let key = String(decoding: try repositoryFile("Vectors/examples/throwaway-key.txt"), as: UTF8.self)
            .split(separator: "\n").joined()
        for secret in ["[\"\(key)\"]", "{\"a\":\"x\(key)\"}", "[\"PVT_K1_2\"]"] {
            #expect(throws: FileRefusal.privateKey) { try FileMessage(content: Array(secret.utf8)) }
        }
        // A received file with a key: `[`, `"`, the key, `"`, `]` in a stored block.
        let content = Array("[\"\(key)\"]".utf8)
        let length = UInt8(content.count)
        let cbor: [UInt8] =
            [0xa2, 1, 0x18, length, 2, 0x58, length + 5, 1, length, 0, ~length, 0xff] + content
        #expect(throws: AirGapError.file(.privateKey)) {
            try AirGapMessage(UniformResource(type: .file, cbor: cbor))
        }
    }

    /// Base64 often has parts of a private key's shape.
    @Test func base64IsNoPrivateKey() throws {
        var random = SplitMix(seed: 3)
        let bytes = (0..<150_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let message = try FileMessage(content: Array("[\"\(Base64.encode(bytes))\"]".utf8))
        #expect(message.kind == .json)
        // The least that compression can do: six bits for a character.
        #expect(message.cbor.count < 160_000)
    }

    /// A small message can't make a large file.
    @Test func compressionIsLimited() throws {
        let zeros = Deflate.compress([UInt8](repeating: 0x20, count: 8_000_000), .raw)
        let count = UInt16(zeros.count)
        let cbor: [UInt8] = [0xa2, 1, 0x1a, 0, 0x0f, 0x42, 0x40, 2, 0x59] + count.bigEndianBytes + zeros
        #expect(throws: AirGapError.invalidValue(member: 2)) {
            try AirGapMessage(UniformResource(type: .file, cbor: cbor))
        }
    }
}
