import Codecs
import JSON
import SecureMemory

/// The place of a JSON text: it decides on the error, and how much the error may say.
enum JSONPlace {
    /// Around the encrypted keys. It is public: ciphertext, salts, public keys.
    case outside(WalletFormat)
    /// Decrypted. An error has nothing of the text.
    case inside(WalletFormat)

    func notJSON(_ error: JSONError) -> WalletError {
        switch self {
        case .outside(let format): .form(format, .notJSON(error))
        case .inside(let format): .contents(format, .notJSON)
        }
    }

    func missing(_ member: String) -> WalletError {
        switch self {
        case .outside(let format): .form(format, .missingMember(member))
        case .inside(let format): .contents(format, .missingMember(member))
        }
    }

    func wrong(_ member: String) -> WalletError {
        switch self {
        case .outside(let format): .form(format, .wrongMember(member))
        case .inside(let format): .contents(format, .wrongMember(member))
        }
    }

    func notObject(_ member: String?) -> WalletError {
        if let member { return wrong(member) }
        return switch self {
        case .outside(let format): .form(format, .notAnObject)
        case .inside(let format): .contents(format, .notJSON)
        }
    }

    /// Reads a whole text.
    func read<Result: ~Copyable>(
        _ text: RawSpan, _ body: (inout JSONReader) throws(WalletError) -> Result
    ) throws(WalletError) -> Result {
        try JSONReader.read(text, limits: WalletLimits.json, orThrow: notJSON) {
            reader throws(WalletError) in
            let result = try body(&reader)
            do throws(JSONError) { try reader.expectEnd() } catch { throw notJSON(error) }
            return result
        }
    }
}

extension JSONReader {
    /// Runs a step of reading, and converts its error.
    mutating func at<Result>(
        _ place: JSONPlace, _ step: (inout JSONReader) throws(JSONError) -> Result
    ) throws(WalletError) -> Result {
        do throws(JSONError) { return try step(&self) } catch { throw place.notJSON(error) }
    }

    mutating func kind(_ place: JSONPlace) throws(WalletError) -> JSONKind {
        try at(place) { reader throws(JSONError) in try reader.peek() }
    }

    mutating func skip(_ place: JSONPlace) throws(WalletError) {
        try at(place) { reader throws(JSONError) in try reader.skipValue() }
    }

    /// Reads an object. `body` reads the value of each member in `names`; other members are
    /// ignored, as the programs do that write these files.
    /// - Parameters:
    ///   - member: the name of the object, for the error; nil for the whole text.
    ///   - body: gets the index of the name.
    /// - Returns: the indices that occurred.
    @discardableResult
    mutating func members(
        _ names: [StaticString], of member: String?, _ place: JSONPlace,
        _ body: (inout JSONReader, Int) throws(WalletError) -> Void
    ) throws(WalletError) -> Set<Int> {
        guard try kind(place) == .object else { throw place.notObject(member) }
        var found: Set<Int> = []
        try at(place) { reader throws(JSONError) in try reader.beginObject() }
        while let key = try at(place, { (reader) throws(JSONError) in try reader.nextKey() }) {
            let index = withBytes(of: key) { key in names.firstIndex { key.isEqual(to: $0) } }
            guard let index else {
                try skip(place)
                continue
            }
            guard found.insert(index).inserted else { throw place.notJSON(duplicateKey(key)) }
            try body(&self, index)
        }
        return found
    }

    /// Reads an array. `body` reads each element.
    mutating func elements(
        of member: String, _ place: JSONPlace, _ body: (inout JSONReader) throws(WalletError) -> Void
    ) throws(WalletError) {
        guard try kind(place) == .array else { throw place.wrong(member) }
        try at(place) { reader throws(JSONError) in try reader.beginArray() }
        while try at(place, { (reader) throws(JSONError) in try reader.nextElement() }) { try body(&self) }
    }

    /// Reads a text whose value is used by the caller, from its token.
    mutating func string(_ member: String, _ place: JSONPlace) throws(WalletError) -> JSONToken {
        guard try kind(place) == .string else { throw place.wrong(member) }
        return try at(place) { reader throws(JSONError) in try reader.readString() }
    }

    /// Reads a public text.
    mutating func publicText(_ member: String, _ place: JSONPlace) throws(WalletError) -> [UInt8] {
        let token = try string(member, place)
        return withBytes(of: token) { Array(copying: $0) }
    }

    /// The texts of some members of a public object that is the whole text.
    /// - Returns: for each name, the bytes of the text; nil if there is no such member.
    mutating func publicTexts(
        _ names: [StaticString], _ place: JSONPlace
    ) throws(WalletError) -> [[UInt8]?] {
        var found = [[UInt8]?](repeating: nil, count: names.count)
        try members(names, of: nil, place) { reader, index throws(WalletError) in
            found[index] = try reader.publicText(names[index].description, place)
        }
        return found
    }

    /// The members of a public object whose values are texts; others are ignored.
    mutating func publicMembers(
        of member: String, _ place: JSONPlace
    ) throws(WalletError) -> [(key: [UInt8], path: [UInt8])] {
        guard try kind(place) == .object else { throw place.notObject(member) }
        var found: [(key: [UInt8], path: [UInt8])] = []
        try at(place) { reader throws(JSONError) in try reader.beginObject() }
        while let key = try at(place, { (reader) throws(JSONError) in try reader.nextKey() }) {
            let name = withBytes(of: key) { Array(copying: $0) }
            guard try kind(place) == .string else {
                try skip(place)
                continue
            }
            found.append((name, try publicText(member, place)))
            guard found.count <= WalletLimits.keyCount else { throw .limit(.keyCount) }
        }
        return found
    }

    /// A copy of a text in guarded memory.
    mutating func secret(_ token: JSONToken) throws(WalletError) -> SecureBytes {
        var secret = try SecureBytes.forWallet(count: token.maximumCount)
        let count = secret.withMutableBytes { copyValue(of: token, to: &$0) }
        secret.truncate(to: count)
        return secret
    }
}

extension Span<UInt8> {
    /// True if the bytes are an ASCII text.
    func isEqual(to text: StaticString) -> Bool {
        count == text.utf8CodeUnitCount
            && indices.allSatisfy { unsafe self[$0] == text.utf8Start[$0] }
    }
}

extension [UInt8] {
    /// Lends public bytes as a span.
    func lend<Result: ~Copyable>(
        _ body: (RawSpan) throws(WalletError) -> Result
    ) throws(WalletError) -> Result {
        unsafe try body(span.bytes)
    }

    init(copying span: Span<UInt8>) {
        self.init()
        reserveCapacity(span.count)
        for index in span.indices { append(span[index]) }
    }
}
