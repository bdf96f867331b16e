import Keys
import SecureMemory

/// The output of `cleos create key`, with `--file` or `--to-console` (AntelopeIO/spring,
/// programs/cleos/main.cpp):
///
///     Private key: 5…
///     Public key: EOS…
///
/// Users join such files, exchange the lines, and edit them on Windows. So a file may have several
/// pairs, in any order of the two lines, with empty lines and with CR LF.
struct CleosKeyFile: ~Copyable {
    private static let labels = (private: "Private key: ", public: "Public key: ")

    /// The parts of the current pair that were read: the public key, or the place of the text of
    /// the private key.
    private var publicKey: PublicKey?
    private var secret: Range<Int>?
    /// The number of the current pair, counted from 1.
    private var number = 1
    private var keys: KeyCollector
    private var texts: KeyTexts

    static func read(_ file: RawSpan) throws(WalletError) -> WalletFile {
        var reader = try CleosKeyFile()
        var start = 0
        while start < file.byteCount {
            let end = file.firstOffset(ofSeparator: UInt8(ascii: "\n"), in: start..<file.byteCount)
            var line = start..<(end ?? file.byteCount)
            if let last = line.last, file.isSeparator(UInt8(ascii: "\r"), at: last) { line = line.dropLast() }
            if !line.isEmpty { try reader.read(line, of: file) }
            start = end.map { $0 + 1 } ?? file.byteCount
        }
        return try reader.finish()
    }

    private init() throws(WalletError) {
        let keys = try KeyCollector(capacity: 1)
        let texts = KeyTexts()
        self.keys = keys
        self.texts = texts
    }

    private mutating func read(_ line: Range<Int>, of file: RawSpan) throws(WalletError) {
        let text = file.extracting(line)
        if text.starts(with: Self.labels.private) {
            guard secret == nil else { throw Self.missing(Self.labels.public) }
            secret = line.dropFirst(Self.labels.private.utf8.count)
            guard secret?.isEmpty == false else { throw Self.missing("private key") }
        } else if text.starts(with: Self.labels.public) {
            guard publicKey == nil else { throw Self.missing(Self.labels.private) }
            let value = line.dropFirst(Self.labels.public.utf8.count)
            publicKey = try KeyTexts.publicKey(file.extracting(value), number: number)
        } else {
            throw Self.missing(secret == nil ? Self.labels.private : Self.labels.public)
        }
        guard let secret, let publicKey else { return }
        let key = try texts.privateKey(file.extracting(secret), number: number)
        guard key.publicKey == publicKey else { throw .key(number: number, .mismatch) }
        try keys.add(key, label: nil)
        texts.reuse(key)
        (self.secret, self.publicKey, number) = (nil, nil, number + 1)
    }

    private consuming func finish() throws(WalletError) -> WalletFile {
        guard secret == nil else { throw Self.missing(Self.labels.public) }
        guard publicKey == nil, number > 1 else { throw Self.missing(Self.labels.private) }
        return keys.finish()
    }

    /// - Parameter part: the label of a line, or the value after it.
    private static func missing(_ part: String) -> WalletError {
        .form(.cleosCreateKey, .missingPart(part))
    }
}
