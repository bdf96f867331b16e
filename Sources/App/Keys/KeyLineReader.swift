import Codecs
import Files
import KeyVault
import Keys
import SecureMemory
import Shell

/// Reads lines with a key each, optionally followed by a space and a label.
struct KeyLineReader: KeyFileReader, ~Copyable {
    static let noun = "line"
    private(set) var number = 0
    private var lines: SecretLines
    private var keys: PrivateKeyReader

    init(_ file: FileDescriptor) throws(InputFile.Failure) {
        let lines = try SecretLines(file: file, limit: PrivateKey.maximumLineCount)
        let keys = try converting(InputFile.Failure.memory, PrivateKeyReader())
        self.lines = lines
        self.keys = keys
    }

    mutating func next() throws -> KeyFileItem? {
        guard let line = try lines.advance() else { return nil }
        number += 1
        guard line == .line else { return .refused(InputFile.Failure.tooLong(limit: PrivateKey.maximumLineCount)) }
        do { return .key(try lines.withLine { text in try Self.key(text, &keys) }) } catch { return .refused(error) }
    }

    mutating func reuse(_ key: consuming NamedKey) { keys.reuse(key.takeKey()) }

    private static func key(_ line: RawSpan, _ keys: inout PrivateKeyReader) throws -> NamedKey {
        let space = line.firstOffset(ofSeparator: UInt8(ascii: " "), in: 0..<line.byteCount)
        let key = try PrivateKey.importable(line.extracting(0..<(space ?? line.byteCount)), &keys)
        let label =
            if let space { try Label(utf8: line.extracting((space + 1)..<line.byteCount)) } else { nil as Label? }
        return NamedKey(key: key, label: label)
    }
}
