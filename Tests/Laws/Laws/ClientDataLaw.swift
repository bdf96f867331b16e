import Codecs
import JSON
import Keys

/// Client data of WebAuthn signatures. Text that RFC 8259 accepts is read as RFC 8259 defines.
/// Other accepted text belongs to a few known kinds.
public enum ClientDataLaw: Law {
    public static let name = "ClientData"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        try vectors.texts("verify-webauthn", "signature").map { text in
            // Header byte, r and s; then the authenticator data and the client data, each with a
            // length prefix.
            try ByteReader.read(Signature(text).body) { reader throws(CodecError) in
                _ = try reader.readBytes(Signature.compactSize)
                _ = try reader.readPrefixedBytes()
                return try reader.readPrefixedBytes()
            }
        }
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        let data: ClientData
        do { data = try ClientData(input) } catch {
            try law(
                error.offset >= 0 && error.offset <= input.count, "the offset \(error.offset) is in the text")
            guard let tree = try? JSONValue.parse(input), let expected = Expected(tree) else { return }
            return try law(expected.hasLargeNumber, "an object with three strings is accepted")
        }
        try check(data, of: input)
    }

    private static func check(_ data: ClientData, of input: [UInt8]) throws(LawBroken) {
        let tree: JSONValue
        do { tree = try JSONValue.parse(input) } catch {
            switch error.reason {
            case .duplicateKey, .invalidUTF8, .loneSurrogate, .tooDeep: return
            default:
                return try law(input.contains(0), "nothing else is accepted that RFC 8259 refuses: \(error)")
            }
        }
        guard let expected = Expected(tree) else {
            throw LawBroken(description: "the three members are strings")
        }
        for (name, value) in [("type", data.type), ("challenge", data.challenge), ("origin", data.origin)] {
            try law(expected.values[name, default: []] == value, "\(name) is the value of its last member")
        }
    }

    /// The members of an object by RFC 8259.
    private struct Expected {
        var values: [String: [UInt8]] = [:]
        var hasLargeNumber = false

        /// nil if the tree is not an object, or if one of the three members is not a string.
        init?(_ tree: JSONValue) {
            guard let members = tree.object else { return nil }
            for member in members {
                // Keys are compared as C strings.
                let key = Laws.text(member.key.utf8.prefix { $0 != 0 })
                if ["type", "challenge", "origin"].contains(key) {
                    guard let text = member.value.string else { return nil }
                    values[key] = Array(text.utf8)
                } else if Self.hasLargeNumber(member.value) {
                    hasLargeNumber = true
                }
            }
        }

        /// Whether a number could be too large for a double.
        private static func hasLargeNumber(_ value: JSONValue) -> Bool {
            switch value {
            case .number(let text): text.utf8.count > 300 || text.lowercased().contains("e")
            case .array(let elements): elements.contains(where: hasLargeNumber)
            case .object(let members): members.contains { hasLargeNumber($0.value) }
            case .null, .boolean, .string: false
            }
        }
    }
}
