import Codecs
import Keys
import SecureMemory
import Tokens

/// A private key in PKCS#11 tokens. The details are the URIs of the tokens, each with its module
/// and the key, separated by line feeds. The name is the public key. The sealed byte has no
/// meaning: the seal protects the details.
struct TokenKeyPayload: EntryPayload {
    static let secret: [UInt8] = [1]
    /// The tokens that an entry can list.
    static let maximumTokens = 8

    let curve: Curve

    let secretCounts = secret.count...secret.count
    let maximumDetailCount = maximumTokens * (TokenURI.maximumCount + 1)

    func check(_ secret: RawSpan, of entry: EntryDescription) throws(VaultError) {
        guard let kind = entry.name.publicKey?.kind, kind == (curve == .k1 ? .k1 : .r1),
            !entry.tokens.isEmpty
        else { throw .integrity(.entryDamaged(.key)) }
    }

    func facts(of entry: EntryDescription) -> [EntryFact] {
        PrivateKeyPayload(curve: curve).facts(of: entry)
            + [
                EntryFact(
                    field: "tokens", value: entry.tokens.map(\.text).joined(separator: " "), title: "in token"
                )
            ]
    }

    static func details(_ tokens: [TokenURI]) -> [UInt8] {
        Array(tokens.map(\.text).joined(separator: "\n").utf8)
    }
}

extension EntryDescription {
    /// The tokens that have the private key: from 1 to 8, each with its module and the id or label
    /// of the key. Empty for any other entry.
    package var tokens: [TokenURI] {
        guard case .tokenKey = kind, let text = String(validating: details, as: UTF8.self) else { return [] }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let tokens = lines.compactMap { try? TokenURI(String($0)) }
        guard (1...TokenKeyPayload.maximumTokens).contains(lines.count), tokens.count == lines.count,
            tokens.allSatisfy({ $0.modulePath != nil && $0.selectsKey })
        else { return [] }
        return tokens
    }
}

extension VaultTransaction {
    /// Adds an entry for a private key in tokens.
    /// - Parameter tokens: 1 to 8 URIs, each with the module, the serial number and the id or label
    ///   of the key.
    /// - Throws: the errors of inserting a key; `tooLarge`.
    @discardableResult
    package mutating func insert(
        _ publicKey: PublicKey, in tokens: [TokenURI], label: Label?, createdAt: Int64, origin: KeyOrigin
    ) throws(VaultError) -> EntryDescription {
        guard (1...TokenKeyPayload.maximumTokens).contains(tokens.count),
            let curve: Curve = publicKey.kind == .k1 ? .k1 : publicKey.kind == .r1 ? .r1 : nil
        else { throw .input(.notAKey) }
        let secret: SecureBytes
        do { secret = try SecureBytes(copyingPublic: TokenKeyPayload.secret) } catch { throw .memory(error) }
        return try insert(
            secret, EntryName(publicKey), .tokenKey(curve), details: TokenKeyPayload.details(tokens),
            label: label, createdAt: createdAt, origin: origin)
    }
}
