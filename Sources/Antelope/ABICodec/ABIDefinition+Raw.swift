import Codecs
import JSON

extension ABIDefinition {
    /// Reads the raw form of an ABI: the bytes that `set_abi` carries and `get_raw_abi` returns.
    /// Their SHA-256 is the chain's `abi_hash`.
    /// - Throws: The error in the bytes: `.bytes`, `.invalidUTF8`, `.unsupportedVersion`, …
    package init(raw bytes: [UInt8]) throws(ABIError) {
        let text = try Self.shape.get().decode(bytes)
        let json = try converting(ABIError.json, JSONValue.parse(text))
        try self.init(json, of: .raw)
    }

    /// The raw form, as cleos packs it.
    /// - Throws: `.fieldAfterMissingExtension` when `variants` or `action_results` is missing and a
    ///   later list is present; hex errors such as `.invalidHexDigit` for an ABI extension; `.json`
    ///   beyond 16 MiB.
    package func raw() throws(ABIError) -> [UInt8] {
        var writer = JSONWriter()
        writer.write(json(for: .raw))
        return try Self.shape.get().encode(json: writer.bytes)
    }

    /// `abi_def`, written as an ABI. Its newest lists are binary extensions at the end. Text that
    /// no action needs has the type `bytes`, which has the same layout as `string`: nodeos does not
    /// check that this text is UTF-8.
    private static let shape = Result { () throws(ABIError) in try ABI(abiOfABI).type(named: "abi_def") }

    private static let abiOfABI: ABIDefinition = {
        func define(_ name: String, _ fields: KeyValuePairs<String, String>) -> Struct {
            Struct(name: name, base: "", fields: fields.map { Field(name: $0.key, type: $0.value) })
        }
        var definition = ABIDefinition(version: "eosio::abi/1.1")
        definition.structs = [
            define("type_def", ["new_type_name": "string", "type": "string"]),
            define("field_def", ["name": "string", "type": "string"]),
            define("struct_def", ["name": "string", "base": "string", "fields": "field_def[]"]),
            define("action_def", ["name": "name", "type": "string", "ricardian_contract": "bytes"]),
            define(
                "table_def",
                [
                    "name": "name", "index_type": "bytes", "key_names": "bytes[]", "key_types": "bytes[]",
                    "type": "string",
                ]),
            define("clause_pair", ["id": "bytes", "body": "bytes"]),
            define("error_message", ["error_code": "uint64", "error_msg": "bytes"]),
            define("extension", ["tag": "uint16", "value": "bytes"]),
            define("variant_def", ["name": "string", "types": "string[]"]),
            define("action_result_def", ["name": "name", "result_type": "string"]),
            define("call_def", ["name": "string", "type": "string", "id": "uint64", "result_type": "string"]),
            define(
                "abi_def",
                [
                    "version": "string", "types": "type_def[]", "structs": "struct_def[]", "actions": "action_def[]",
                    "tables": "table_def[]", "ricardian_clauses": "clause_pair[]", "error_messages": "error_message[]",
                    "abi_extensions": "extension[]", "variants": "variant_def[]$",
                    "action_results": "action_result_def[]$",
                    "calls": "call_def[]$",
                ]),
        ]
        return definition
    }()
}
