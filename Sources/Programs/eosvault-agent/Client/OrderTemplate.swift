import App
import Codecs
import JSON
import Keys
import Transactions

/// The body of `sign` without its transaction.
struct OrderTemplate {
    struct GivenABI {
        let account: String
        let bytes: [UInt8]
        let overrides: Bool
    }

    /// The chain; nil for a name that only the vault has.
    let chain: ChainID?
    let keys: [String]
    let expect: String?
    /// The members after the transaction.
    private let rest: [UInt8]

    init(
        chain: ChainArgument, keys: [String], abis: [GivenABI], blind: [String], refuse: [String],
        expect: String?, proposals: [[UInt8]], login: Int?
    ) {
        (self.chain, self.keys, self.expect) = (try? chain.value, keys, expect)
        func texts(_ name: String, _ texts: [String]) -> JSONValue? {
            texts.isEmpty ? nil : .object([JSONMember(name, .array(texts.map { .string($0) }))])
        }
        let given = abis.map { abi -> JSONValue in
            [
                "account": .string(abi.account), "abi_base64": .string(Base64.encode(abi.bytes)),
                "override": .boolean(abi.overrides),
            ]
        }
        let proposals = proposals.map { bytes -> JSONValue in
            ["proposal": .string(String(decoding: bytes, as: UTF8.self))]
        }
        let members = (["chain": .string(chain.text)] as JSONValue)
            .adding(texts("keys", keys)).adding(texts("blind", blind)).adding(texts("refuse", refuse))
            .adding(expect.map { ["expect": .string($0)] }).adding(login.map { ["login": .number($0)] })
            .adding(given.isEmpty ? nil : ["abis": .array(given)])
            .adding(proposals.isEmpty ? nil : ["proposals": .array(proposals)])
        rest = Array(members.text().utf8.dropFirst())
    }

    /// - Parameter text: of a transaction in any form.
    func body(for text: [UInt8]) -> [UInt8] {
        let value =
            Self.isObject(text)
            ? text : Array(JSONValue.string(String(decoding: text, as: UTF8.self)).text().utf8)
        return Array(#"{"transaction":"#.utf8) + value + [UInt8(ascii: ",")] + rest
    }

    /// True if the text is one JSON object, so that it is sent as it is.
    private static func isObject(_ text: [UInt8]) -> Bool {
        let kind = try? JSONReader.read(text) { reader throws(JSONError) in
            let kind = try reader.peek()
            try reader.skipValue()
            try reader.expectEnd()
            return kind
        }
        return kind == .object
    }
}
