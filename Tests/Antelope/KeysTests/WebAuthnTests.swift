import Codecs
import Testing

@testable import Keys

/// The reasons why no key is recovered from a WebAuthn signature. `Vectors/verify-webauthn.json`
/// has the result of nodeos for each kind.
struct WebAuthnTests {
    // A signature that nodeos accepted.
    private static let digest = "5a0be78799ec02a4778b4e3ed860c6ea2566a1476ea9d46c7fd7dfca4b2a2fef"
    private static let compact =
        "1f8f7a7d70ed991fda2bbaefee0b8e849bc3a0a4f2ec0ef07c256b6a9e4ee9b758"
        + "0279274bb5a855f48cefc34ba516ee4d447a7069b88bf1ad6acafc865f1674ac"
    private static let authenticator =
        "a379a6f6eeafb9a55e378c118034e2751e682fab9f2d30ab13d2125586ce19470100000000"
    private static let client =
        #"{"type":"webauthn.get","challenge":"Wgvnh5nsAqR3i04-2GDG6iVmoUduqdRsf9ffyksqL-8""#
        + #","origin":"https://example.com","crossOrigin":false}"#
    private static let key =
        "0240b91ffe1b0b14b2cd206f5c9431830d4a673c5bb7e49aa8b9a4a9a894aad244010b6578616d706c652e636f6d"

    private static func recover(
        compact: String = compact, authenticator: String = authenticator,
        client: [UInt8] = Array(client.utf8),
        digest: String = digest
    ) throws -> PublicKey {
        var body = ByteWriter()
        body.write(bytes: try Hex.decode(compact))
        body.write(prefixed: try Hex.decode(authenticator))
        body.write(prefixed: client)
        return try Signature(kind: .webAuthn, body: body.bytes).recover(SigningDigest(Hex.decode(digest)))
    }

    private static func changed(_ text: String, to other: String) -> [UInt8] {
        Array(client.replacing(text, with: other).utf8)
    }

    @Test func recovers() throws {
        #expect(try Self.recover() == PublicKey(kind: .webAuthn, body: Hex.decode(Self.key)))
    }

    @Test(
        arguments: [
            (client: changed("webauthn.get", to: "webauthn.create"), fault: .type),
            (client: changed("type", to: "kind"), fault: .type),
            (client: changed("challenge", to: "challenged"), fault: .challenge),
            (client: changed("https://", to: "http://"), fault: .origin),
            (client: changed("origin", to: "crossOrigin"), fault: .origin),
            (client: changed("example.com", to: "example.org"), fault: .relyingParty),
            (client: Array(client.utf8.dropLast()), fault: .clientData(offset: 131)),
            (client: [], fault: .clientData(offset: 0)),
        ] as [(client: [UInt8], fault: WebAuthnFault)])
    func refusesClientData(client: [UInt8], fault: WebAuthnFault) {
        #expect(throws: CurveError.webAuthn(fault)) { try Self.recover(client: client) }
    }

    @Test func refusesAnotherDigest() {
        #expect(throws: CurveError.webAuthn(.challenge)) {
            try Self.recover(digest: String(repeating: "00", count: 32))
        }
    }

    @Test(arguments: [0, 32, 36]) func refusesShortAuthenticatorData(count: Int) {
        #expect(throws: CurveError.webAuthn(.authenticatorData(count: count, needed: 37))) {
            try Self.recover(authenticator: String(Self.authenticator.prefix(2 * count)))
        }
    }

    @Test func refusesOtherRelyingParty() {
        #expect(throws: CurveError.webAuthn(.relyingParty)) {
            try Self.recover(authenticator: String(repeating: "00", count: 37))
        }
    }

    /// The relying party hash is the SHA-256 of no bytes. nodeos recovers a key, but no account can
    /// have it.
    @Test func refusesEmptyRelyingParty() {
        let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b8550100000000"
        for origin in ["https://", "https://:443"] {
            #expect(throws: CurveError.emptyRelyingParty) {
                try Self.recover(
                    authenticator: nothing, client: Self.changed("https://example.com", to: origin))
            }
        }
    }

    @Test(arguments: ["1e", "23"]) func refusesHeader(header: String) {
        #expect(throws: CurveError.notRecoverable) {
            try Self.recover(compact: header + Self.compact.dropFirst(2))
        }
    }

    /// nodeos refuses more than its default limit. At the limit, the data is read.
    @Test func refusesLongData() {
        let client = Array(Self.client.utf8)
        let room = WebAuthn.maximumCount - 37 - client.count
        #expect(throws: CurveError.webAuthn(.tooLong(limit: 16_384))) {
            try Self.recover(client: client + [UInt8](repeating: 0x20, count: room + 1))
        }
        // White space after the object changes the signed bytes, but is not an error in the text.
        #expect(throws: Never.self) {
            try Self.recover(client: client + [UInt8](repeating: 0x20, count: room))
        }
    }
}

/// Client data as rapidjson reads it.
struct ClientDataTests {
    @Test func lastMemberCounts() throws {
        let text = #" {"type":"a","origin":"b","type":"c","challenge":"d","x":{"type":"e"},"challenge":"f"} "#
        let data = try ClientData(Array(text.utf8))
        #expect(data.type == Array("c".utf8))
        #expect(data.origin == Array("b".utf8))
        #expect(data.challenge == Array("f".utf8))
    }

    @Test func readsEscapes() throws {
        let text = #"{"typ\u0065\u0000x":"\"\\\/\b\f\n\r\t\u00e9\u20ac\ud83d\ude00\udc00"}"#
        let data = try ClientData(Array(text.utf8))
        #expect(data.type == Array("\"\\/\u{8}\u{c}\n\r\té€😀".utf8) + [0xed, 0xb0, 0x80])
    }

    @Test(arguments: [
        ("", 0), ("[]", 0), ("{} {}", 3), (#"{"a":01}"#, 6), (#"{"a":1e309}"#, 10), (#"{"a":[1,]}"#, 8),
        (#"{"a":"\ud800"}"#, 12),
        (#"{"type":null}"#, 8), (#"{"type":["a"]}"#, 8), (#"{"a":nul}"#, 8),
        ("{\"a\":\"\t\"}", 6), (#"{"a" 1}"#, 5), (#"{"a":{"b":1]}"#, 11),
        (#"{"a":\u0031}"#, 5), ("{\"a\":\"\0\"}", 6), (#"{"a":"\x"}"#, 7), (#"{,}"#, 1),
    ])
    func refuses(text: String, offset: Int) {
        #expect(throws: ClientData.Fault(offset: offset)) { try ClientData(Array(text.utf8)) }
    }

    /// Nesting does not use more stack.
    @Test func readsAnyDepth() throws {
        let depth = 8_000
        let text =
            #"{"a":"# + String(repeating: #"[{"b":"#, count: depth) + "1"
            + String(repeating: "}]", count: depth) + "}"
        _ = try ClientData(Array(text.utf8))
    }
}
