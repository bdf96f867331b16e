import JSON

/// The limits of JSON in a body.
enum BodyLimits {
    private static let size = RequestHead.BodyKind.plain.maximumLength
    /// For arrays of strings.
    static let strings = JSONLimits(depth: 2, size: size)
    /// For a transaction. Only its extensions and the levels of its actions are nested.
    static let transaction = JSONLimits(depth: 16, size: size)
}

/// A body that has no secret.
struct PlainBody {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// For a call without parameters: no body, or `{}`.
    func expectEmpty() throws(WalletError) {
        guard isEmpty else { throw .unparsable }
    }

    /// True for no body, or `{}`.
    var isEmpty: Bool { (try? read { reader in reader.isEmptyBody }) ?? false }

    /// An array of exactly `count` strings.
    func texts(_ count: Int) throws(WalletError) -> [String] {
        try read { reader throws(WalletError) in
            try reader.strings(count).map { reader.text(of: $0) }
        }
    }

    /// The name of a wallet.
    func name() throws(WalletError) -> WalletName {
        try WalletName(
            read { reader throws(WalletError) in
                try reader.expectBody()
                return try reader.orRefuse { reader throws(JSONError) in
                    let name = reader.text(of: try reader.readString())
                    try reader.expectEnd()
                    return name
                }
            })
    }

    /// A number; nil if it is no integer, or too large.
    func integer() throws(WalletError) -> Int64? {
        try read { reader throws(WalletError) in
            try reader.expectBody()
            return try reader.orRefuse { reader throws(JSONError) in
                let text = reader.text(of: try reader.readNumber())
                try reader.expectEnd()
                return Int64(text)
            }
        }
    }

    private func read<Result>(_ body: (inout JSONReader) throws(WalletError) -> Result) throws(WalletError)
        -> Result
    {
        try JSONReader.read(bytes, limits: BodyLimits.strings, orThrow: { _ in .unparsable }, body)
    }
}

extension JSONReader {
    /// True if the body is empty or `{}`, with any white space. Otherwise the reader does not move.
    var isEmptyBody: Bool {
        mutating get {
            let start = position
            func isRead(_ step: (inout JSONReader) throws(JSONError) -> Bool) -> Bool {
                do throws(JSONError) { return try step(&self) } catch { return false }
            }
            if isRead({ reader throws(JSONError) in
                try reader.expectEnd()
                return true
            }) {
                return true
            }
            let isObject = isRead { reader throws(JSONError) in
                try reader.beginObject()
                guard try reader.nextKey() == nil else { return false }
                try reader.expectEnd()
                return true
            }
            if !isObject { go(to: start) }
            return isObject
        }
    }

    mutating func expectBody() throws(WalletError) {
        guard !isEmptyBody else { throw .bodyRequired }
    }

    /// Reads a body that is an array of exactly `count` strings.
    mutating func strings(_ count: Int) throws(WalletError) -> [JSONToken] {
        try expectBody()
        let strings = try orRefuse { reader throws(JSONError) -> [JSONToken] in
            var strings: [JSONToken] = []
            try reader.beginArray()
            while try reader.nextElement() {
                guard strings.count < count else { return [] }
                strings.append(try reader.readString())
            }
            try reader.expectEnd()
            return strings
        }
        guard strings.count == count else { throw .missingInput }
        return strings
    }

    /// Runs a step, and refuses the body if it is not JSON of the expected form. The error does not
    /// say what was found: the body may have a secret.
    mutating func orRefuse<Result>(
        _ step: (inout JSONReader) throws(JSONError) -> Result
    ) throws(WalletError) -> Result {
        do throws(JSONError) { return try step(&self) } catch { throw .unparsable }
    }
}
