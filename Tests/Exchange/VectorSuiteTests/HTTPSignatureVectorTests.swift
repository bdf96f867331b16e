import Testing
import VectorSuite

/// A row of `Vectors/http-signatures.json` with one changed field fails with an error that names
/// the field.
struct HTTPSignatureVectorTests {
    /// A form body of binance, as its documentation has it.
    private static let form = """
        {"id": 1, "result": "valid", "profile": "binance", "parameters": {"window": "5000"}, \
        "key_id": "vmPUZE6mv9SD5VNHk4HlWFsOr6aKE2zvsw0MuIgwCIPy6utIco14y7Ju91duEh8A", \
        "secret": "NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j", "method": "POST", \
        "url": "https://api.binance.com/api/v3/order", "time_ms": 1499827319559, \
        "body": "symbol=LTCBTC&side=BUY&type=LIMIT&timeInForce=GTC&quantity=1&price=0.1", \
        "final_body": "symbol=LTCBTC&side=BUY&type=LIMIT&timeInForce=GTC&quantity=1&price=0.1&recvWindow=5000\
        &timestamp=1499827319559&signature=c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71", \
        "headers": {"Content-Type": "application/x-www-form-urlencoded"}}
        """

    private static let basic = """
        {"id": 1, "result": "valid", "profile": "basic", "parameters": {}, "key_id": "pubkey", \
        "secret_hex": "736563726574", "method": "GET", "url": "https://example.com/", \
        "headers": {"Authorization": "Basic cHVia2V5OnNlY3JldA=="}}
        """

    @Test(
        arguments: [
            ("", "", nil), ("signature=c8", "signature=c9", .mismatch("body")),
            ("1499827319559,", "1499827319560,", .mismatch("body")),
            ("\"final_body\"", "\"other\"", .mismatch("body")),
            ("\"POST\"", "\"GET\"", .refused("sign")), ("\"POST\"", "\"post\"", .refused("request")),
            ("https://api", "https:/api", .refused("request")),
            ("\"secret\": \"N", "\"secret\": \"n", .mismatch("body")),
            ("\"5000\"", "\"0\"", .refused("profile")), ("\"5000\"", "5000", .malformedField("parameters")),
            ("\"binance\"", "\"binanc\"", .refused("profile")), ("\"vmPUZ", "\" vmPUZ", .refused("key_id")),
            ("\"application/x", "\"application/y", .mismatch("Content-Type")),
            ("\"secret\"", "\"other\"", .missingField("secret")),
            ("\"headers\"", "\"other\"", .missingField("headers")),
            ("\"final_body\"", "\"final_url\"", .mismatch("url")), ("\"valid\"", "\"invalid\"", .accepted),
            ("\"body\"", "\"body_hex\"", .malformedField("body_hex")),
        ] as [(String, String, VectorFailure?)])
    func form(old: String, new: String, failure: VectorFailure?) throws {
        try Self.check(Self.form, old, new, failure)
    }

    @Test(
        arguments: [
            ("", "", nil), ("JldA==", "JldB==", .mismatch("Authorization")),
            ("73656", "73657", .mismatch("Authorization")),
            ("\"Authorization\"", "\"Other\"", .mismatch("Other")), ("https", "http", .refused("sign")),
        ] as [(String, String, VectorFailure?)])
    func basic(old: String, new: String, failure: VectorFailure?) throws {
        try Self.check(Self.basic, old, new, failure)
    }

    private static func check(_ row: String, _ old: String, _ new: String, _ failure: VectorFailure?) throws {
        let changed = old.isEmpty ? row : row.replacing(old, with: new, maxReplacements: 1)
        #expect(old.isEmpty || changed != row)
        let report = try VectorFile.check(VectorFileTests.file("http-signature", changed))
        #expect(report.failures.map(\.reason) == (failure.map { [$0] } ?? []))
    }
}
