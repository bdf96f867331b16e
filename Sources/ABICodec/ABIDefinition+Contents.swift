import Codecs
import Digests
import JSON

extension ABIDefinition {
    /// How every raw ABI begins: the length of its version, and what all versions have in common.
    private static let signature = [14] + Array("eosio::abi/".utf8)
    private static let blanks: Set<UInt8> = [0x20, 0x0a, 0x0d, 0x09]

    /// The definitions in what a person has of an ABI: its JSON, its raw form in bytes, hex or base64 (line breaks let
    /// pass), or a node's answer to `get_abi` or `get_raw_abi` with one of these in it.
    /// - Returns: Also whether it was the raw form.
    /// - Throws: Also `.hashMismatch` where the answer states another hash than that of the raw form in it. Beside JSON a hash
    ///   says nothing: it may have been made of more than one raw form.
    public static func read(_ contents: [UInt8]) throws(ABIError) -> (definition: ABIDefinition, isRaw: Bool) {
        if let raw = try raw(in: contents) { return (try ABIDefinition(raw: raw), true) }
        guard contents.first(where: { !blanks.contains($0) }) == UInt8(ascii: "{") else { throw ABIError(.notAnABI) }
        let json: JSONValue
        do { json = try JSONValue.parse(contents) } catch { throw ABIError(.json(error)) }
        guard let abi = json["abi"] else { return (try ABIDefinition(json), false) }
        // Else it would be anyone's guess which of the two is meant.
        guard json["version"] == nil else { throw ABIError(.unknownField("abi")) }
        var hash: String?
        if let stated = json["abi_hash"], !stated.isNull {
            do { hash = try stated.expectText() } catch { throw error.inside(.field("abi_hash")) }
        }
        do { return try read(answered: abi, hash: hash) } catch { throw error.inside(.field("abi")) }
    }

    private static func read(answered abi: JSONValue, hash: String?) throws(ABIError) -> (ABIDefinition, Bool) {
        guard let text = abi.string else { return (try ABIDefinition(abi), false) }
        guard let raw = try raw(in: Array(text.utf8)) else { throw ABIError(.notRawABI) }
        if let hash, hash.lowercased() != Hex.encode(HashFunction.sha256.hash(raw)) { throw ABIError(.hashMismatch) }
        return (try ABIDefinition(raw: raw), true)
    }

    /// The raw form in bytes, hex or base64; nil for what begins as none of them.
    private static func raw(in contents: [UInt8]) throws(ABIError) -> [UInt8]? {
        if contents.starts(with: signature) { return contents }
        // Twelve bytes are sixteen characters of base64, whatever comes behind.
        let start = Array(contents.lazy.filter { !blanks.contains($0) }.prefix(24))
        let isBase64 = start.starts(with: Base64.encode(signature).utf8)
        guard isBase64 || start.elementsEqual(Hex.encode(signature).utf8, by: { $0 | 0x20 == $1 | 0x20 }) else { return nil }
        let text = contents.filter { !blanks.contains($0) }
        do { return isBase64 ? try Base64.decode(utf8: text) : try Hex.decode(utf8: text) } catch { throw ABIError(.bytes(error)) }
    }
}
