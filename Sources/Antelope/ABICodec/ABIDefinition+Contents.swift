import Codecs
import JSON

/// The contents of a file with an ABI.
package struct ABIFile: Sendable {
    package let definition: ABIDefinition
    /// The raw form, byte for byte; nil when the file has the ABI as JSON.
    package let raw: [UInt8]?
    /// The account named in a node's answer; nil when the file names no account.
    package let account: String?

    package var isRaw: Bool { raw != nil }

    /// The raw form. JSON is packed as cleos packs it, which may differ from what a chain stores.
    /// - Throws: The error that prevents packing the JSON.
    package func rawForm() throws(ABIError) -> [UInt8] {
        if let raw { return raw }
        return try definition.raw()
    }

    /// The hash of the raw form.
    package func hash() throws(ABIError) -> ABIHash { ABIHash(raw: try rawForm()) }

}

extension ABIFile {
    fileprivate init(raw: [UInt8], account: String?) throws(ABIError) {
        self.init(definition: try ABIDefinition(raw: raw), raw: raw, account: account)
    }
}

extension ABIDefinition {
    /// The first bytes of every raw ABI: the length of the version, and the part that all versions
    /// share.
    private static let signature = [14] + Array("eosio::abi/".utf8)
    private static let blanks: Set<UInt8> = [0x20, 0x0a, 0x0d, 0x09]

    /// Reads an ABI in any of these forms: its JSON, its raw form in bytes, hex or base64 (line
    /// breaks are ignored), or a node's answer to `get_abi` or `get_raw_abi` with one of these in
    /// it.
    /// - Throws: Also `.hashMismatch` when the answer states a hash that differs from the hash of
    ///   its raw form. A hash next to JSON proves nothing: JSON can have more than one raw form.
    package static func read(_ contents: [UInt8]) throws(ABIError) -> ABIFile {
        if let raw = try raw(in: contents) { return try ABIFile(raw: raw, account: nil) }
        guard contents.first(where: { !blanks.contains($0) }) == UInt8(ascii: "{") else {
            throw ABIError(.notAnABI)
        }
        let json = try converting(ABIError.json, JSONValue.parse(contents))
        let account = try json.statedText("account_name")
        guard let abi = json["abi"] else {
            return ABIFile(definition: try ABIDefinition(json), raw: nil, account: account)
        }
        // With a version and an `abi` member, either the object or the member could be the ABI.
        guard json["version"] == nil else { throw ABIError(.unknownField("abi")) }
        let hash = try json.statedText("abi_hash")
        do { return try read(answered: abi, hash: hash, account: account) } catch {
            throw error.inside(.field("abi"))
        }
    }

    private static func read(answered abi: JSONValue, hash: String?, account: String?) throws(ABIError)
        -> ABIFile
    {
        guard let text = abi.string else {
            return ABIFile(definition: try ABIDefinition(abi), raw: nil, account: account)
        }
        guard let raw = try raw(in: Array(text.utf8)) else { throw ABIError(.notRawABI) }
        if let hash, hash.lowercased() != ABIHash(raw: raw).text { throw ABIError(.hashMismatch) }
        return try ABIFile(raw: raw, account: account)
    }

    /// The raw form in bytes, hex or base64; nil when the contents start as none of these.
    private static func raw(in contents: [UInt8]) throws(ABIError) -> [UInt8]? {
        if contents.starts(with: signature) { return contents }
        // Twelve bytes are sixteen base64 characters, whatever follows them.
        let start = Array(contents.lazy.filter { !blanks.contains($0) }.prefix(24))
        let isBase64 = start.starts(with: Base64.encode(signature).utf8)
        guard isBase64 || start.elementsEqual(Hex.encode(signature).utf8, by: { $0 | 0x20 == $1 | 0x20 })
        else {
            return nil
        }
        let text = contents.filter { !blanks.contains($0) }
        do { return isBase64 ? try Base64.decode(utf8: text) : try Hex.decode(utf8: text) } catch {
            throw ABIError(.bytes(error))
        }
    }
}

extension JSONValue {
    /// The text of a member in a node's answer; nil when it is omitted or null.
    fileprivate func statedText(_ key: String) throws(ABIError) -> String? {
        guard let value = self[key], !value.isNull else { return nil }
        do { return try value.expectText() } catch { throw error.inside(.field(key)) }
    }
}
