import Codecs

/// A PKCS#11 URI (RFC 7512) that identifies a token, or a key in a token:
/// `pkcs11:token=treasury;serial=0123;object=cold;id=%01?module-path=/usr/lib/module.so`.
///
/// An absent attribute matches any value. Attributes that this program does not compare are
/// refused, because ignoring one could select another token or key.
package struct TokenURI: Hashable, Sendable {
    /// In bytes.
    package static let maximumCount = 1024

    package var token: String?
    package var serial: String?
    package var manufacturer: String?
    package var model: String?
    package var slotID: UInt64?
    /// The label of the key.
    package var object: String?
    /// CKA_ID of the key.
    package var id: [UInt8]?
    /// An absolute path.
    package var modulePath: String?

    package init() {}

    /// True if it selects a key.
    package var selectsKey: Bool { object != nil || id != nil }

    /// Parses a URI.
    package init(_ text: String) throws(TokenURIError) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumCount else { throw .tooLong(limit: Self.maximumCount) }
        let scheme = Array("pkcs11:".utf8)
        guard bytes.starts(with: scheme) else { throw .otherScheme }
        let question = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
        var seen: Set<String> = []
        try Self.eachAttribute(in: bytes, scheme.count..<question, separator: UInt8(ascii: ";")) {
            name, value, offset throws(TokenURIError) in
            guard seen.insert(name).inserted else { throw .repeated(name) }
            try set(name, value, at: offset)
        }
        guard question < bytes.count else { return }
        try Self.eachAttribute(in: bytes, question + 1..<bytes.count, separator: UInt8(ascii: "&")) {
            name, value, offset throws(TokenURIError) in
            guard seen.insert(name).inserted else { throw .repeated(name) }
            guard name == "module-path" else { throw .refused(query: name) }
            modulePath = try Self.text(value, at: offset)
            guard modulePath?.first == "/" else { throw .relativeModule }
        }
    }

    private mutating func set(_ name: String, _ value: [UInt8], at offset: Int) throws(TokenURIError) {
        switch name {
        case "token": token = try Self.text(value, at: offset)
        case "serial": serial = try Self.text(value, at: offset)
        case "manufacturer": manufacturer = try Self.text(value, at: offset)
        case "model": model = try Self.text(value, at: offset)
        case "object": object = try Self.text(value, at: offset)
        case "id":
            guard !value.isEmpty else { throw .empty(name) }
            id = value
        case "slot-id":
            guard let number = UInt64(String(decoding: value, as: UTF8.self)) else { throw .slotID }
            slotID = number
        case "type":
            guard value.elementsEqual("private".utf8) else { throw .otherType }
        default: throw .unknown(name)
        }
    }

    /// Calls `body` with the name, the decoded value and the offset of each attribute of a part.
    private static func eachAttribute(
        in bytes: [UInt8], _ range: Range<Int>, separator: UInt8,
        _ body: (String, [UInt8], Int) throws(TokenURIError) -> Void
    ) throws(TokenURIError) {
        guard !range.isEmpty else { return }
        var start = range.lowerBound
        while start <= range.upperBound {
            let end = bytes[start..<range.upperBound].firstIndex(of: separator) ?? range.upperBound
            guard let equals = bytes[start..<end].firstIndex(of: UInt8(ascii: "=")) else {
                throw .noValue(offset: start)
            }
            let name = bytes[start..<equals]
            guard !name.isEmpty, name.allSatisfy({ $0.isLowerCaseOrDigit || $0 == UInt8(ascii: "-") })
            else { throw .invalidCharacter(offset: start) }
            let text = String(decoding: name, as: UTF8.self)
            // No error repeats it.
            guard text != "pin-value", text != "pin-source" else { throw .secret(text) }
            let isQuery = separator == UInt8(ascii: "&")
            try body(text, decode(bytes, equals + 1..<end, isQuery: isQuery), equals + 1)
            start = end + 1
        }
    }

    private static func decode(
        _ bytes: [UInt8], _ range: Range<Int>, isQuery: Bool
    ) throws(TokenURIError) -> [UInt8] {
        let allowed = Array((isQuery ? "-._~:[]@!$'()*+,=/?|" : "-._~:[]@!$'()*+,=&").utf8)
        var value: [UInt8] = []
        var index = range.lowerBound
        while index < range.upperBound {
            if bytes[index] == UInt8(ascii: "%") {
                guard index + 2 < range.upperBound,
                    let byte = try? Hex.decode(String(decoding: bytes[index + 1...index + 2], as: UTF8.self))
                else { throw .invalidCharacter(offset: index) }
                value += byte
                index += 3
            } else {
                guard bytes[index].isASCIILetterOrDigit || allowed.contains(bytes[index]) else {
                    throw .invalidCharacter(offset: index)
                }
                value.append(bytes[index])
                index += 1
            }
        }
        return value
    }

    private static func text(_ value: [UInt8], at offset: Int) throws(TokenURIError) -> String {
        guard let text = String(validating: value, as: UTF8.self), !text.isEmpty,
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw .notText(offset: offset) }
        return text
    }

    /// The same URI with its attributes in a fixed order.
    package var text: String {
        var parts: [String] = []
        for (name, value) in [
            ("token", token), ("manufacturer", manufacturer), ("model", model), ("serial", serial),
            ("object", object),
        ] {
            if let value { parts.append("\(name)=\(Self.encode(Array(value.utf8)))") }
        }
        if let slotID { parts.append("slot-id=\(slotID)") }
        if let id { parts.append("id=" + id.map { "%" + Hex.encode([$0]) }.joined()) }
        let query = modulePath.map { "?module-path=" + Self.encode(Array($0.utf8), also: "/") } ?? ""
        return "pkcs11:" + parts.joined(separator: ";") + query
    }

    private static func encode(_ bytes: [UInt8], also: String = "") -> String {
        bytes.map { byte in
            byte.isASCIILetterOrDigit || "-._~\(also)".utf8.contains(byte)
                ? String(Unicode.Scalar(byte)) : "%" + Hex.encode([byte])
        }.joined()
    }
}

extension UInt8 {
    fileprivate var isLowerCaseOrDigit: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }
}
