import Keys
import SecureMemory

/// The decrypted private keys of a wallet file of another program, in guarded memory.
///
/// When this value exists, every private key was compared with the public key of its entry, for the
/// formats that have one.
package struct WalletFile: ~Copyable {
    package let summary: WalletSummary
    /// 32 bytes for each key of the summary.
    private let scalars: SecureBytes

    /// Reads a file, and decrypts its keys.
    /// - Parameters:
    ///   - file: the whole file, at most `maximumFileSize` bytes.
    ///   - password: exact to the byte, in UTF-8. For a key certificate, its six words. Nil only
    ///     for a format that needs none.
    package static func read(
        _ file: borrowing SecureBytes, as format: WalletFormat, password: borrowing SecureBytes?
    ) throws(WalletError) -> WalletFile {
        switch password {
        case .some(let password): return try read(file, as: format, password: password)
        case .none:
            try check(file, format)
            guard !format.needsPassword else { throw .passwordNeeded(format) }
            return try readPlain(file)
        }
    }

    /// Reads a file, and decrypts its keys.
    /// - Parameter password: as above. A format that needs none ignores it.
    package static func read(
        _ file: borrowing SecureBytes, as format: WalletFormat, password: borrowing SecureBytes
    ) throws(WalletError) -> WalletFile {
        try check(file, format)
        guard format.needsPassword else { return try readPlain(file) }
        CurveLibraries.start()
        // Texts and numbers of decrypted keys are read below.
        defer { wipeScratch() }
        if format == .anchorCertificate { return try AnchorCertificate.read(file, password: password) }
        return try file.withBytes { file throws(WalletError) in
            switch format {
            case .keosd: try KeosdWallet.read(file, password: password)
            case .eosc: try EoscVault.read(file, password: password)
            case .anchor: try AnchorBackup.read(file, password: password)
            case .secK1: try EncryptedKey.read(file, password: password)
            case .scatter: try ScatterBackup.read(file, password: password)
            case .anchorCertificate, .cleosCreateKey: throw .libraryFailure
            }
        }
    }

    /// Reads contents that were decrypted before: the list of keosd after the hash, the JSON of
    /// eosc, the list of Anchor, the file of Scatter.
    /// - Parameter password: the seed text of Scatter, for the boxes in its file.
    package static func readContents(
        _ plain: borrowing SecureBytes, as format: WalletFormat, password: borrowing SecureBytes
    ) throws(WalletError) -> WalletFile {
        try check(plain, format)
        CurveLibraries.start()
        defer { wipeScratch() }
        return try plain.withBytes { plain throws(WalletError) in
            switch format {
            case .keosd: try KeosdWallet.keys(plain)
            case .eosc: try EoscVault.keys(in: plain)
            case .anchor: try AnchorBackup.keys(in: plain)
            case .scatter: try ScatterBackup.keys(in: plain, seedText: password)
            case .secK1, .anchorCertificate, .cleosCreateKey: throw .form(format, .noKeys)
            }
        }
    }

    private static func readPlain(_ file: borrowing SecureBytes) throws(WalletError) -> WalletFile {
        CurveLibraries.start()
        defer { wipeScratch() }
        return try file.withBytes { file throws(WalletError) in try CleosKeyFile.read(file) }
    }

    private static func check(_ file: borrowing SecureBytes, _ format: WalletFormat) throws(WalletError) {
        guard file.count <= WalletLimits.fileSize else { throw .limit(.fileSize) }
        guard file.count > 0 else { throw .form(format, .empty) }
    }

    init(summary: WalletSummary, scalars: consuming SecureBytes) {
        self.summary = summary
        self.scalars = scalars
    }

    /// Lends each key of the summary, in its order. The key is derived again and compared again
    /// with its public key, so no fault of the memory gives another key.
    package borrowing func forEachKey(
        _ body: (PublicKey, String?, borrowing PrivateKey) throws -> Void
    ) throws {
        defer { wipeScratch() }
        var memory: SecureBytes? = nil
        for (index, listed) in summary.keys.enumerated() {
            let key = try Self.key(listed.publicKey, at: index, of: scalars, in: memory.take())
            try body(listed.publicKey, listed.label, key)
            memory = key.takeScalar()
        }
    }

    /// - Parameter memory: 32 bytes to reuse, if there are any.
    private static func key(
        _ publicKey: PublicKey, at index: Int, of scalars: borrowing SecureBytes,
        in memory: consuming SecureBytes?
    ) throws(WalletError) -> PrivateKey {
        let start = index * PrivateKey.size
        var scalar = try SecureBytes.forScalar(reusing: memory)
        scalars.withBytes { scalars in
            let source = scalars.extracting(start..<(start + PrivateKey.size))
            scalar.withMutableBytes { $0.copy(source, to: 0) }
        }
        let key = try PrivateKey.decrypted(publicKey.kind == .k1 ? .k1 : .r1, scalar, number: index + 1)
        guard key.publicKey == publicKey else { throw .key(number: index + 1, .mismatch) }
        return key
    }
}

extension PrivateKey {
    /// A key of a file.
    static func decrypted(
        _ curve: Curve, _ scalar: consuming SecureBytes, number: Int
    ) throws(WalletError) -> PrivateKey {
        do { return try PrivateKey(curve: curve, scalar: scalar) } catch {
            switch error {
            case .memory(let error): throw .memory(error)
            default: throw .key(number: number, .scalar(error))
            }
        }
    }
}

extension SecureBytes {
    static func forWallet(count: Int) throws(WalletError) -> SecureBytes {
        do { return try SecureBytes(count: count) } catch { throw .memory(error) }
    }

    /// The memory of one scalar.
    /// - Parameter memory: 32 bytes, if there are any.
    static func forScalar(reusing memory: consuming SecureBytes?) throws(WalletError) -> SecureBytes {
        if let memory { memory } else { try forWallet(count: PrivateKey.size) }
    }
}

extension MutableRawSpan {
    /// Overwrites bytes from `offset` on with all bytes of `source`.
    mutating func copy(_ source: RawSpan, to offset: Int) {
        for index in 0..<source.byteCount { self[byte: offset + index] = source[byte: index] }
    }
}
