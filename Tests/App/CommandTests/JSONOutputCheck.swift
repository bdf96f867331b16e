import JSON
import Shell
import Testing

@testable import App

/// Compares the JSON that a command printed with the reference of `eosvault help json`.
enum JSONOutputCheck {
    /// Commands whose --json concerns only standard error, or whose output has another form.
    private static let withoutReference: Set = [
        "sign", "build", "export", "transaction", "abi encode", "abi decode", "policy init", "policy schema",
    ]

    static func check(_ arguments: [String], output: String, error: String, _ place: String) {
        let isJSON = arguments.contains("--json")
        if output.hasPrefix("{\n  \"transaction_id\"") {
            check(Substring(output), RequestReview.answer.shape, place)
        }
        let printsJSON =
            arguments.starts(with: ["sign", "--lines"]) || arguments.contains("--format=json")
            || arguments.starts(with: ["credential", "sign"]) && arguments.contains("--lines")
        guard isJSON || printsJSON, !arguments.contains("--help") else { return }
        if isJSON { check(messages: error, place) }
        guard !output.isEmpty else { return }
        guard let reference = reference(for: arguments) else {
            let words = arguments.prefix { !$0.hasPrefix("-") }
            let isKnown = (1...2).contains {
                withoutReference.contains(words.prefix($0).joined(separator: " "))
            }
            #expect(isKnown, "\(place): no reference for \(arguments)")
            return
        }
        let lines = output.split(separator: "\n")
        #expect(reference.isStream || lines.count == 1, "\(place): \(lines.count) lines")
        for line in lines { check(line, reference.shape, place, definition: reference.commands.first) }
    }

    private static func check(messages: String, _ place: String) {
        for line in messages.split(separator: "\n") where line.hasPrefix("{") {
            check(line, .messages, place, definition: "messages")
            guard let review = try? JSONValue.parse(Array(line.utf8))["review"] else { continue }
            let shape = review["lines"] == nil ? ReviewText.object.shape : BatchQuestion.object.shape
            if let fault = fault(of: review, shape, "review") { Issue.record("\(place): \(fault)") }
        }
    }

    private static let definitions = JSONReference.schema["$defs"]

    /// - Parameter definition: the command whose definition in the JSON Schema the line must match.
    private static func check(
        _ line: Substring, _ shape: JSONShape, _ place: String, definition: String? = nil
    ) {
        do {
            let value = try JSONValue.parse(Array(line.utf8))
            if let fault = fault(of: value, shape, "") { Issue.record("\(place): \(fault): \(line)") }
            guard let definition else { return }
            let schema = definitions?[JSONReference.name(of: definition)] ?? .null
            if let fault = JSONSchemaCheck.fault(of: value, schema, "") {
                Issue.record("\(place): \(fault): \(line)")
            }
        } catch { Issue.record("\(place): not JSON: \(line)") }
    }

    /// The reference whose command has the most words of the arguments.
    static func reference(for arguments: [String]) -> JSONReference? {
        var arguments = arguments
        if arguments.starts(with: ["help"]), arguments.count > 1, arguments[1] == "codes" {
            arguments.removeFirst()
        }
        if arguments.first == "json" { arguments = ["help"] + arguments }
        func rank(_ command: String) -> Int {
            let words = command.split(separator: " ").map(String.init)
            let names = words.filter { !$0.hasPrefix("-") }
            let hasOptions = words.allSatisfy { !$0.hasPrefix("-") || arguments.contains($0) }
            return hasOptions && arguments.starts(with: names) ? words.count : 0
        }
        return JSONReference.all.max { left, right in
            (left.commands.map(rank).max() ?? 0) < (right.commands.map(rank).max() ?? 0)
        }.flatMap { $0.commands.map(rank).max() ?? 0 > 0 ? $0 : nil }
    }

    /// How a value differs from its shape; nil if it does not.
    static func fault(of value: JSONValue, _ shape: JSONShape, _ path: String) -> String? {
        switch (shape, value) {
        case (.any, _), (.text, .string), (.number, .number), (.boolean, .boolean), (.orNull, .null):
            return nil
        case (.orNull(let shape), _): return fault(of: value, shape, path)
        case (.list(let shape), .array(let elements)):
            return elements.lazy.compactMap { fault(of: $0, shape, path + "[]") }.first
        case (.object(let known), .object(let members)):
            for member in members {
                guard let found = known.first(where: { $0.name == member.key }) else {
                    return "\(path).\(member.key) is not in the reference"
                }
                if let fault = fault(of: member.value, found.shape, "\(path).\(member.key)") { return fault }
            }
            let missing = known.first { known in known.isAlways && !members.contains { $0.key == known.name }
            }
            return missing.map { "\(path).\($0.name) is missing" }
        default: return "\(path) is not \(shape.name)"
        }
    }
}
