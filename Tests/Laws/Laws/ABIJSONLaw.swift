import ABICodec
import Codecs
import JSON
import Messages

/// An ABI from an unknown author. An input is the ABI's JSON text, optionally followed by a zero
/// byte and a value to decode and encode with its types.
public enum ABIJSONLaw: Law {
    public static let name = "ABIJSON"
    /// The maximum number of types of one input that are tried with values.
    private static let typeLimit = 12

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let transactions = vectors["transactions", "abis"].object ?? []
        let abis = transactions.map(\.value).filter { $0.text().utf8.count < 5_000 } + [vectors["abi", "abi"]]
        let version = #""version":"eosio::abi/1.1""#
        let small = [
            #"""
            {\#(version),"structs":[{"name":"e","fields":[]},{"name":"s","base":"e","fields":[{"name":"f",\#
            "type":"e[]"}]}]}
            """#,
            #"""
            {\#(version),"types":[{"new_type_name":"a","type":"b[]?"},{"new_type_name":"b","type":"v"}],\#
            "variants":[{"name":"v","types":["a","int8"]}]}
            """#,
            #"""
            {\#(version),"structs":[{"name":"x","base":"","fields":[{"name":"o","type":"x?"},{"name":"n",\#
            "type":"uint8$"}]}]}
            """#,
            #"""
            {\#(version),"types":[{"new_type_name":"p","type":"int8[2]"}],"structs":[{"name":"z",\#
            "fields":[{"name":"a","type":"p[0]"},{"name":"b","type":"bitset$"}]}],"calls":[{"name":"c","type":"z",\#
            "id":1,"result_type":"p"}]}
            """#,
            #"""
            {\#(version),"ricardian_clauses":[{"id":"a","body":"b"}],"error_messages":[{"error_code":1,\#
            "error_msg":"c"}],"abi_extensions":[[7,"00"]],"variants":null}
            """#,
            #"""
            {\#(version),"structs":[{"name":"t","fields":[]}],"actions":[{"name":"a","type":"t"}],\#
            "tables":[{"name":"b","type":"t"}],"action_results":[{"name":"a","result_type":"t"}]}
            """#,
            #"""
            {\#(version),"structs":[{"name":"asset","fields":[{"name":"a","type":"asset"}]},{"name":"b",\#
            "base":"asset"},{"name":"bitset"}]}
            """#,
            #"""
            {\#(version),"structs":[{"name":"d","fields":[{"name":"f","type":"bool"},{"name":"f","type":"bool"}]},\#
            {"name":"u","fields":[{"type":"d[]"}]}]}
            """#,
            #"""
            {\#(version),"types":[{"new_type_name":"v","type":"w[]"},{"new_type_name":"w[]","type":"bool"}],\#
            "structs":[{"name":"w"}],"variants":[{"name":"v","types":["bool"]},{"name":"w","types":["bool",\#
            "bool"]}]}
            """#,
            #"{\#(version),"structs":[{}],"actions":[{}],"ricardian_clauses":[{}],"error_messages":[{}]}"#,
        ]
        let values: [[UInt8]] = [[], [0, 2, 1, 0, 1, 5, 0], Array(#"[{"o":null},["int8",1]]"#.utf8)]
        return (abis.map { $0.text() } + small).flatMap { abi in values.map { Array(abi.utf8) + [0] + $0 } }
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        let (json, value) = halves(input, at: 0) ?? (input, [])
        guard let tree = try? JSONValue.parse(json), let definition = try? ABIDefinition(tree) else { return }
        try RawABILaw.checkPacking(definition)
        guard let abi = try? ABI(definition) else { return }
        for action in tree["actions"]?.array ?? [] {
            guard let name = action["name"]?.string.flatMap({ try? Name($0) }) else { continue }
            guard try isUsable(in: abi, "an action's type is known", { _ = try abi.actionType(for: name) })
            else {
                continue
            }
            let type = action["type"]?.string ?? ""
            try law(abi.actionNames.contains(name), "an action is listed")
            try law(
                (try? abi.actionType(for: name)) == nil ? type.isEmpty : !type.isEmpty, "an action has a type"
            )
        }
        for name in names(in: tree).prefix(typeLimit) {
            guard try isUsable(in: abi, "a type can be requested: \(name)", { _ = try abi.type(named: name) })
            else {
                continue
            }
            let type = try must("a type can be requested again") { try abi.type(named: name) }
            try check(value, as: type)
            for composed in ["\(name)[]", "\(name)?", "\(name)[2]"] {
                // A type may already have the maximum number of suffixes.
                if let type = try? abi.type(named: composed) { try check(value, as: type) }
            }
        }
    }

    /// Whether a type can be used. A type that contains a name twice can't, and there must be a
    /// warning for it. Every other type can.
    private static func isUsable(in abi: ABI, _ words: String, _ step: () throws -> Void) throws(LawBroken)
        -> Bool
    {
        do {
            try step()
            return true
        } catch let error as ABIError {
            switch error.reason {
            case .shape(.duplicateField): break
            case .definition where error.words.message.contains("the alternative `"): break
            default: throw LawBroken(description: "\(words): \(error)")
            }
            try law(
                abi.warnings.contains(.unusable(error)),
                "there is a warning for a type that can't be used: \(error)")
            return false
        } catch { throw LawBroken(description: "\(words): \(error)") }
    }

    /// The names of types that the ABI defines, except those that end like a composed type, because
    /// they have the meaning of that composed type.
    private static func names(in tree: JSONValue) -> [String] {
        let lists = [("types", "new_type_name"), ("structs", "name"), ("variants", "name")]
        return lists.flatMap { list, key in (tree[list]?.array ?? []).compactMap { $0[key]?.string } }
            .filter { !["]", "?"].contains($0.utf8.last.map { String(Unicode.Scalar($0)) }) }
    }

    private static func check(_ value: [UInt8], as type: ABIType) throws(LawBroken) {
        try ABIValueLaws.checkDecoding(value, as: type)
        for json in [value, Array("{}".utf8), Array("[]".utf8), Array("[{},{}]".utf8), Array("null".utf8)] {
            try ABIValueLaws.checkEncoding(json, as: type)
        }
    }
}
