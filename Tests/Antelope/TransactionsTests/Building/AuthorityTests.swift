import ABICodec
import Codecs
import JSON
import Keys
import Testing

@testable import Transactions

struct AuthorityTests {
    private static let k1 = "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"
    private static let other = "EOS6gsQXzM6CLbhbDKLEteS6PZb6W2UaHDLvtQN56gxEGYsBZ6rcC"
    private static let r1 = "PUB_R1_6FPFZqw5ahYrR9jD96yDbbDNTdKtNqRbze6oTDLntrsANgQKZu"

    private static func read(_ text: String, keys: [String: PublicKey] = [:]) throws -> Authority {
        var labelled = LabelledKeys()
        for (label, key) in keys { labelled[label] = key }
        return try AuthorityText(text).authority(labelled)
    }

    private static func authority(_ threshold: Int, _ parts: String) -> String {
        "{\"threshold\":\(threshold),\(parts)}"
    }

    private static func keys(_ keys: String...) -> String {
        "\"keys\":[" + keys.map { "{\"key\":\"\($0)\",\"weight\":1}" }.joined(separator: ",") + "]"
    }

    private static func accounts(_ levels: String...) -> String {
        let parts = levels.map { level in
            let names = level.split(separator: "@")
            return "{\"permission\":{\"actor\":\"\(names[0])\",\"permission\":\"\(names[1])\"},\"weight\":1}"
        }
        return "\"accounts\":[" + parts.joined(separator: ",") + "]"
    }

    private static func waits(_ seconds: Int...) -> String {
        "\"waits\":[" + seconds.map { "{\"wait_sec\":\($0),\"weight\":1}" }.joined(separator: ",") + "]"
    }

    // MARK: - the order

    /// nodeos compares K1 keys before R1 keys before WebAuthn keys, then the bytes. The texts of
    /// the keys are in another order.
    @Test func keysAreInTheOrderOfNodeos() throws {
        let keys = try Self.pool.map { try PublicKey($0) }
        let authority = try Authority(
            threshold: 1, keys: keys.reversed().map { Authority.Key(key: $0, weight: 1) }, accounts: [],
            waits: [])
        #expect(authority.keys.map(\.key) == keys)
        #expect(keys.map(\.text) != keys.map(\.text).sorted())
    }

    /// In the order in which nodeos of Leap 4.1 accepted and returned them in one authority.
    private static let pool = [
        "EOS4v7jsX7HK1HGeoSBzoA78FUpx7tnCirwDfzjCbZjT2HPv2Tkt1",
        "EOS5P52UyPoYL7vMiSREPvqxh6WebuMAunCMK4w53J7Gu6zmk4qyN",
        "EOS5p78kHbL33Rn3JWkTWRE2B9uz6gy4r1KbfAKLNQGE3ovMBS5bu",
        "EOS5wozeF5fA9koN1mFvYtzqr82yfFKDYDqoNjmx8fUZ4w1XCyTbJ",
        "EOS5yeYdr53FMC2NfZKfRDw5vfEgZJrVRnBrr4466YkLfs9kEBKEa",
        "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV",
        "EOS6PhSs6H49U1Lb6vz9GDtUF9RjtpFpkS6Rxm94LumQrnD1YqfSG",
        "EOS6nEZsuNhDnknxVTf1YH454nxiB5MpVSN7gQktMRioqRiAXfJpk",
        "EOS6qEXhM6ZH2gQTk7j9nxDKmMBa3uBKTgkocbQDQ2agrvHAkbdr1",
        "EOS73DrQkRHoFqo44MNFJS3P4rUJLLNMYqFLduA9khBHPPucfyzes",
        "EOS7krJyjdBTieurtDf38RBLmvq6iQcmgt7EjGZV4JFt4CQyumk8G",
        "EOS8LSd6YJua9EUQgdtitDqnqvLrWXuXbJt52sPD2om4sAhdEGBut",
        "PUB_R1_6KVGtevQMaComnp8GjUQYvWVJTAiUC1jtoiEspn3EtjPgrvfzL",
        "PUB_R1_6k5Wen5oK6vyE3i1FFcfCxbKZCwTsAiwR4Tm7maLqvubHLmqhG",
        "PUB_R1_7eQ5VMbyuk3TvqS38ngVGHbqeuHyK9ASXEw5kmDburVcEgJC8Z",
        "PUB_R1_7nG8yeAGzgywfEjFnvHqpn1hV6P2ca1sYEekBh5N5xvPdZWCbD",
        "PUB_WA_Xc1j1hqHXQhCHW2vkSMknb4JFZYphFR9aZDtLfdLFgjGouiTLJcUTvrp8gxWu66Hak8sxV",
        "PUB_WA_GmUhVf91v2ZMiee8SuVXb9iLnvL6YcSA75S5SVVcZJKXkFrQxXhCS7JgJUpR3kzbqaUNN3tEoxuKBJDGsFAvhk54",
        "PUB_WA_8GpfcLNtogpfw3yC4ZsMfJ5cPe5ug2eWPXsHK5iSCkbXiexfJGwCfEnShyHbPFHLe",
        "PUB_WA_3VaR2xmLydfS9kqmHoAV8VTQSVbnwiXf5kD6GB1iPB4Zf54ENqpNk3MPqAebhk9X2NfL",
    ]

    /// The relying party id counts without its length: "ab" is before "b" in nodeos, because it
    /// compares the texts (AntelopeIO/spring, elliptic_webauthn.hpp, `operator<`).
    @Test func webAuthnKeysOfOnePoint() throws {
        let point = try PublicKey(Self.r1).body
        let tails: [[UInt8]] = [[0, 2, 0x61, 0x62], [0, 1, 0x62], [1, 1, 0x61]]
        let keys = try tails.map { try PublicKey(kind: .webAuthn, body: point + $0) }
        let authority = try Authority(
            threshold: 1, keys: keys.reversed().map { Authority.Key(key: $0, weight: 1) }, accounts: [],
            waits: [])
        #expect(authority.keys.map(\.key) == keys)
        // A length of two bytes.
        let long = try [UInt8(0x61), 0x62].map { letter in
            let id = [UInt8](repeating: letter, count: letter == 0x61 ? 200 : 129)
            var writer = ByteWriter()
            writer.write(prefixed: id)
            return try PublicKey(kind: .webAuthn, body: point + [0] + writer.bytes)
        }
        #expect(PublicKey.isOrdered(long[0], before: long[1]))
        #expect(!PublicKey.isOrdered(long[1], before: long[0]))
    }

    /// By the 64-bit value: a dot before 1 to 5 before letters, and not by the text.
    @Test func accountsAreInTheOrderOfTheirValues() throws {
        let text = Self.authority(
            1, Self.accounts("b@active", "a1@owner", "a1@active", "a.b@active", "aa@active"))
        let levels = try Self.read(text).accounts.map(\.level.text)
        #expect(levels == ["a.b@active", "a1@active", "a1@owner", "aa@active", "b@active"])
    }

    @Test func waitsAreInTheOrderOfTheirSeconds() throws {
        let authority = try Self.read(Self.authority(1, Self.waits(100, 9, 20)))
        #expect(authority.waits.map(\.seconds) == [9, 20, 100])
    }

    // MARK: - forms

    @Test func oneKeyOrAccountIsAnAuthority() throws {
        let key = try Self.read(Self.k1)
        #expect(key == (try Self.read(Self.authority(1, Self.keys(Self.k1)))))
        #expect(try Self.read("bob@active") == Self.read(Self.authority(1, Self.accounts("bob@active"))))
    }

    @Test func labelsAreKeysOfTheCaller() throws {
        let key = try PublicKey(Self.k1)
        #expect(try AuthorityText("cold treasury").labels == ["cold treasury"])
        #expect(try Self.read("cold treasury", keys: ["cold treasury": key]) == Self.read(Self.k1))
        let text = Self.authority(2, Self.keys("cold", Self.r1))
        #expect(try AuthorityText(text).labels == ["cold"])
        #expect(
            try Self.read(text, keys: ["cold": key])
                == Self.read(Self.authority(2, Self.keys(Self.k1, Self.r1))))
        // Not a permission: a name has no capital letters.
        #expect(try AuthorityText("Bob@home").labels == ["Bob@home"])
    }

    /// As in the vault, where they are two labels.
    @Test func labelsAreComparedByteByByte() throws {
        var keys = LabelledKeys()
        keys["\u{e9}"] = try PublicKey(Self.k1)
        keys["e\u{301}"] = try PublicKey(Self.other)
        #expect(keys["\u{e9}"]?.text == Self.k1)
        #expect(keys["e\u{301}"]?.text == Self.other)
    }

    // MARK: - refusals

    @Test(arguments: [
        (0, keys(k1), BuildError.Fault.zeroThreshold),
        (2, keys(k1), .unreachable(threshold: 2, weight: 1)),
        (1, "\"keys\":[]", .unreachable(threshold: 1, weight: 0)),
        (4, keys(k1) + "," + accounts("bob@active") + "," + waits(5), .unreachable(threshold: 4, weight: 3)),
        (1, waits(7, 7), .duplicateWait(seconds: 7)), (1, waits(0), .zeroWait), (1, waits(5, 0), .zeroWait),
        (1, keys("unknown"), .unknownLabel("unknown")),
    ])
    func refused(threshold: Int, parts: String, fault: BuildError.Fault) {
        #expect(throws: BuildError.authority(fault)) { try Self.read(Self.authority(threshold, parts)) }
    }

    @Test func duplicatesAreRefused() throws {
        // The two forms of one key.
        let key = try PublicKey(Self.k1)
        #expect(throws: BuildError.authority(.duplicateKey(key))) {
            try Self.read(Self.authority(1, Self.keys(Self.k1, Self.other, key.canonicalText)))
        }
        #expect(throws: BuildError.authority(.duplicateKey(key))) {
            try Self.read(Self.authority(1, Self.keys(Self.k1, "cold")), keys: ["cold": key])
        }
        #expect(throws: BuildError.authority(.duplicateAccount(try PermissionLevel("bob@active")))) {
            try Self.read(Self.authority(1, Self.accounts("bob@active", "alice@active", "bob@active")))
        }
    }

    @Test func partsAreLimited() throws {
        let waits = (1...65_537).map { Authority.Wait(seconds: $0, weight: 65_535) }
        #expect(throws: BuildError.authority(.tooManyParts(limit: 65_536))) {
            try Authority(threshold: 1, keys: [], accounts: [], waits: waits)
        }
        // The sum of the most parts fits into the 32 bits of a threshold.
        let most = try Authority(threshold: 65_536 * 65_535, keys: [], accounts: [], waits: waits.dropLast())
        #expect(most.waits.count == 65_536)
    }

    @Test(arguments: [
        ("{}", ABIError(.missingField("threshold"))),
        ("{\"threshold\":1,\"key\":[]}", ABIError(.unknownField("key"))),
        (
            "{\"threshold\":1,\"keys\":[{\"key\":\"cold\",\"weight\":65536}]}",
            ABIError(.integerOutOfRange(type: "uint16")).inside(.field("weight")).inside(.element(0))
                .inside(.field("keys"))
        ),
        (
            authority(1, keys("EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CW")),
            ABIError(.keyText(.checksumMismatch)).inside(.field("key")).inside(.element(0)).inside(
                .field("keys"))
        ),
    ])
    func malformedJSON(text: String, error: ABIError) {
        #expect(throws: BuildError.value(error)) { try AuthorityText(text) }
    }

    /// Text that may be a private key is never taken for a label.
    @Test(arguments: [
        "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CW",
        "5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3", "",
        "FIO6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV",
    ])
    func textOfAKeyIsNoLabel(text: String) {
        #expect(throws: BuildError.self) { try AuthorityText(text) }
    }
}
