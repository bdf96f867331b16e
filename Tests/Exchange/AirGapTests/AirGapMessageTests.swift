import ABICodec
import AirGap
import Codecs
import Keys
import TestSupport
import Testing
import Transactions

/// Each type of message as CBOR, which is written here by hand after RFC 8949, and its refusals.
struct AirGapMessageTests {
    private static let chain = "aca376f206b8fc25a6ed44dbdc66547c36c6c33e3a119ffbeaef943642f0e906"
    /// Vectors/examples/transfer.packed.json
    private static let packed =
        "000e0e6be80378563412000000000100a6823403ea3055000000572d3ccdcd010000000000855c3400000000a8ed3232"
        + "260000000000855c340000000000000e3d102700000000000004454f53000000000568656c6c6f00"
    private static let id = "284a1e8df2b84bbcf49264e4f66204cf533070357ea76b4118e3ea2aa1b3628a"
    private static let signature =
        "002000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
        + "000000000000000000000000000000000000"
    private static let key = "0002c0ded2bc1f1305fb0faac5e6c03ee3a1924234985427b6167ca569d13df435cf"

    private static func decode(_ type: URType, _ hex: String) throws -> AirGapMessage {
        try AirGapMessage(UniformResource(type: type, cbor: Hex.decode(hex)))
    }

    private static var packedItem: String { "58" + hex(packed.utf8.count / 2) + packed }

    private static func hex(_ count: Int) -> String { Hex.encode([UInt8(count)]) }

    @Test(
        arguments: [
            ("x-eos-transaction", "a2015820\(chain)02\(packedItem)"),
            ("x-eos-transaction", "a3015820\(chain)02\(packedItem)04815842\(signature)"),
            // The account eosio.token, with the SHA-256 of nothing.
            (
                "x-eos-transaction",
                "a3015820\(chain)02\(packedItem)0581821b5530ea033482a60058\("20")\(id)"
            ),
            ("x-eos-signatures", "a3015820\(chain)025820\(id)03815842\(signature)"),
            ("x-eos-public-keys", "a101815822\(key)"),
            ("x-eos-request", "d820686573723a2f2f4142"),
            // `{}` in a stored block (RFC 1951, 3.2.4): last block, length, its complement, bytes.
            ("x-eos-file", "a20102024701" + "0200fdff" + "7b7d"),
        ])
    func encodesToTheSameBytes(type: String, hex: String) throws {
        let message = try Self.decode(URType(type.utf8), hex)
        #expect(try message.resource().type.name == type)
        #expect(try Hex.encode(message.resource().cbor) == hex)
    }

    @Test func valuesAreDecoded() throws {
        let cbor = "a3015820\(Self.chain)02\(Self.packedItem)04815842\(Self.signature)"
        guard case .transaction(let message) = try Self.decode(.transaction, cbor) else {
            Issue.record("another type")
            return
        }
        #expect(message.chain.text == Self.chain)
        #expect(message.transaction.id == Self.id)
        #expect(message.transaction.signatures.map { Hex.encode($0.packed) } == [Self.signature])
        #expect(message.abiHashes.isEmpty)
        let signatures = SignaturesMessage(
            chain: message.chain, transaction: message.transaction, signatures: message.transaction.signatures
        )
        #expect(
            Hex.encode(signatures.cbor) == "a3015820\(Self.chain)025820\(Self.id)03815842\(Self.signature)")
    }

    @Test func hashesOfABIsAreStated() throws {
        let cbor = "a3015820\(Self.chain)02\(Self.packedItem)0581821b5530ea033482a60058\("20")\(Self.id)"
        guard case .transaction(let message) = try Self.decode(.transaction, cbor) else {
            Issue.record("another type")
            return
        }
        let stated = message.stated
        #expect(stated.statedChain?.text == Self.chain)
        #expect(try stated.statedABIs == [Name("eosio.token"): ABIHash(sha256: Hex.decode(Self.id))])
        #expect(ABIHash(sha256: [1]) == nil)
    }

    @Test(
        arguments: [
            ("x-eos-key", "a0", .unknownType("x-eos-key")),
            ("bytes", "43010203", .unknownType("bytes")),
            ("x-eos-transaction", "a0", .missingMember(1)),
            ("x-eos-transaction", "a1015820\(chain)", .missingMember(2)),
            ("x-eos-transaction", "a1015800", .sequence(.cbor(.notDeterministic(offset: 2)))),
            ("x-eos-transaction", "a10140", .invalidValue(member: 1)),
            ("x-eos-transaction", "a1015821\(chain)00", .sequence(.cbor(.tooLong(offset: 2, limit: 32)))),
            ("x-eos-transaction", "a202\(packedItem)015820\(chain)", .memberOrder(1)),
            ("x-eos-transaction", "a202\(packedItem)02\(packedItem)", .memberOrder(2)),
            ("x-eos-transaction", "a2015820\(chain)0243010203", .transaction),
            ("x-eos-transaction", "a3015820\(chain)02\(packedItem)0340", .invalidValue(member: 3)),
            ("x-eos-transaction", "a3015820\(chain)02\(packedItem)0341ff", .transaction),
            ("x-eos-transaction", "a3015820\(chain)02\(packedItem)0480", .invalidValue(member: 4)),
            ("x-eos-transaction", "a3015820\(chain)02\(packedItem)04814100", .invalidValue(member: 4)),
            ("x-eos-transaction", "a3015820\(chain)02\(packedItem)0580", .invalidValue(member: 5)),
            ("x-eos-transaction", "a3015820\(chain)02\(packedItem)0581820140", .invalidValue(member: 5)),
            ("x-eos-transaction", "a3015820\(chain)02\(packedItem)0600", .unknownMember(6)),
            (
                "x-eos-transaction", "a2015820\(chain)02\(packedItem)00",
                .sequence(.cbor(.trailingBytes(offset: end)))
            ),
            ("x-eos-signatures", "a1024101", .invalidValue(member: 2)),
            ("x-eos-signatures", "a2015820\(chain)025820\(id)", .missingMember(3)),
            ("x-eos-public-keys", "a10180", .invalidValue(member: 1)),
            ("x-eos-public-keys", "a1018100", .sequence(.cbor(.unexpectedItem(offset: 3)))),
            ("x-eos-public-keys", "a101815823\(key)00", .invalidValue(member: 1)),
            ("x-eos-request", "686573723a2f2f4142", .sequence(.cbor(.unexpectedItem(offset: 0)))),
            ("x-eos-request", "d821686573723a2f2f4142", .unknownMember(33)),
            ("x-eos-request", "d820666874747073 3a".replacing(" ", with: ""), .invalidValue(member: 32)),
            ("x-eos-request", "d82067657372 3a2f2f20".replacing(" ", with: ""), .invalidValue(member: 32)),
            ("x-eos-file", "a0", .missingMember(1)),
            ("x-eos-file", "a10102", .missingMember(2)),
            // Its length is not 2, and the stream is cut off.
            ("x-eos-file", "a201030247010200fdff7b7d", .invalidValue(member: 1)),
            ("x-eos-file", "a201010247010200fdff7b7d", .invalidValue(member: 2)),
            ("x-eos-file", "a201020246010200fdff7b", .invalidValue(member: 2)),
            // 1,000,001 bytes, and a number that no Int holds.
            ("x-eos-file", "a2011a000f4241024100", .file(.tooLong(limit: 1_000_000))),
            ("x-eos-file", "a2011bffffffffffffffff024100", .file(.tooLong(limit: 1_000_000))),
            // `{x`
            ("x-eos-file", "a201020247010200fdff7b78", .file(.neitherJSONNorABI)),
        ] as [(String, String, AirGapError)])
    func refusals(type: String, hex: String, error: AirGapError) throws {
        #expect(throws: error) { try Self.decode(URType(type.utf8), hex) }
    }

    private static let end = 1 + 35 + 3 + packed.utf8.count / 2
}
