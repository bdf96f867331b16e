import Codecs
import Testing

@testable import ABICodec
@testable import JSON

/// Limits the output and the time that a few bytes of an ABI, a text or a value can cause. Without
/// the limits, these rows take minutes and gigabytes.
@Suite struct AmplificationTests {
    private func load(_ members: String) throws -> ABI { try ABI(definition(members)) }

    private func definition(_ members: String) throws -> ABIDefinition {
        try ABIDefinition.read(Array("{\"version\":\"eosio::abi/1.2\",\(members)}".utf8)).definition
    }

    private func fields(_ count: Int, _ type: String, name: (Int) -> String = { "f\($0)" }) -> String {
        (0..<count).map { "{\"name\":\"\(name($0))\",\"type\":\"\(type)\"}" }.joined(separator: ",")
    }

    private func refusal(_ body: () throws -> Void) -> ABIError? {
        #expect(throws: ABIError.self, performing: body)
    }

    /// The bytes of a value's text, and how many names were compared to make them.
    private func encode(_ text: String, as type: ABIType) throws -> (bytes: [UInt8], comparisonCount: Int) {
        try JSONReader.read(Array(text.utf8), limits: JSONLimits(), orThrow: { ABIError(.json($0)) }) {
            reader throws(ABIError) in
            var writer = ByteWriter()
            var encoder = Encoder(type.layout, limit: Layout.outputLimit(forInput: text.utf8.count), after: 0)
            try encoder.encode(type.node, isLast: true, from: &reader, into: &writer)
            return (writer.bytes, encoder.comparisonCount)
        }
    }

    // MARK: - bytes to text

    /// Two bytes make 1,024 elements, each of which is printed.
    @Test func arraysOfEmptyStructs() throws {
        let type = try load(
            #""structs":[{"name":"e","fields":[]},{"name":"s","fields":[{"name":"f","type":"e[][]"}]}]"#
        )
        .type(named: "s")
        let count = 20_000
        let bytes =
            [0xa0, 0x9c, 0x01] + Array(repeatElement([0x80, 0x08] as [UInt8], count: count).joined())
        #expect(
            refusal { _ = try type.decode(bytes) }?.reason
                == .shape(.outputTooLong(limit: Layout.outputLimit(forInput: bytes.count))))
        // One array with the maximum number of elements is accepted, although its only input is its
        // count.
        let text = try type.decode([1, 0x80, 0x08])
        #expect(try type.encode(json: text) == [1, 0x80, 0x08])
    }

    /// A struct that takes one byte, with a large number of fields that take none.
    @Test func emptyFieldsNextToAnother() throws {
        let abi = try load(
            #""structs":[{"name":"e","fields":[]},{"name":"w","fields":[\#(fields(510, "e"))]},"#
                + #"{"name":"s","fields":[{"name":"b","type":"bool"},\#(fields(1_000, "w"))]}]"#)
        let bytes = [100] + [UInt8](repeating: 0, count: 100)
        let error = refusal { _ = try abi.type(named: "s[]").decode(bytes) }
        #expect(error?.reason == .shape(.outputTooLong(limit: (16 << 10) + 256 * 101)))
        #expect(error?.pathText.hasPrefix("[0].f") == true)
    }

    @Test func longFieldNames() throws {
        let name = String(repeating: "n", count: Layout.definitionLengthLimit)
        let type = try load("\"structs\":[{\"name\":\"s\",\"fields\":[\(fields(1, "bool") { _ in name })]}]")
            .type(
                named: "s[]")
        let bytes = [0xa0, 0x9c, 0x01] + [UInt8](repeating: 0, count: 20_000)
        #expect(
            refusal { _ = try type.decode(bytes) }?.reason
                == .shape(.outputTooLong(limit: Layout.outputLimit(forInput: bytes.count))))
        #expect(try type.decode([2, 0, 1]) == Array("[{\"\(name)\":false},{\"\(name)\":true}]".utf8))
    }

    /// The sum of all output counts, in any place where the last value opens.
    @Test func fieldsWithoutContainers() throws {
        let name = String(repeating: "n", count: 1_000)
        let type = try load(
            "\"structs\":[{\"name\":\"s\",\"fields\":[\(fields(1_000, "bool") { "\($0)" + name })]}]"
        )
        .type(named: "s")
        let bytes = [UInt8](repeating: 0, count: 1_000)
        #expect(
            refusal { _ = try type.decode(bytes) }?.reason
                == .shape(.outputTooLong(limit: (16 << 10) + 256_000)))
    }

    /// The limits for output text and for output bytes.
    @Test func outputLimits() {
        #expect(Layout.outputLimit(forInput: 0) == 16 << 10)
        #expect(Layout.outputLimit(forInput: 1 << 16) == 16 << 20)
        #expect(Layout.outputLimit(forInput: .max) == 16 << 20)
    }

    // MARK: - text to bytes

    @Test func absentOptionals() throws {
        let type = try load("\"structs\":[{\"name\":\"s\",\"fields\":[\(fields(1_000, "bool?"))]}]").type(
            named: "s[]")
        let text = Array("[\(Array(repeating: "{}", count: 1_000).joined(separator: ","))]".utf8)
        let error = refusal { _ = try type.encode(json: text) }
        #expect(error?.reason == .shape(.outputTooLong(limit: Layout.outputLimit(forInput: text.count))))
        // The error is reported at the first struct above the limit, not after everything was
        // written.
        #expect(error?.pathText.hasPrefix("[") == true)
        #expect(try type.encode(json: Array("[{},{}]".utf8)) == [2] + [UInt8](repeating: 0, count: 2_000))
    }

    /// Keys in any order, and alternatives in any number, are found by binary search.
    @Test func keysInReverse() throws {
        let count = Layout.fieldLimit
        let prefix = String(repeating: "n", count: 900)
        let type = try load(
            "\"structs\":[{\"name\":\"s\",\"fields\":[\(fields(count, "uint16") { "\(prefix)\($0 + 1_000)" })]}]"
        )
        .type(named: "s[]")
        let members = (0..<count).reversed().map { "\"\(prefix)\($0 + 1_000)\":\($0)" }
        let (bytes, comparisonCount) = try encode("[{\(members.joined(separator: ","))}]", as: type)
        // For each field, one comparison with the expected field, and a binary search in 1,024. A
        // linear search would make half a million comparisons.
        #expect((count...count * 12).contains(comparisonCount))
        let values = (0..<count).flatMap { index -> [UInt8] in [UInt8(index & 255), UInt8(index >> 8)] }
        #expect(bytes == [1] + values)
        for (members, reason) in [
            (["\"x\":1"] + members, .shape(.unknownField("x"))),
            (Array(members.dropLast()), .shape(.missingField("\(prefix)1000"))),
        ] as [([String], ABIError.Reason)] {
            let error = refusal {
                _ = try type.encode(json: Array("[{\(members.joined(separator: ","))}]".utf8))
            }
            #expect(error?.reason == reason)
        }
        let twice = "[{\"\(prefix)1001\":1,\(members.joined(separator: ","))}]"
        let offset =
            "[{".utf8.count + 906 + ":1,".utf8.count
            + members.dropLast(2).reduce(0) { $0 + $1.utf8.count + 1 }
        let error = refusal { _ = try type.encode(json: Array(twice.utf8)) }
        #expect(
            error?.reason
                == .input(
                    .json(JSONError(reason: .duplicateKey, offset: offset, line: 1, column: offset + 1))))
    }

    @Test func manyAlternatives() throws {
        let count = 10_000
        let names = (0..<count).map { "a\($0)" }
        let aliases = names.map { "{\"new_type_name\":\"\($0)\",\"type\":\"bool\"}" }.joined(separator: ",")
        let alternatives = names.map { "\"\($0)\"" }.joined(separator: ",")
        let type = try load(
            "\"types\":[\(aliases)],\"variants\":[{\"name\":\"v\",\"types\":[\(alternatives)]}]"
        ).type(
            named: "v[]")
        let text = "[\(names.map { "[\"\($0)\",true]" }.joined(separator: ","))]"
        let (bytes, comparisonCount) = try encode(text, as: type)
        // A binary search in 10,000 alternatives. A linear search would make 50 million
        // comparisons.
        #expect((count...count * 14).contains(comparisonCount))
        #expect(try type.decode(bytes) == Array(text.utf8))
        let unknown = refusal { _ = try type.encode(json: Array(#"[["a10000",true]]"#.utf8)) }
        #expect(unknown?.reason == .shape(.unknownAlternative("a10000")))
    }

    // MARK: - definitions

    /// Many structs are derived from one base with many fields.
    @Test func basesAreNotMultiplied() {
        let derived = (0..<100).map { "{\"name\":\"d\($0)\",\"base\":\"b\",\"fields\":[]}" }.joined(
            separator: ",")
        let error = refusal {
            _ = try load("\"structs\":[{\"name\":\"b\",\"fields\":[\(fields(1_000, "bool"))]},\(derived)]")
        }
        #expect(error?.reason == .definition(.tooManyDefinitions(limit: 65_536)))
        #expect(error?.pathText == "structs")
    }

    @Test func fieldsOfAStruct() throws {
        _ = try load("\"structs\":[{\"name\":\"s\",\"fields\":[\(fields(1_024, "bool"))]}]")
        let error = refusal {
            _ = try load(
                "\"structs\":[{\"name\":\"t\",\"base\":\"s\",\"fields\":[{\"name\":\"x\",\"type\":\"bool\"}]},"
                    + "{\"name\":\"s\",\"fields\":[\(fields(1_024, "bool"))]}]")
        }
        #expect(error?.reason == .definition(.tooManyFields(limit: 1_024)))
        #expect(error?.pathText == "structs.t")
    }

    @Test func alternativesInAll() {
        let names = (0..<1_000).map { "a\($0)" }
        let aliases = names.map { "{\"new_type_name\":\"\($0)\",\"type\":\"bool\"}" }.joined(separator: ",")
        let types = names.map { "\"\($0)\"" }.joined(separator: ",")
        let variants = (0..<66).map { "{\"name\":\"v\($0)\",\"types\":[\(types)]}" }.joined(separator: ",")
        let error = refusal { _ = try load("\"types\":[\(aliases)],\"variants\":[\(variants)]") }
        #expect(error?.reason == .definition(.tooManyDefinitions(limit: 65_536)))
        #expect(error?.pathText == "variants")
    }

    @Test(arguments: ["types", "structs", "variants", "actions", "tables", "action_results"])
    func entriesOfAList(_ key: String) {
        let error = refusal { _ = try load("\"\(key)\":[\(String(repeating: "0,", count: 65_536))0]") }
        #expect(error?.reason == .definition(.tooManyDefinitions(limit: 65_536)))
        #expect(error?.pathText == key)
    }

    @Test func longNames() throws {
        let long = String(repeating: "n", count: 1_024)
        _ = try load("\"types\":[{\"new_type_name\":\"\(long)\",\"type\":\"bool\"}]")
        for (members, path) in [
            ("\"types\":[{\"new_type_name\":\"n\(long)\",\"type\":\"bool\"}]", "types[0].new_type_name"),
            ("\"structs\":[{\"name\":\"s\",\"base\":\"n\(long)\"}]", "structs[0].base"),
            (
                "\"structs\":[{\"name\":\"s\",\"fields\":[{\"name\":\"n\(long)\",\"type\":\"bool\"}]}]",
                "structs[0].fields[0].name"
            ),
            ("\"variants\":[{\"name\":\"v\",\"types\":[\"n\(long)\"]}]", "variants[0].types[0]"),
        ] {
            let error = refusal { _ = try load(members) }
            #expect(error?.reason == .definition(.definitionTooLong(limit: 1_024)))
            #expect(error?.pathText == path)
        }
    }

    /// Composed types are kept in memory, so their number is limited.
    @Test func composedTypes() throws {
        let suffixes = (1...31).map { "[\($0)]" }.joined()
        let types = (0..<2_200).map { "\"uint8[\($0)]\(suffixes)\"" }.joined(separator: ",")
        let error = refusal { _ = try load("\"variants\":[{\"name\":\"v\",\"types\":[\(types)]}]") }
        #expect(error?.reason == .definition(.tooManyDefinitions(limit: 65_536)))
        #expect(error?.pathText == "variants.v")
    }

    /// Each field names the start of a chain of long aliases, which is followed once and not 60,000
    /// times.
    @Test func aliasesAreFollowedOnce() throws {
        let names = ["a"] + (0..<29).map { "\($0)_" + String(repeating: "n", count: 1_000) } + ["bool"]
        let aliases = zip(names, names.dropFirst()).map { "{\"new_type_name\":\"\($0)\",\"type\":\"\($1)\"}" }
        let structs = (0..<60).map { "{\"name\":\"s\($0)\",\"fields\":[\(fields(1_000, "a[]"))]}" }.joined(
            separator: ",")
        let members = "\"types\":[\(aliases.joined(separator: ","))],\"structs\":[\(structs)]"
        #expect(try Compiler(definition(members)).table.followedAliasCount == aliases.count)
        #expect(try load(members).type(named: "a?").decode([1, 1]) == Array("true".utf8))
    }

    /// The limits on chains apply regardless of which alias is resolved first.
    @Test(arguments: [false, true]) func chainsOfKnownAliases(_ isReversed: Bool) throws {
        func aliases(_ count: Int, _ suffix: String) -> String {
            let list = (0..<count).map {
                "{\"new_type_name\":\"a\($0)\",\"type\":\"\($0 == 0 ? "bool" : "a\($0 - 1)")\(suffix)\"}"
            }
            return "\"types\":[\((isReversed ? list.reversed() : list).joined(separator: ","))]"
        }
        _ = try load(aliases(31, ""))
        #expect(refusal { _ = try load(aliases(32, "")) }?.reason == .definition(.typeTooDeep(limit: 32)))
        _ = try load(aliases(16, "[]?"))
        #expect(refusal { _ = try load(aliases(17, "[]?")) }?.reason == .definition(.typeTooDeep(limit: 32)))
    }

    /// Many structs may contain a base's fields. A gap in them is reported once, for the base.
    @Test func warningsAreNotMultiplied() throws {
        let abi = try load(
            #""structs":[{"name":"d","base":"b","fields":[{"name":"q","type":"bool"}]},"#
                + #"{"name":"b","fields":[{"name":"e","type":"bool$"},{"name":"p","type":"bool"}]}]"#)
        #expect(
            abi.warnings == [
                .fieldAfterExtension(type: "b", field: "p", extension: "e"),
                .fieldAfterExtension(type: "d", field: "q", extension: "e"),
            ])
        #expect(
            try abi.type(named: "d").encode(json: Array(#"{"q":true,"p":false,"e":true}"#.utf8)) == [1, 0, 1])
    }
}
