import JSON
import Messages

/// The members of an object in the body of one of the agent's own calls. Unknown members are
/// refused. An error has no text of the client, except the name of a member.
struct OrderMembers {
    /// The most elements of a list.
    private static let maximumCount = 256

    /// What is described, for errors.
    private let place: String
    private let texts: [String: [UInt8]]

    /// Reads a whole body, and checks its syntax.
    /// - Parameter names: the members that the object may have.
    init(body: [UInt8], _ names: Set<String>) throws(WalletError) {
        let limits = JSONLimits(size: RequestHead.BodyKind.plain.maximumLength)
        do throws(JSONError) {
            try JSONReader.read(body, limits: limits) { reader throws(JSONError) in
                try reader.skipValue()
                try reader.expectEnd()
            }
        } catch { throw .wrongBody("the body: \(error.words.message)", .invalidJSON) }
        try self.init(body, names, "the body")
    }

    /// - Parameter text: JSON whose syntax was checked.
    private init(_ text: [UInt8], _ names: Set<String>, _ place: String) throws(WalletError) {
        guard let found = try? JSONReader.parts(of: text, atMost: names.count), found.kind == .object else {
            throw .wrongBody("\(place) is not a JSON object")
        }
        var texts: [String: [UInt8]] = [:]
        for part in found.parts {
            guard part.key.isAny(of: names) else {
                throw .wrongBody("\(place) has an unknown member, \(Printable.excerpt(part.key))")
            }
            texts[part.key] = part.text
        }
        (self.place, self.texts) = (place, texts)
    }

    /// - Returns: nil if the object lacks the member.
    func text(_ name: String) throws(WalletError) -> String? {
        guard let text = texts[name] else { return nil }
        guard let value = try? JSONValue.parse(text).string else { throw wrong(name, "is not a text") }
        return value
    }

    func boolean(_ name: String) throws(WalletError) -> Bool {
        guard let text = texts[name] else { return false }
        guard case .boolean(let value)? = try? JSONValue.parse(text) else {
            throw wrong(name, "is not true or false")
        }
        return value
    }

    /// - Returns: nil if the object lacks the member.
    func number(_ name: String) throws(WalletError) -> UInt64? {
        guard let text = texts[name] else { return nil }
        guard let value = (try? JSONValue.parse(text).number).flatMap({ UInt64($0) }) else {
            throw wrong(name, "is not an integer of at least 0")
        }
        return value
    }

    func texts(_ name: String) throws(WalletError) -> [String] {
        try elements(name).map { element throws(WalletError) in
            guard let text = try? JSONValue.parse(element).string else {
                throw wrong(name, "is not a list of texts")
            }
            return text
        }
    }

    /// A list of objects with these members.
    func objects(_ name: String, _ names: Set<String>) throws(WalletError) -> [OrderMembers] {
        var objects: [OrderMembers] = []
        for (index, element) in try elements(name).enumerated() {
            objects.append(try OrderMembers(element, names, "\(name)[\(index)]"))
        }
        return objects
    }

    private func elements(_ name: String) throws(WalletError) -> [[UInt8]] {
        guard let text = texts[name] else { return [] }
        guard let found = try? JSONReader.parts(of: text, atMost: Self.maximumCount), found.kind == .array
        else {
            throw wrong(name, "is not a list")
        }
        guard found.parts.count <= Self.maximumCount else {
            throw wrong(name, "has more than \(Self.maximumCount) elements")
        }
        return found.parts.map(\.text)
    }

    /// The bytes of a file: an object, or a text that is the content of the file.
    func document(_ name: String) throws(WalletError) -> [UInt8]? {
        guard let text = texts[name] else { return nil }
        if text.first == UInt8(ascii: "{") { return text }
        guard let value = try? JSONValue.parse(text).string else {
            throw wrong(name, "is not an object or a text")
        }
        return Array(value.utf8)
    }

    /// The text of an object as it was written.
    func object(_ name: String) throws(WalletError) -> [UInt8]? {
        guard let text = texts[name] else { return nil }
        guard text.first == UInt8(ascii: "{") else { throw wrong(name, "is not an object") }
        return text
    }

    /// The value that a step reads, which is required.
    func required<Value>(
        _ name: String, _ read: (String) throws(WalletError) -> Value?
    ) throws(WalletError) -> Value {
        guard let value = try read(name) else { throw .wrongBody("\(place) lacks the member \(name)") }
        return value
    }

    func wrong(_ name: String, _ problem: String) -> WalletError {
        .wrongBody("\(place == "the body" ? "" : place + ".")\(name) \(problem)")
    }
}
