import Codecs
import Files
import KeyVault
import Keys
import SecureMemory
import Shell

/// A kind of file with several keys.
enum KeyFileFormat: String, CaseIterable {
    /// One key per line. Its option is `--lines`.
    case lines
    case keosdList = "keosd-list"
    case nodeosConfig = "nodeos-config"

    static var allValueStrings: [String] { [keosdList, nodeosConfig].map(\.rawValue) }

    init?(argument: String) {
        guard Self.allValueStrings.contains(argument) else { return nil }
        self.init(rawValue: argument)
    }

    /// In messages.
    var name: String {
        switch self {
        case .lines: "file with one key per line"
        case .keosdList: "list of `cleos wallet private_keys`"
        case .nodeosConfig: "config.ini of nodeos"
        }
    }
}

/// A private key, and the label that its file gives it.
struct NamedKey: ~Copyable {
    let key: PrivateKey
    var label: Label?

    consuming func takeKey() -> PrivateKey { key }
}

/// An item of a file with keys.
enum KeyFileItem: ~Copyable {
    case key(NamedKey)
    /// Text that is not a key to import. The other keys are imported.
    case refused(any Error)
    /// A key that is not imported, such as one in a comment, with the reason.
    case skipped(String)
}

/// Reads the keys of a file one after the other, in guarded memory.
protocol KeyFileReader: ~Copyable {
    /// The unit of `number`: `line`, `key`.
    static var noun: String { get }
    /// The position of the last item, counted from 1.
    var number: Int { get }
    /// - Returns: nil at the end.
    /// - Throws: an error of reading, or of a file that has another form.
    mutating func next() throws -> KeyFileItem?
    /// True if the next item needs no reading; false by default.
    var hasRead: Bool { get }
    /// Ends a key. A reader of many keys gives its memory to the next one.
    mutating func reuse(_ key: consuming NamedKey)
}

extension KeyFileReader where Self: ~Copyable {
    var hasRead: Bool { false }

    mutating func reuse(_ key: consuming NamedKey) {}
}

extension PrivateKey {
    /// The most bytes of a line or a value with a key: text that is longer is not a key.
    static let maximumLineCount = maximumTextCount + 1 + 512
}

/// Reads lines with a key each, optionally followed by a space and a label.
struct KeyLineReader: KeyFileReader, ~Copyable {
    static let noun = "line"
    private(set) var number = 0
    private var lines: SecretLines
    private var keys: PrivateKeyReader

    init(_ file: FileDescriptor) throws(InputFile.Failure) {
        let lines = try SecretLines(file: file, limit: PrivateKey.maximumLineCount)
        self.lines = lines
        keys = PrivateKeyReader()
    }

    mutating func next() throws -> KeyFileItem? {
        if number == 0 { try lines.refuseOtherWallet() }
        // No key stays in memory while the file is read, which may wait.
        if !hasRead { keys.forget() }
        guard let line = try lines.advance() else { return nil }
        number += 1
        guard line == .line else {
            return .refused(InputFile.Failure.tooLong(limit: PrivateKey.maximumLineCount))
        }
        do { return .key(try lines.withLine { text in try Self.key(text, &keys) }) } catch {
            // A mnemonic has one word in each line, or all in one.
            if number == 1, let words = lines.withBuffered({ TypedMnemonic($0) }) { throw words }
            return .refused(lines.withLine { TypedMnemonic($0) } ?? error)
        }
    }

    var hasRead: Bool { lines.hasLine }

    mutating func reuse(_ key: consuming NamedKey) { keys.reuse(key.takeKey()) }

    private static func key(_ line: RawSpan, _ keys: inout PrivateKeyReader) throws -> NamedKey {
        let space = line.firstOffset(ofSeparator: UInt8(ascii: " "), in: 0..<line.byteCount)
        let key = try PrivateKey.importable(line.extracting(0..<(space ?? line.byteCount)), &keys)
        let label =
            if let space { try Label(utf8: line.extracting((space + 1)..<line.byteCount)) } else {
                nil as Label?
            }
        return NamedKey(key: key, label: label)
    }
}
