import JSON
import TestSupport
import Testing
import VectorSuite

/// Every test of every published file passes. The expected counts detect a lost row.
struct VectorFileTests {
    @Test(arguments: [
        ("private-keys", "private-key", 337), ("public-keys", "public-key", 400),
        ("signatures", "signature", 54),
        ("sign-digest", "sign-digest", 344), ("verify-signatures", "verify-signature", 230),
        ("verify-webauthn", "verify-signature", 240), ("abi", "abi", 1544),
        ("transactions", "transaction", 73),
        ("built-transactions", "transaction", 29), ("qr", "qr", 73),
        ("signing-requests", "signing-request", 49),
        ("ur", "ur", 445), ("http-signatures", "http-signature", 55),
        ("http-hmac", "http-signature", 261),
    ])
    func everyTestPasses(name: String, kind: String, count: Int) throws {
        let report = try VectorFile.check(repositoryFile("Vectors/\(name).json"))
        #expect(report.kind == kind)
        #expect(report.count == count)
        #expect(report.failures.map { "\($0.id): \($0.reason)" } == [])
    }

    static func file(_ kind: String, _ tests: String, more: String = "") -> [UInt8] {
        Array("{\"schema\":\"eosvault-vectors/1\",\"kind\":\"\(kind)\",\(more)\"tests\":[\(tests)]}".utf8)
    }

    @Test(arguments: [
        ("{", "json"), ("[]", "notAnObject"), ("{\"schema\":\"x\"}", "unknownSchema"),
        ("{\"schema\":\"eosvault-vectors/1\"}", "missingField(\"kind\")"),
        ("{\"schema\":\"eosvault-vectors/1\",\"kind\":\"abi\"}", "missingField(\"tests\")"),
        ("{\"schema\":\"eosvault-vectors/1\",\"kind\":\"abi\",\"tests\":[]}", "noTests"),
        ("{\"schema\":\"eosvault-vectors/1\",\"kind\":\"abi\",\"tests\":[{}]}", "missingField(\"abi\")"),
        (
            "{\"schema\":\"eosvault-vectors/1\",\"kind\":\"unknown-kind\",\"tests\":[{}]}",
            "unknownKind(\"unknown-kind\")"
        ),
    ])
    func refusesFile(text: String, error: String) {
        #expect(outcome(text).hasPrefix(error))
    }

    private func outcome(_ text: String) -> String {
        do { return "checked \(try VectorFile.check(Array(text.utf8)).count)" } catch { return "\(error)" }
    }

    /// A valid row with one changed field fails with an error that names the field.
    @Test(arguments: [
        ("attempts", "1", "2", VectorFailure.mismatch("attempts")),
        ("digest", "ff\"", "fe\"", .mismatch("signature")),
        ("digest", "ff\"", "f\"", .malformedField("digest")),
        ("private_key", "uDf", "uDg", .refused("private_key")),
        ("public_key", "PUB_K1_5p78", "PUB_K1_5p79", .mismatch("public_key")),
        ("result", "\"valid\"", "\"invalid\"", .accepted),
    ])
    func detectsEachChangedField(field: String, old: String, new: String, failure: VectorFailure) throws {
        let row = """
            {"id": 1, "private_key": "5HpHagT65TZzG1PH3CSu63k8DbpvD8s5ip4nEB3kEsreAnchuDf", \
            "digest": "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", "result": "valid", \
            "signature": "SIG_K1_KjsfyU8dgU3qQtYKBwVKi4NSSLmgL5yNR496GVPye9TCHP2WvF8Crj38yQHPnsTwqFhLbmZYt63BNhSwhW9K\
            7xE679TzJb", \
            "attempts": 1, "public_key": "PUB_K1_5p78kHbL33Rn3JWkTWRE2B9uz6gy4r1KbfAKLNQGE3ovLY8E9M"}
            """
        #expect(try VectorFile.check(Self.file("sign-digest", row)).failures.isEmpty)
        let start = try #require(row.firstRange(of: "\"\(field)\": ")).upperBound
        let value = try #require(row[start...].firstRange(of: old))
        var changed = row
        changed.replaceSubrange(value, with: new)
        #expect(try VectorFile.check(Self.file("sign-digest", changed)).failures.map(\.reason) == [failure])
    }

    /// More compressed forms than this would take minutes to look up.
    @Test func manyCompressedForms() throws {
        let file = try JSONValue.parse(repositoryFile("Vectors/transactions.json"))
        let test = try #require(file["tests"]?.array?.first { $0["zlib"] != nil })
        func failures(_ count: Int) throws -> [VectorFailure] {
            let packed = try #require(test["zlib"]?["zlib6_packed_trx"])
            let forms = JSONValue.object((0..<count).map { JSONMember("\($0)_packed_trx", packed) })
            let members = try #require(test.object).map { $0.key == "zlib" ? JSONMember("zlib", forms) : $0 }
            let more = try "\"abis\":" + #require(file["abis"]).text() + ","
            return try VectorFile.check(
                Self.file("transaction", JSONValue.object(members).text(), more: more)
            ).failures
                .map(\.reason)
        }
        #expect(try failures(256) == [])
        #expect(try failures(257) == [.malformedField("zlib")])
    }

    // MARK: - actions of contracts without an ABI in the row

    /// Two actions of `dex`, the first of them context-free, and an `updateauth` whose bytes no ABI
    /// decodes. The row has no ABI for any of them. Python's struct and hashlib computed the bytes
    /// and hashes.
    private static let row = """
        {"id": 1, "result": "valid", "abis": [], "transaction": {"expiration": "2026-12-01T00:00:00", \
        "ref_block_num": 1, \
        "ref_block_prefix": 2, "context_free_actions": [{"account": "dex", "name": "trade", "authorization": [], \
        "data": "fe"}], \
        "actions": [{"account": "dex", "name": "trade", "authorization": [], "data": "ff"}, \
        {"account": "eosio", "name": "updateauth", "authorization": [], "data": "ffff"}]}, \
        "packed_trx": "000e0e6b01000200000000000001000000000000ba4a000000000095cccd0001fe02000000000000ba4a0000000000\
        95cccd0001ff\
        0000000000ea30550040cbdaa86c52d50002ffff00", "packed_context_free_data": "", "signatures": [], \
        "transaction_id": "2d78985c6ec8ec5b545268ecf526361def15dce0c8d4b0055572b9101d74922f", \
        "signing_digest": "c933a2dc42e816ad149a75a06be5a089c7b9670ce22928a603e02ccb6733cc1f", \
        "chain_id": "aca376f206b8fc25a6ed44dbdc66547c36c6c33e3a119ffbeaef943642f0e906"}
        """

    /// The data of these actions is given in hex and compared as bytes. The data of a listed
    /// contract must decode.
    @Test(
        arguments: [
            ("", "", nil), (#""data": "ff"}"#, #""data": "fd"}"#, .mismatch("packed_trx")),
            (#""data": "ffff""#, #""data": "fffe""#, .mismatch("packed_trx")),
            (#""data": "fe""#, #""data": "fd""#, .mismatch("packed_trx")),
            (#""data": "ff"}"#, #""data": {"n": 255}}"#, .refused("transaction")),
            (#""abis": []"#, #""abis": ["dex"]"#, nil),
            (#""abis": []"#, #""abis": ["eosio"]"#, .refused("decode")),
            (#""abis": []"#, #""abis": ["wide"]"#, nil),
            (#""abis": []"#, #""abis": ["other"]"#, .malformedField("abis")),
            (#""abis": [], "#, "", .missingField("abis")),
        ] as [(String, String, VectorFailure?)])
    func dataWithoutABI(old: String, new: String, failure: VectorFailure?) throws {
        let trade =
            #"""
            {"version":"eosio::abi/1.1","structs":[],"actions":[{"name":"trade","type":"uint8"},\#
            {"name":"updateauth","type":"uint8"}]}
            """#
        let abis = #""abis":{"dex":\#(trade),"eosio":\#(trade),"wide":\#(trade)},"#
        let row = old.isEmpty ? Self.row : Self.row.replacing(old, with: new, maxReplacements: 1)
        #expect(old.isEmpty || row != Self.row)
        let report = try VectorFile.check(Self.file("transaction", row, more: abis))
        #expect(report.failures.map(\.reason) == (failure.map { [$0] } ?? []))
    }

    /// The data of a context-free action must decode too if the row has an ABI of its contract.
    @Test func contextFreeDataDecodes() throws {
        let narrow = #"{"version":"eosio::abi/1.1","structs":[],"actions":[{"name":"trade","type":"bool"}]}"#
        let row = Self.row.replacing(#""abis": []"#, with: #""abis": ["dex"]"#)
        let report = try VectorFile.check(Self.file("transaction", row, more: #""abis":{"dex":\#(narrow)},"#))
        #expect(report.failures.map(\.reason) == [.refused("decode")])
    }
}
