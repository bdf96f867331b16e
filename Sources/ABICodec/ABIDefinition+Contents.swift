import Codecs
import Digests
import JSON

extension ABIDefinition {
    /// How every raw ABI begins: the length of its version, and what all versions have in common.
    private static let signature = [14] + Array("eosio::abi/".utf8)

    /// The definitions in what a person has of an ABI: its JSON, its raw form in bytes, hex or base64 (line breaks let
    /// pass), or a node's answer to `get_abi` or `get_raw_abi` with one of these in it.
    /// - Throws: Also `.hashMismatch` where the answer states another hash than that of its ABI.
    public static func read(_ contents: [UInt8]) throws(ABIError) -> (definition: ABIDefinition, isRaw: Bool) {
        if let raw = try raw(in: contents) { return (try ABIDefinition(raw: raw), true) }
        guard contents.first(where: { ![0x20, 0x0a, 0x0d, 0x09].contains($0) }) == UInt8(ascii: "{") else { throw ABIError(.notAnABI) }
        let json: JSONValue
        do { json = try JSONValue.parse(contents) } catch { throw ABIError(.json(error)) }
        guard let abi = json["abi"] else { return (try ABIDefinition(json), false) }
        // Else it would be anyone's guess which of the two is meant.
        guard json["version"] == nil else { throw ABIError(.unknownField("abi")) }
        do { return try read(answered: abi, hash: json["abi_hash"]?.string) } catch { throw error.inside(.field("abi")) }
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
        let text = contents.filter { ![0x20, 0x0a, 0x0d, 0x09].contains($0) }
        // Twelve bytes are sixteen characters of base64, whatever comes behind.
        let isBase64 = text.starts(with: Base64.encode(signature).utf8)
        guard isBase64 || text.prefix(24).elementsEqual(Hex.encode(signature).utf8, by: { $0 | 0x20 == $1 | 0x20 }) else { return nil }
        do { return isBase64 ? try Base64.decode(utf8: text) : try Hex.decode(utf8: text) } catch { throw ABIError(.bytes(error)) }
    }
}
