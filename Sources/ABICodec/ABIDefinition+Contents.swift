import Codecs
import JSON

/// What a file with an ABI contains.
package struct ABIFile: Sendable {
    package let definition: ABIDefinition
    /// The raw form, byte for byte; nil where the file has the ABI as JSON.
    package let raw: [UInt8]?
    /// The account that a node's answer names; nil where the file names none.
    package let account: String?

    package var isRaw: Bool { raw != nil }

    /// The raw form. JSON is packed as cleos packs it, which may differ from what a chain stores.
    /// - Throws: What keeps the JSON from being packed.
    package func rawForm() throws(ABIError) -> [UInt8] {
        if let raw { return raw }
        return try definition.raw()
    }

    /// The hash of the raw form.
    package func hash() throws(ABIError) -> ABIHash { ABIHash(raw: try rawForm()) }

    fileprivate init(definition: ABIDefinition, raw: [UInt8]?, account: String?) {
        self.definition = definition
        self.raw = raw
        self.account = account
    }

    fileprivate init(raw: [UInt8], account: String?) throws(ABIError) {
        self.init(definition: try ABIDefinition(raw: raw), raw: raw, account: account)
    }
}

extension ABIDefinition {
    /// How every raw ABI begins: the length of its version, and what all versions have in common.
    private static let signature = [14] + Array("eosio::abi/".utf8)
    private static let blanks: Set<UInt8> = [0x20, 0x0a, 0x0d, 0x09]

    /// Reads an ABI in a form that people have: its JSON, its raw form in bytes, hex or base64
    /// (line breaks are ignored), or a node's answer to `get_abi` or `get_raw_abi` with one of
    /// these in it.
    /// - Throws: Also `.hashMismatch` where the answer states a hash that the raw form in it does
    ///   not have. A hash next to JSON proves nothing: JSON can have more than one raw form.
    package static func read(_ contents: [UInt8]) throws(ABIError) -> ABIFile {
        if let raw = try raw(in: contents) { return try ABIFile(raw: raw, account: nil) }
        guard contents.first(where: { !blanks.contains($0) }) == UInt8(ascii: "{") else { throw ABIError(.notAnABI) }
        let json: JSONValue
        do { json = try JSONValue.parse(contents) } catch { throw ABIError(.json(error)) }
        let account = try json.statedText("account_name")
        guard let abi = json["abi"] else {
            return ABIFile(definition: try ABIDefinition(json), raw: nil, account: account)
        }
        // Otherwise either of the two could be meant.
        guard json["version"] == nil else { throw ABIError(.unknownField("abi")) }
        let hash = try json.statedText("abi_hash")
        do { return try read(answered: abi, hash: hash, account: account) } catch { throw error.inside(.field("abi")) }
    }

    private static func read(answered abi: JSONValue, hash: String?, account: String?) throws(ABIError) -> ABIFile {
        guard let text = abi.string else {
            return ABIFile(definition: try ABIDefinition(abi), raw: nil, account: account)
        }
        guard let raw = try raw(in: Array(text.utf8)) else { throw ABIError(.notRawABI) }
        if let hash, hash.lowercased() != ABIHash(raw: raw).text { throw ABIError(.hashMismatch) }
        return try ABIFile(raw: raw, account: account)
    }

    /// The raw form in bytes, hex or base64; nil for what begins as none of them.
    private static func raw(in contents: [UInt8]) throws(ABIError) -> [UInt8]? {
        if contents.starts(with: signature) { return contents }
        // Twelve bytes are sixteen characters of base64, whatever comes behind.
        let start = Array(contents.lazy.filter { !blanks.contains($0) }.prefix(24))
        let isBase64 = start.starts(with: Base64.encode(signature).utf8)
        guard isBase64 || start.elementsEqual(Hex.encode(signature).utf8, by: { $0 | 0x20 == $1 | 0x20 }) else {
            return nil
        }
        let text = contents.filter { !blanks.contains($0) }
        do { return isBase64 ? try Base64.decode(utf8: text) : try Hex.decode(utf8: text) } catch {
            throw ABIError(.bytes(error))
        }
    }
}

extension JSONValue {
    /// The text that an answer has for a member; nil when it is left out or null.
    fileprivate func statedText(_ key: String) throws(ABIError) -> String? {
        guard let value = self[key], !value.isNull else { return nil }
        do { return try value.expectText() } catch { throw error.inside(.field(key)) }
    }
}
