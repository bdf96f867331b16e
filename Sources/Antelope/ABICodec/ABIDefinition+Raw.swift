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

    /// `abi_def`, written as an ABI. Its newest lists are binary extensions at the end.
    private static let shape = Result { () throws(ABIError) in
        var abi = ABIDefinition()
        abi.version = "eosio::abi/1.1"
        let types: [any ABIEntry.Type] = [
            Alias.self, Field.self, Struct.self, Action.self, Table.self, Clause.self, ErrorMessage.self,
            Extension.self, Variant.self, ActionResult.self, Call.self, ABIDefinition.self,
        ]
        abi.structs = types.map { $0.structure }
        return try ABI(abi).type(named: rawType)
    }
}
