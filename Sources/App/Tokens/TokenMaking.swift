import Codecs
import Files
import KeyVault
import Keys
import Shell
import Tokens

/// Adds keys in tokens to a vault: `create --token` and `import --token-key`.
struct TokenMaking {
    let options: TokenOptions

    /// Makes a key in a token and adds its entry. If that fails, the key is removed from the token.
    func make(
        _ curve: Curve, in token: TokenURI, label: Label?, into file: Vault, by method: UnlockMethodOptions
    ) throws -> EntryDescription {
        let uri = try options.modules.complete(token)
        let keys = try options.connect()
        let session = try keys.session(uri, isWritable: true)
        let name = label?.text ?? "eosvault"
        let id = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        try session.expectRoom(for: curve, label: name, id: id)
        let unlocked = try method.unlock(file)
        // A stop between the new key and its entry would leave a key that no vault has.
        return try HeldSignals.during {
            var objects: TokenSession.NewObjects?
            do {
                let made = try session.generate(curve, label: name, id: id)
                objects = made
                let key = try session.provenKey(made, curve, id: id)
                return try unlocked.insert(
                    key.publicKey, in: [session.uri(of: key)], label: label, origin: .created)
            } catch {
                // After a commit that may be durable, the entry may exist: then the key stays.
                if case .machine(.commitUncertain)? = error as? VaultError { throw error }
                if !keys.remove(objects, id: id, label: name, from: session, after: error) {
                    Messages.warning(Words.keyLeftInToken(session.uri(of: id).text))
                }
                throw error
            }
        }
    }

    /// Adds an entry for a key that tokens have.
    func add(
        _ uris: [TokenURI], label: Label?, into file: Vault, by method: UnlockMethodOptions
    ) throws -> EntryDescription {
        let keys = try options.connect()
        var first: TokenURI?
        var found: [(key: TokenSession.Key, uri: TokenURI)] = []
        for uri in uris {
            let uri = try options.modules.complete(uri)
            guard uri.selectsKey else { throw TokenError.noKey(uri.text) }
            // Fail-over uses the PIN of the first token, so this shows that they have the same.
            let session = try keys.session(uri, like: first)
            first = first ?? uri
            let key = try session.provenKey(uri)
            guard found.allSatisfy({ $0.key.publicKey == key.publicKey }) else { throw TokenError.otherKey }
            let own = try session.uri(of: key)
            guard found.allSatisfy({ $0.uri != own }) else { throw TokenError.sameToken(own.text) }
            if key.facts.isExtractable != false || key.facts.isSensitive != true {
                Messages.warning(Words.extractableTokenKey)
            }
            found.append((key, own))
        }
        guard let publicKey = found.first?.key.publicKey else { throw TokenError.noKey("") }
        return try method.unlock(file).insert(
            publicKey, in: found.map(\.uri), label: label, origin: .imported)
    }
}

extension UnlockedVault {
    fileprivate borrowing func insert(
        _ key: PublicKey, in uris: [TokenURI], label: Label?, origin: KeyOrigin
    ) throws -> EntryDescription {
        try transaction { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.insert(key, in: uris, label: label, createdAt: Clock.now, origin: origin)
        }
    }
}

extension TokenSession {
    fileprivate func uri(of id: [UInt8]) -> TokenURI {
        var uri = uri
        uri.id = id
        return uri
    }
}

extension TokenURI: ArgumentValue {
    package static func parsed(_ text: String) throws -> TokenURI { try TokenURI(text) }
}
