import Files
import Keys
import SecureMemory
import Shell

/// Reads a file with one key: only its text, or the two lines of `cleos create key --file`, in any
/// order (AntelopeIO/spring, programs/cleos/main.cpp):
///
///     Private key: 5…
///     Public key: EOS…
struct OneKeyReader: ~Copyable {
    private static let privateLabel = "Private key: "
    private static let publicLabel = "Public key: "

    private var lines: SecretLines

    /// - Returns: the private key, which belongs to the public key of the file, if it has one.
    static func key(in file: consuming SecureBytes) throws -> PrivateKey {
        let limit = privateLabel.utf8.count + PrivateKey.maximumTextCount
        var reader = OneKeyReader(lines: SecretLines(of: file, limit: limit))
        return try reader.key()
    }

    private init(lines: consuming SecretLines) { self.lines = lines }

    private mutating func key() throws -> PrivateKey {
        guard let first = try lines.advance() else { throw KeyRefusal(error: .empty, kind: .privateKey) }
        if begins(with: Self.privateLabel) {
            let key = try value(Self.privateLabel) { text in try PrivateKey.importable(text) }
            try next()
            let name = try value(Self.publicLabel) { text in try PublicName(text) }
            try name.expect(key)
            try expectEnd()
            return key
        }
        if begins(with: Self.publicLabel) {
            let name = try value(Self.publicLabel) { text in try PublicName(text) }
            try next()
            let key = try value(Self.privateLabel) { text in try PrivateKey.importable(text) }
            try name.expect(key)
            try expectEnd()
            return key
        }
        do {
            guard first == .line else { throw CommandError.notOneKey }
            let key = try lines.withLine { text in try PrivateKey.importable(text) }
            try expectEnd()
            return key
        } catch {
            try expectEnd()
            throw error
        }
    }

    private borrowing func begins(with label: String) -> Bool { lines.withLine { $0.starts(with: label) } }

    /// The value after the label of a line.
    private borrowing func value<Value: ~Copyable>(
        _ label: String, _ read: (RawSpan) throws -> Value
    ) throws -> Value {
        guard begins(with: label) else { throw CommandError.notKeyPair }
        return try lines.withLine { line in
            try read(line.extracting(label.utf8.count..<line.byteCount))
        }
    }

    private mutating func next() throws {
        guard try lines.advance() == .line else { throw CommandError.notKeyPair }
    }

    private mutating func expectEnd() throws {
        guard try lines.advance() == nil else { throw CommandError.notOneKey }
    }
}
