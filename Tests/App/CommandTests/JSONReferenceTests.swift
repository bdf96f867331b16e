import ArgumentParser
import JSON
import Shell
import TestSupport
import Testing

@testable import App

/// The reference of the JSON output. The command scripts compare each output with it.
struct JSONReferenceTests {
    /// Whether a command has --json, and it concerns standard output.
    private static func printsJSON(_ command: any ParsableCommand.Type) throws -> Bool {
        let help = try JSONValue.parse(Array(command._dumpHelp().utf8))
        let option = help["command"]?["arguments"]?.array?.first { argument in
            argument["names"]?.array?.contains { $0["name"]?.string == "json" } ?? false
        }
        return option.map { $0["abstract"]?.string != "Print errors as JSON." } ?? false
    }

    @Test func eachCommandThatPrintsJSONIsDescribed() throws {
        let described = Set(
            JSONReference.all.flatMap(\.commands).map { String($0.split(separator: " -")[0]) })
        // `sign --lines`, `log export` and `credential sign` print JSON without --json. The other
        // names are those of default commands and of topics of the help.
        let renamed = ["backup make": "backup", "log show": "log", "json": "help json"]
        let leaves = try ConfinedCommandTests.leaves.filter { try Self.printsJSON($0.type) }
        let names = leaves.map { $0.words.joined(separator: " ") }.map { renamed[$0] ?? $0 }
        #expect(names.count > 25)
        #expect(Set(names + ["sign", "log export", "credential sign"]) == described)
    }

    /// A program can rely on JSON messages of every command.
    @Test(arguments: ConfinedCommandTests.leaves)
    func eachCommandHasJSON(_ leaf: ConfinedCommandTests.Leaf) throws {
        let help = try JSONValue.parse(Array(leaf.type._dumpHelp().utf8))
        let names = (help["command"]?["arguments"]?.array ?? []).flatMap { $0["names"]?.array ?? [] }
        #expect(names.contains { $0["name"]?.string == "json" })
    }

    /// The DocC page is the output of `eosvault help json`.
    @Test func theDocumentationHasTheSameText() throws {
        let page = String(decoding: try repositoryFile("Sources/App/App.docc/JSONOutput.md"), as: UTF8.self)
        #expect(page == JSONReference.page, "run `eosvault help json` to make the page again")
    }

    @Test func eachCodeIsOnThePage() {
        let lines = JSONReference.page.split(separator: "\n")
        for code in ErrorCode.allCases.map(\.name) + FaultCode.allCases.map(\.name) {
            #expect(lines.contains { $0.hasPrefix("- `\(code)`: ") })
        }
    }

    /// No two members of an object have the same name.
    @Test func namesAreUnique() {
        func check(_ shape: JSONShape) {
            let names = shape.members.map(\.name)
            #expect(Set(names).count == names.count, "\(names)")
            for member in shape.members { check(member.shape) }
        }
        for reference in JSONReference.all { check(reference.shape) }
        check(.messages)
        check(BatchQuestion.object.shape)
        check(RequestReview.answer.shape)
    }

    @Test(arguments: [
        (#"{"code":"a","message":"b","hint":"c"}"#, nil),
        (#"{"code":"a","message":"b"}"#, "e.hint is missing"),
        (#"{"code":1,"message":"b","hint":"c"}"#, "e.code is not string"),
        (#"{"code":null,"message":"b","hint":"c"}"#, "e.code is not string"),
        (#"{"code":"a","message":"b","hint":"c","more":1}"#, "e.more is not in the reference"),
        ("[]", "e is not object"),
    ])
    func differencesAreFound(text: String, fault: String?) throws {
        #expect(JSONOutputCheck.fault(of: try JSONValue.parse(Array(text.utf8)), .error, "e") == fault)
    }
}

/// The JSON Schema of the output. The command scripts validate each output with it.
struct JSONSchemaTests {
    @Test func eachCommandHasADefinition() {
        let schema = JSONReference.schema
        #expect(schema["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
        #expect(schema["version"]?.string == Release.version)
        let names = (schema["$defs"]?.object ?? []).map(\.key)
        #expect(Set(names).count == names.count)
        let commands = JSONReference.all.flatMap(\.commands).map(JSONReference.name)
        #expect(Set(names) == Set(commands + ["messages", "review", "lines-review", "answer"]))
        #expect(names.contains("slot-list") && names.contains("credential-sign-lines"))
        let references = (schema["$defs"]?.object ?? []).compactMap { $0.value["$ref"]?.string }
        #expect(references.contains("#/$defs/create"))
        for reference in references {
            #expect(names.contains(String(reference.dropFirst(8))), "\(reference)")
        }
    }

    @Test(arguments: [
        (#"{"code":"a","message":"b","hint":"c","later":1}"#, nil),
        (#"{"code":"a","message":"b"}"#, ".hint is missing"),
        (#"{"code":1,"message":"b","hint":"c"}"#, #".code is not string("string")"#),
        ("[]", #" is not string("object")"#),
    ])
    func differencesAreFound(text: String, fault: String?) throws {
        let value = try JSONValue.parse(Array(text.utf8))
        #expect(JSONSchemaCheck.fault(of: value, JSONShape.error.schema, "") == fault)
    }

    @Test(arguments: [("1", true), ("null", true), ("1.5", false), ("\"1\"", false)])
    func numbersAreIntegers(text: String, isValid: Bool) throws {
        let value = try JSONValue.parse(Array(text.utf8))
        #expect((JSONSchemaCheck.fault(of: value, JSONShape.orNull(.number).schema, "") == nil) == isValid)
    }
}
