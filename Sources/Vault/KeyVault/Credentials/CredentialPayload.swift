import Codecs
import HTTPSigning
import SecureMemory

/// The secret of an API key, for signatures of HTTP requests. Nothing in the entry can be derived
/// from it: the seal alone binds it to the public details.
struct CredentialPayload: EntryPayload {
    let secretCounts = 1...CredentialSecret.maximumCount
    let maximumDetailCount = Credential.maximumCount

    func check(_ secret: RawSpan, of entry: EntryDescription) throws(VaultError) {
        guard secretCounts.contains(secret.byteCount), entry.credential != nil, entry.name.isCredential else {
            throw .integrity(.entryDamaged(.seal))
        }
    }

    func facts(of entry: EntryDescription) -> [EntryFact] {
        let named = EntryFact(field: "name", value: entry.name.text, title: "id")
        guard let credential = entry.credential else { return [named] }
        return [
            named, EntryFact(field: "profile", value: credential.profile.name, title: "profile"),
            EntryFact(
                field: "parameters", value: String(decoding: credential.profile.stored, as: UTF8.self),
                title: "parameters"),
            EntryFact(field: "key_id", value: credential.keyID.text, title: "key id"),
            EntryFact(field: "url_prefix", value: credential.prefix?.text, title: "URL prefix"),
            EntryFact(field: "nonce_unit", value: credential.nonceUnit.rawValue, title: "nonce unit"),
            EntryFact(field: "last_nonce", value: entry.lastNonce.map { "\($0)" }, title: "last nonce"),
        ]
    }
}

extension EntryName {
    private static let credentialStart = "credential:"
    /// In bytes. The name is random: the label is the name for users, which can change.
    private static let credentialIDCount = 8

    /// A new name for a credential.
    static func newCredential() throws(VaultError) -> EntryName {
        let text = credentialStart + Hex.encode(Sodium.randomBytes(credentialIDCount))
        guard let name = EntryName(text) else { throw .input(.keyExists) }
        return name
    }

    var isCredential: Bool { text.hasPrefix(Self.credentialStart) }
}
