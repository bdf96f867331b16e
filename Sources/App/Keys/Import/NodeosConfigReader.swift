import Codecs
import Files
import Keys
import SecureMemory
import Shell

/// Reads the `signature-provider` options of nodeos's config.ini:
/// `signature-provider = PUBLIC-KEY=KEY:PRIVATE-KEY` (AntelopeIO/spring,
/// plugins/signature_provider_plugin). Other options are ignored.
///
/// The lines stay in guarded memory: the JSON module and `String` would copy the keys.
struct NodeosConfigReader: KeyFileReader, ~Copyable {
    static let noun = "line"
    private static let option = "signature-provider"
    /// The most bytes of a line.
    private static let limit = 4_096

    private(set) var number = 0
    private var lines: SecretLines

    init(_ file: FileDescriptor) throws(InputFile.Failure) {
        lines = try SecretLines(file: file, limit: Self.limit)
    }

    mutating func next() throws -> KeyFileItem? {
        if number == 0 { try lines.refuseOtherWallet() }
        while let line = try lines.advance() {
            number += 1
            if let item = lines.withLine({ text in Self.item(text, isCut: line == .tooLong) }) { return item }
        }
        return nil
    }

    /// - Parameter isCut: true if the text is only the end of a line that is too long.
    /// - Returns: nil for a line without a key.
    private static func item(_ line: RawSpan, isCut: Bool) -> KeyFileItem? {
        guard !isCut else { return .refused(InputFile.Failure.tooLong(limit: limit)) }
        // Some editors write a byte order mark at the start of a file.
        let text = line.trimmed((line.starts(with: "\u{feff}") ? 3 : 0)..<line.byteCount)
        guard !line.extracting(text).starts(with: "#") else {
            let comment = line.trimmed(text.dropFirst())
            return line.extracting(comment).starts(with: option)
                ? .skipped("a commented-out `signature-provider`") : nil
        }
        guard line.extracting(text).starts(with: option) else {
            let isOld = line.extracting(text).starts(with: "private-key")
            return isOld ? .skipped("`private-key` is an obsolete option") : nil
        }
        let rest = line.trimmed(text.dropFirst(option.utf8.count))
        // Another option's name may begin in the same way.
        guard line.extracting(rest).starts(with: "=") else { return nil }
        // nodeos ends a value at a number sign too (boost, program_options).
        let end = line.firstOffset(ofSeparator: UInt8(ascii: "#"), in: rest) ?? rest.upperBound
        return provider(line.extracting(line.trimmed(rest.lowerBound + 1..<end)))
    }

    /// `PUBLIC-KEY=KEY:PRIVATE-KEY` or `PUBLIC-KEY=KEOSD:URL`.
    private static func provider(_ value: RawSpan) -> KeyFileItem {
        guard let equals = value.firstOffset(ofSeparator: UInt8(ascii: "="), in: 0..<value.byteCount) else {
            return .refused(CommandError.signatureProvider)
        }
        let specification = value.trimmed(equals + 1..<value.byteCount)
        if value.extracting(specification).starts(with: "KEOSD:") { return .skipped("the key is in keosd") }
        guard value.extracting(specification).starts(with: "KEY:") else {
            return .refused(CommandError.signatureProvider)
        }
        do {
            let name = try PublicName(value.extracting(value.trimmed(0..<equals)))
            return .key(try name.key(value.extracting(value.trimmed(specification.dropFirst(4)))))
        } catch { return .refused(error) }
    }
}

/// The public key that a file states for a private key.
struct PublicName {
    private let key: PublicKey

    /// Text that does not begin as a public key may be a private key: it is not copied.
    init(_ text: RawSpan) throws {
        if text.starts(with: "PUB_BLS_") { throw CommandError.blsImport }
        guard text.starts(with: "EOS") || text.starts(with: "PUB_"),
            text.byteCount <= PrivateKey.maximumTextCount
        else { throw CommandError.noPublicKey }
        let characters = String(decoding: (0..<text.byteCount).map { text[byte: $0] }, as: UTF8.self)
        key = try converting({ KeyRefusal(error: $0, kind: .publicKey) }, PublicKey(characters))
    }

    /// The private key in `text`, which must belong to the public key.
    func key(_ text: RawSpan) throws -> NamedKey {
        let key = try PrivateKey.importable(text)
        try expect(key)
        return NamedKey(key: key)
    }

    /// Refuses a private key that does not belong to the public key.
    func expect(_ privateKey: borrowing PrivateKey) throws {
        guard privateKey.publicKey == key else { throw CommandError.keyMismatch }
    }
}

extension RawSpan {
    /// The part of `range` without spaces and tabs at its ends.
    fileprivate func trimmed(_ range: Range<Int>) -> Range<Int> {
        var range = range
        while let first = range.first, isBlank(first) { range = range.dropFirst() }
        while let last = range.last, isBlank(last) { range = range.dropLast() }
        return range
    }

    private func isBlank(_ offset: Int) -> Bool {
        isSeparator(UInt8(ascii: " "), at: offset) || isSeparator(UInt8(ascii: "\t"), at: offset)
    }
}
