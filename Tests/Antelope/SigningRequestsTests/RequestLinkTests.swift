import ABICodec
import Codecs
import Keys
import SigningRequests
import Testing
import Transactions

/// Links that are refused, each with its error and position. `Vectors/signing-requests.json` has
/// the valid ones.
struct RequestLinkTests {
    static func link(_ text: String) throws(RequestError) -> RequestLink {
        try RequestLink(utf8: Array(text.utf8))
    }

    /// The link of a header byte and a payload in hex.
    static func link(_ header: UInt8, _ payload: String) throws -> RequestLink {
        try link("esr:" + Base64.encode([header] + Hex.decode(payload), .url))
    }

    /// EEP-7: a vote for a proxy.
    static let vote = "gmNgZGRkAIFXBqEFopc6760yugsVYWCA0YIwxgKjuxLSL6-mgmQA"

    @Test func published() throws {
        for scheme in ["esr:", "esr://", "web+esr:", "web+esr://"] {
            let link = try Self.link(scheme + Self.vote)
            #expect(link.text == scheme + Self.vote)
            #expect(link.request.version == .two)
            #expect(link.request.chain.chainID?.chain?.name == "eos")
            #expect(link.request.flags == .broadcast)
            let action = try #require(link.request.template.actions.first)
            #expect(action.account.text == "eosio")
            #expect(action.name.text == "voteproducer")
            #expect(action.authorization.map(\.text) == ["............1@............1"])
        }
    }

    /// `\u{0}` is NUL.
    private static let refused: [(String, RequestError)] = [
        ("", RequestError.unknownScheme), ("esr", .unknownScheme), ("eosio:\(vote)", .unknownScheme),
        ("ESR:\(vote)", .unknownScheme), (" esr:\(vote)", .unknownScheme),
        ("\u{0}esr:\(vote)", .unknownScheme),
        ("web+esr", .unknownScheme), ("esr:", .emptyLink), ("esr://", .emptyLink), ("web+esr://", .emptyLink),
        ("esr:g\u{0}Ng", .base64(.invalidBase64Character(offset: 5))),
        ("esr://g\u{0}Ng", .base64(.invalidBase64Character(offset: 7))),
        ("esr:///gmN", .base64(.invalidBase64Character(offset: 6))),
        ("esr://gm+/", .base64(.invalidBase64Character(offset: 8))),
        ("esr://\(vote)=", .base64(.invalidBase64Character(offset: 58))),
        ("esr://\(vote)\n", .base64(.invalidBase64Character(offset: 58))),
        ("esr://\(vote) ", .base64(.invalidBase64Character(offset: 58))),
        ("esr://gmN é", .base64(.invalidBase64Character(offset: 9))),
        // One character, and excess bits that are not zero.
        ("esr://A", .base64(.invalidBase64End(offset: 7))),
        ("esr://AB", .base64(.invalidBase64End(offset: 8))),
        ("esr://AAB", .base64(.invalidBase64End(offset: 9))),
        ("esr://AA", .unknownVersion(0)), ("esr://AQ", .unknownVersion(1)), ("esr://BA", .unknownVersion(4)),
        ("esr://hA", .unknownVersion(4)),
        ("esr://Ag", .bytes(.unexpectedEnd(offset: 0, needed: 1, remaining: 0))),
        ("esr://gg", .inflate(.invalid)),
    ]

    @Test(arguments: refused)
    func refuses(_ text: String, _ error: RequestError) {
        #expect(throws: error) { try Self.link(text) }
    }

    @Test func longLinks() throws {
        let limit = RequestLink.maximumLength
        let text = "esr:" + String(repeating: "A", count: limit - 3)
        #expect(throws: RequestError.linkTooLong(count: limit + 1, limit: limit)) { try Self.link(text) }
        #expect(throws: RequestError.unknownVersion(0)) { try Self.link(String(text.dropLast())) }
    }

    /// A payload of the maximum length and one of one byte more; compressed, both are short.
    @Test func bombs() throws {
        let limit = RequestLink.maximumPayload
        for count in [limit, limit + 1, 16 * limit] {
            let deflated = Deflate.compress([UInt8](repeating: 0xff, count: count), .raw)
            #expect(deflated.count < limit / 16)
            let text = "esr:" + Base64.encode([0x82] + deflated, .url)
            let error: RequestError =
                count == limit
                ? .unknownVariant(.chain, index: 0xff, offset: 0) : .inflate(.tooLong(limit: limit))
            #expect(throws: error) { try Self.link(text) }
        }
    }

    @Test func bytesAfterTheStream() throws {
        let deflated = Deflate.compress([0, 1], .raw)
        #expect(throws: RequestError.inflate(.trailingBytes(count: 2))) {
            try Self.link("esr:" + Base64.encode([0x82] + deflated + [0, 0], .url))
        }
        #expect(throws: RequestError.inflate(.invalid)) {
            try Self.link("esr:" + Base64.encode([0x82] + deflated.dropLast(), .url))
        }
    }

    private static let zeros = String(repeating: "00", count: 65)

    /// Payloads of version 2. `0001 0100` is a request for no action on EOS.
    private static let refusedPayloads: [(String, RequestError)] = [
        ("0001", RequestError.bytes(.unexpectedEnd(offset: 2, needed: 1, remaining: 0))),
        ("02", .unknownVariant(.chain, index: 2, offset: 0)), ("000d", .unknownChainAlias(13, offset: 1)),
        ("00ff", .unknownChainAlias(255, offset: 1)),
        ("01aca3", .bytes(.unexpectedEnd(offset: 1, needed: 32, remaining: 2))),
        ("000104", .unknownVariant(.content, index: 4, offset: 2)), ("0000010000000000", .anyChainInVersion2),
        ("00010100040000", .unknownFlags(4, offset: 4)), ("00010100800000", .unknownFlags(128, offset: 4)),
        ("00010300010000", .identityBroadcast),
        ("000103020000", .invalidOptional(2, offset: 3)), ("000101000001ff00", .invalidText(offset: 5)),
        ("0001010000800000", .bytes(.invalidVaruint(offset: 5))),
        ("00010100000002016100016100", .duplicateInfo(key: "a")),
        ("000101000000ffffffff0f", .bytes(.unexpectedEnd(offset: 11, needed: 1, remaining: 0))),
        // A signature that is too short, of an unknown type, and with a byte after it.
        ("0001010000000000", .bytes(.unexpectedEnd(offset: 7, needed: 8, remaining: 1))),
        (
            "00010100000000000000000000000005\(zeros)",
            .signature(.unknownType(5), offset: 15)
        ),
        (
            "00010100000000000000000000000000\(zeros)",
            .signature(.invalidSignatureHeader(0), offset: 15)
        ),
        (
            "000101000000000000000000000000001f\(zeros)",
            .bytes(.trailingBytes(offset: 81, count: 1))
        ),
    ]

    @Test(arguments: refusedPayloads)
    func refusesPayload(_ payload: String, _ error: RequestError) {
        #expect(throws: error) { try Self.link(2, payload) }
    }

    /// Requests for any chain, with the info `chain_ids`.
    @Test(arguments: ["00", "01", "010000", "010013", "0201020001", "0100010000", "80", "0102", "0101aca3"])
    func refusesChains(_ list: String) throws {
        let count = list.utf8.count / 2
        let info = "0109636861696e5f6964730\(count)\(list)"
        #expect(throws: RequestError.invalidChainIDs) { try Self.link(3, "000001000000\(info)") }
        // The same bytes mean nothing in a request for one chain.
        #expect(throws: Never.self) { try Self.link(3, "000101000000\(info)") }
    }

    @Test func writesTheShorterForm() throws {
        let long = try Self.link("esr:" + Self.vote).request
        #expect(try RequestLink(long).isCompressed)
        #expect(try !RequestLink(long, compressing: false).isCompressed)
        let short = try Self.link(2, "00010100000000").request
        #expect(try RequestLink(short).text == "esr://AgABAQAAAAA")
        #expect(throws: RequestError.self) {
            let info = RequestInfo(key: "", value: [UInt8](repeating: 0, count: 1 << 20))
            _ = try RequestLink(
                RequestData(
                    version: .two, chain: short.chain, content: short.content, flags: [], info: [info]),
                compressing: false)
        }
    }
}
