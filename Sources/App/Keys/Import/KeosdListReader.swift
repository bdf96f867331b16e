import Files
import Keys
import SecureMemory
import Shell

/// Reads what `cleos wallet private_keys` prints: `[["PUBLIC-KEY","PRIVATE-KEY"],…]`, after the
/// prompt for the password if the output was redirected (AntelopeIO/spring, programs/cleos).
///
/// The text stays in guarded memory and is split at its quotes: the JSON module would copy the
/// keys. Keys have no escapes.
struct KeosdListReader: KeyFileReader, ~Copyable {
    static let noun = "key"

    private(set) var number = 0
    private var parts: SecretLines
    private var isStarted = false

    init(_ file: FileDescriptor) throws(InputFile.Failure) {
        parts = try SecretLines(file: file, limit: PrivateKey.maximumLineCount, separator: UInt8(ascii: "\""))
    }

    mutating func next() throws -> KeyFileItem? {
        if number == 0 { try parts.refuseOtherWallet() }
        // Outside of the strings are only brackets and commas.
        let begins = isStarted ? ["],["] : ["[[", "password:[["]
        let ends = isStarted ? ["]]"] : ["[]", "password:[]"]
        let before = try advance(in: number + 1) ? try outside(begins + ends) : nil
        guard let before else { throw CommandError.notKeosdList(key: number + 1) }
        if ends.contains(before) {
            guard !parts.isTerminated else { throw CommandError.notKeosdList(key: number + 1) }
            return nil
        }
        (isStarted, number) = (true, number + 1)
        guard try advance(in: number), parts.isTerminated else {
            throw CommandError.notKeosdList(key: number)
        }
        let name: Result<PublicName, any Error> = Result {
            try parts.withLine { text in try PublicName(text) }
        }
        guard try advance(in: number), try outside([","]) != nil, try advance(in: number), parts.isTerminated
        else {
            throw CommandError.notKeosdList(key: number)
        }
        do {
            let name = try name.get()
            return .key(try parts.withLine { text in try name.key(text) })
        } catch { return .refused(error) }
    }

    /// - Parameter key: The number of the key, for errors.
    /// - Returns: false at the end.
    private mutating func advance(in key: Int) throws -> Bool {
        switch try parts.advance() {
        case .line: true
        case .tooLong: throw CommandError.notKeosdList(key: key)
        case nil: false
        }
    }

    /// - Returns: which of the texts the part is, without its white space; nil if it is none.
    private borrowing func outside(_ expected: [String]) throws -> String? {
        parts.withLine { text in expected.first { text.isEqual(to: $0) } }
    }
}

extension RawSpan {
    /// True if the text without white space is `other`.
    fileprivate func isEqual(to other: String) -> Bool {
        let white = Array(" \t\r\n".utf8)
        var rest = Array(other.utf8)[...]
        for offset in 0..<byteCount where !white.contains(where: { isSeparator($0, at: offset) }) {
            guard let byte = rest.popFirst(), isSeparator(byte, at: offset) else { return false }
        }
        return rest.isEmpty
    }
}
