import Codecs

extension PublicKey {
    /// Parses `EOS…`, `PUB_K1_…`, `PUB_R1_…` or `PUB_WA_…`.
    package init(_ text: some StringProtocol) throws(KeyTextError) {
        let text = String(text)
        try checkPrintable(text.utf8)
        if let rest = text.dropping(prefix: Kind.legacyPrefix) {
            let body = try Checksum.verify(base58: rest, suffix: "", others: ["K1"])
            try self.init(parsed: .k1, body)
            return
        }
        guard let (kind, rest) = try kindAndBody(of: text, prefix: "PUB_") else {
            throw Self.otherThing(text)
        }
        let others = Kind.allCases.map(\.suffix).filter { $0 != kind.suffix } + [""]
        try self.init(parsed: kind, Checksum.verify(base58: rest, suffix: kind.suffix, others: others))
    }

    private init(parsed kind: Kind, _ body: [UInt8]) throws(KeyTextError) {
        do { try self.init(kind: kind, body: body) } catch { throw KeyTextError(error) }
    }

    /// Recognises other kinds of text that were given instead of a public key.
    private static func otherThing(_ text: String) -> KeyTextError {
        if looksLikePrivateKey(text) { return .privateKeyGiven }
        if text.hasPrefix("FIO") { return .fioPublicKey }
        return .unknownPrefix(expected: [Kind.legacyPrefix, "PUB_"])
    }

    /// `PUB_K1_…`, `PUB_R1_…`, `PUB_WA_…`.
    package var canonicalText: String { "PUB_\(kind.suffix)_" + Checksum.text(body, suffix: kind.suffix) }

    /// `EOS…`; nil for other kinds than K1.
    package var legacyText: String? {
        kind == .k1 ? Kind.legacyPrefix + Checksum.text(body, suffix: "") : nil
    }

    /// The spelling of nodeos, which is also the vault's name for a key: `EOS…` for K1, otherwise
    /// the canonical form.
    package var text: String { knownText.value { legacyText ?? canonicalText } }
}

extension Signature {
    /// Parses `SIG_K1_…`, `SIG_R1_…` or `SIG_WA_…`.
    package init(_ text: some StringProtocol) throws(KeyTextError) {
        let text = String(text)
        try checkPrintable(text.utf8)
        guard let (kind, rest) = try kindAndBody(of: text, prefix: "SIG_") else {
            throw looksLikePrivateKey(text) ? .privateKeyGiven : .unknownPrefix(expected: ["SIG_"])
        }
        let others = PublicKey.Kind.allCases.map(\.suffix).filter { $0 != kind.suffix }
        let body = try Checksum.verify(base58: rest, suffix: kind.suffix, others: others)
        do { try self.init(kind: kind, body: body) } catch { throw KeyTextError(error) }
    }

    /// `SIG_K1_…`, `SIG_R1_…`, `SIG_WA_…`.
    package var text: String { "SIG_\(kind.suffix)_" + Checksum.text(body, suffix: kind.suffix) }
}

extension PublicKey.Kind: CaseIterable {
    public static let allCases: [PublicKey.Kind] = [.k1, .r1, .webAuthn]

    static let legacyPrefix = "EOS"

    /// The curve's name in text, which is also hashed into the checksum.
    package var suffix: String {
        switch self {
        case .k1: "K1"
        case .r1: "R1"
        case .webAuthn: "WA"
        }
    }
}

/// The kind and the base58 part of `PREFIX_KIND_base58`, or nil for text with another prefix.
private func kindAndBody(of text: String, prefix: String) throws(KeyTextError) -> (PublicKey.Kind, KeyBody)? {
    guard text.hasPrefix(prefix) else { return nil }
    for kind in PublicKey.Kind.allCases {
        if let rest = text.dropping(prefix: prefix + kind.suffix + "_") { return (kind, rest) }
    }
    throw .unknownCurve(expected: PublicKey.Kind.allCases.map(\.suffix))
}

/// Throws unless the text is printable ASCII without spaces. The error has the offset of the first
/// other byte.
func checkPrintable(_ text: String.UTF8View) throws(KeyTextError) {
    guard !text.isEmpty else { throw .empty }
    for (offset, byte) in text.enumerated() where !(0x21...0x7e).contains(byte) {
        throw .unexpectedCharacter(offset: offset)
    }
}

extension KeyTextError {
    init(_ error: CurveError) {
        self =
            switch error {
            case .bytes, .wrongLength: .wrongLength
            case .memory(let memory): .memory(memory)
            default: .curve(error)
            }
    }
}

extension String {
    /// The text after a prefix; nil if the text does not have it. The prefix is compared byte by
    /// byte.
    fileprivate func dropping(prefix: String) -> KeyBody? {
        guard utf8.starts(with: prefix.utf8) else { return nil }
        return KeyBody(characters: self[...].utf8.dropFirst(prefix.utf8.count), offset: prefix.utf8.count)
    }
}
