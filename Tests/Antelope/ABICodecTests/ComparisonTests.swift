import JSON
import Testing

@testable import ABICodec

/// Which ABIs decode an action the same way, and which only seem to.
@Suite struct ComparisonTests {
    private static func abi(_ members: String) throws -> ABI {
        try ABI(contents: Array("{\"version\":\"eosio::abi/1.2\",\(members)}".utf8))
    }

    private static let actions = #""actions":[{"name":"pay","type":"pay"}]"#

    private static func structs(_ fields: String, more: String = "") -> String {
        #""structs":[{"name":"pay","base":"","fields":[\#(fields)]}\#(more)],\#(actions)"#
    }

    private static func fields(_ fields: KeyValuePairs<String, String>) -> String {
        fields.map { #"{"name":"\#($0.key)","type":"\#($0.value)"}"# }.joined(separator: ",")
    }

    private static let plain = structs(
        fields(["to": "name", "list": "asset[]", "memo": "string?", "more": "uint8$"]))

    static let alike = [
        plain,
        // with an alias
        #""types":[{"new_type_name":"account","type":"name"},{"new_type_name":"text","type":"string?"}],"#
            + structs(fields(["to": "account", "list": "asset[]", "memo": "text", "more": "uint8$"])),
        // with a base, and with another name for the struct
        #""structs":[{"name":"base","fields":[\#(fields(["to": "name", "list": "asset[]"]))]},"#
            + #"{"name":"other","base":"base","fields":[\#(fields(["memo": "string?", "more": "uint8$"]))]}],"#
            + #""actions":[{"name":"pay","type":"other"}]"#,
        // with an action that the first ABI does not have
        structs(fields(["to": "name", "list": "asset[]", "memo": "string?", "more": "uint8$"]))
            .replacing("\"actions\":[", with: "\"actions\":[{\"name\":\"extra\",\"type\":\"pay\"},"),
    ]

    @Test(arguments: alike) func isAlike(members: String) throws {
        let abi = try Self.abi(Self.plain)
        let other = try Self.abi(members)
        #expect(abi.firstAction(decodedDifferentlyBy: other) == nil)
        let extra = try Name("extra")
        #expect(other.firstAction(decodedDifferentlyBy: abi) == (other.hasAction(extra) ? extra : nil))
    }

    static let different = [
        #""structs":[],"actions":[]"#,
        structs(fields(["from": "name", "list": "asset[]", "memo": "string?", "more": "uint8$"])),
        structs(fields(["to": "uint64", "list": "asset[]", "memo": "string?", "more": "uint8$"])),
        structs(fields(["list": "asset[]", "to": "name", "memo": "string?", "more": "uint8$"])),
        structs(fields(["to": "name", "list": "asset[2]", "memo": "string?", "more": "uint8$"])),
        structs(fields(["to": "name", "list": "asset[]", "memo": "string", "more": "uint8$"])),
        structs(fields(["to": "name", "list": "asset[]", "memo": "string?", "more": "uint8"])),
        structs(fields(["to": "name", "list": "asset[]", "memo": "string?"])),
        structs(
            fields(["to": "name", "list": "asset[]", "memo": "string?", "more": "uint8$", "most": "uint8$"])),
        // a name that Swift treats as equal to another one
        structs(fields(["t\u{2060}o": "name", "list": "asset[]", "memo": "string?", "more": "uint8$"])),
        #""types":[{"new_type_name":"account","type":"uint64"}],"#
            + structs(fields(["to": "account", "list": "asset[]", "memo": "string?", "more": "uint8$"])),
    ]

    @Test(arguments: different) func isDifferent(members: String) throws {
        let action = try Self.abi(Self.plain).firstAction(decodedDifferentlyBy: Self.abi(members))
        #expect(action == (try Name("pay")))
    }

    /// The spelling of an alternative is part of the text, and a fixed length is part of the type.
    @Test func variantsAndLengthsCount() throws {
        func members(_ alternatives: String, _ length: Int) -> String {
            #""types":[{"new_type_name":"account","type":"name"}],"variants":[{"name":"v","#
                + #""types":[\#(alternatives)]}],"#
                + Self.structs(Self.fields(["v": "v", "n": "uint8[\(length)]"]))
        }
        let abi = try Self.abi(members(#""name","asset""#, 2))
        let pay = try Name("pay")
        #expect(abi.firstAction(decodedDifferentlyBy: try Self.abi(members(#""name","asset""#, 2))) == nil)
        #expect(abi.firstAction(decodedDifferentlyBy: try Self.abi(members(#""name","asset""#, 3))) == pay)
        #expect(abi.firstAction(decodedDifferentlyBy: try Self.abi(members(#""asset","name""#, 2))) == pay)
        #expect(abi.firstAction(decodedDifferentlyBy: try Self.abi(members(#""account","asset""#, 2))) == pay)
        #expect(abi.firstAction(decodedDifferentlyBy: try Self.abi(members(#""name""#, 2))) == pay)
    }

    /// Comparing recursive types ends, also when one of the ABIs unrolls the recursion a thousand
    /// times.
    @Test func recursionEnds() throws {
        let recursive = try Self.abi(Self.structs(Self.fields(["next": "pay[]"])))
        #expect(recursive.firstAction(decodedDifferentlyBy: recursive) == nil)
        let chain = (1...1_000).map {
            #",{"name":"s\#($0)","fields":[{"name":"next","type":"s\#($0 % 1_000 + 1)[]"}]}"#
        }
        let unrolled = try Self.abi(Self.structs(Self.fields(["next": "s1[]"]), more: chain.joined()))
        #expect(recursive.firstAction(decodedDifferentlyBy: unrolled) == nil)
        let last = chain.joined().replacing(
            #""name":"s1000","fields":[{"name":"next""#, with: #""name":"s1000","fields":[{"name":"nexu""#)
        let other = try Self.abi(Self.structs(Self.fields(["next": "s1[]"]), more: last))
        #expect(recursive.firstAction(decodedDifferentlyBy: other) == (try Name("pay")))
    }

    @Test func answersNameTheirAccount() throws {
        let abi = #"{"version":"eosio::abi/1.2"}"#
        #expect(try ABIDefinition.read(Array(#"{"account_name":"dex","abi":\#(abi)}"#.utf8)).account == "dex")
        #expect(try ABIDefinition.read(Array(abi.utf8)).account == nil)
        #expect(throws: ABIError(.expected(.text, found: .number)).inside(.field("account_name"))) {
            try ABIDefinition.read(Array(#"{"account_name":1,"abi":\#(abi)}"#.utf8))
        }
    }
}
