import Testing

@testable import ABICodec

/// What a person compares of two ABIs.
@Suite struct ABIOutlineTests {
    private typealias Difference = ABIOutline.Difference

    private static func outline(_ members: String) throws -> ABIOutline {
        ABIOutline(
            of: try ABIDefinition.read(Array("{\"version\":\"eosio::abi/1.2\",\(members)}".utf8)).definition)
    }

    private static let before = """
        "types":[{"new_type_name":"account","type":"name"},{"new_type_name":"unused","type":"name"}],
        "structs":[{"name":"b","fields":[{"name":"from","type":"account"}]},
        {"name":"pay","base":"b","fields":[{"name":"to","type":"account"},{"name":"list","type":"asset[]"},
        {"name":"v","type":"v?"}]},{"name":"row","fields":[{"name":"x","type":"name"}]}],
        "variants":[{"name":"v","types":["name","asset"]}],
        "actions":[{"name":"pay","type":"pay"},{"name":"ask","type":"b"}],"tables":[{"name":"rows","type":"row"}]
        """

    /// Actions in the order of their names, then only the types that they need.
    @Test func listsActionsAndTheirTypes() throws {
        let outline = try Self.outline(Self.before)
        #expect(outline.definitions.map(\.name) == ["ask", "pay", "b", "pay", "account", "v"])
        #expect(
            outline.definitions.map(\.kind) == [.action, .action, .structure, .structure, .alias, .variant])
        #expect(
            outline.definitions[3].parts == [
                .base("b"), .field(name: "to", type: "account"), .field(name: "list", type: "asset[]"),
                .field(name: "v", type: "v?"),
            ])
        #expect(outline.differences(from: outline).isEmpty)
    }

    private static func changes(_ members: String) throws -> [String] {
        let differences = try outline(members).differences(from: outline(before))
        return differences.flatMap { difference in
            ["\(difference.change) \(difference.kind) \(difference.name)"]
                + difference.parts.map { "  \($0.change) \($0.part)" }
        }
    }

    @Test func listsChanges() throws {
        // two fields are exchanged, an alternative is added
        let after = Self.before.replacing(
            #"{"name":"to","type":"account"},{"name":"list","type":"asset[]"}"#,
            with: #"{"name":"list","type":"asset[]"},{"name":"to","type":"account"}"#
        ).replacing(#""types":["name","asset"]"#, with: #""types":["name","asset","string"]"#)
        let lines = try Self.changes(after)
        #expect(lines.first == "kept structure pay")
        #expect(lines.filter { $0.contains("removed") || $0.contains("added") }.count == 3)
        #expect(lines.contains("  kept base(\"b\")"))
        #expect(
            lines.suffix(4) == [
                "kept variant v", "  kept type(\"name\")", "  kept type(\"asset\")",
                "  added type(\"string\")",
            ])
        // an action is removed, another one is added, and a type of neither
        let other = Self.before.replacing(
            #"{"name":"ask","type":"b"}"#, with: #"{"name":"burn","type":"row"}"#)
        #expect(
            try Self.changes(other) == [
                "added action burn", "  added type(\"row\")", "added structure row",
                "  added field(name: \"x\", type: \"name\")", "removed action ask", "  removed type(\"b\")",
            ])
    }

    /// Two spellings of one letter are different texts, though Swift's strings are equal.
    @Test func comparesBytes() throws {
        let (one, other) = ("caf\u{e9}", "cafe\u{301}")
        #expect(one == other)
        let members = { (name: String) in
            #""structs":[{"name":"pay","fields":[{"name":"\#(name)","type":"name"}]}],"#
                + #""actions":[{"name":"pay","type":"pay"}]"#
        }
        let differences = try Self.outline(members(one)).differences(from: Self.outline(members(other)))
        #expect(differences.map(\.parts.count) == [2])
    }

    /// A chain of types that contain themselves ends.
    @Test func listsRecursiveTypesOnce() throws {
        let outline = try Self.outline(
            #""structs":[{"name":"a","fields":[{"name":"x","type":"b[]"}]},"#
                + #"{"name":"b","fields":[{"name":"y","type":"a?"}]}],"actions":[{"name":"go","type":"a"}]"#)
        #expect(outline.definitions.map(\.name) == ["go", "a", "b"])
    }
}
