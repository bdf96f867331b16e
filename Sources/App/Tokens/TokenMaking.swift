import Codecs
import KeyVault
import Keys
import SecureMemory
import Shell
import Tokens

/// Adds keys in tokens to a vault: `create --token` and `import --token-key`.
struct TokenMaking {
    let options: TokenOptions
    /// --module, for URIs without `module-path`.
    let module: String?

    /// The URI with its module.
    private func complete(_ uri: TokenURI) throws -> TokenURI {
        var uri = uri
        if let module {
            guard uri.modulePath == nil || uri.modulePath == module else {
                throw WrongArgument(error: TokenModuleTwice())
            }
            uri.modulePath = module
        }
        guard uri.modulePath != nil else { throw TokenError.module(.notGiven) }
        return uri
    }

    /// Makes a key in a token and adds its entry. If that fails, the key is removed from the token.
    func make(
        _ curve: Curve, in token: TokenURI, label: Label?, into file: Vault, by method: UnlockMethodOptions
    ) throws -> EntryDescription {
        let uri = try complete(token)
        let keys = TokenKeys(try options.connect(), pin: options.readPIN)
        let session = try keys.session(uri, isWritable: true)
        let unlocked = try method.unlock(file)
        let id = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        let key = try session.makeKey(curve, label: label?.text ?? "eosvault", id: id)
        do {
            try Self.trySigning(key, session)
            return try Self.insert(
                key.publicKey, [Self.uri(of: key, session)], label: label, origin: .created, into: unlocked)
        } catch {
            // After a commit that may be durable, the entry may exist: then the key stays.
            if case .machine(.commitUncertain)? = error as? VaultError { throw error }
            keys.remove(key, from: session)
            throw error
        }
    }

    /// Adds an entry for a key that tokens have.
    func add(
        _ uris: [TokenURI], label: Label?, into file: Vault, by method: UnlockMethodOptions
    ) throws -> EntryDescription {
        let keys = TokenKeys(try options.connect(), pin: options.readPIN)
        var found: [(key: TokenSession.Key, uri: TokenURI)] = []
        for uri in uris {
            let uri = try complete(uri)
            guard uri.selectsKey else { throw TokenError.noKey(uri.text) }
            let session = try keys.session(uri)
            let key = try session.key(uri)
            guard found.allSatisfy({ $0.key.publicKey == key.publicKey }) else { throw TokenError.otherKey }
            try Self.trySigning(key, session)
            if key.facts.isExtractable != false || key.facts.isSensitive != true {
                Messages.warning(Words.extractableTokenKey)
            }
            found.append((key, Self.uri(of: key, session)))
        }
        guard let first = found.first else { throw TokenError.noKey("") }
        let unlocked = try method.unlock(file)
        return try Self.insert(
            first.key.publicKey, found.map(\.uri), label: label, origin: .imported, into: unlocked)
    }

    /// A signature that no chain accepts shows whether the token signs as nodes require.
    /// The first K1 signature of a token is not canonical for half of the texts. Of a token whose
    /// nonces are not random, it is the only one.
    private static func trySigning(_ key: TokenSession.Key, _ session: TokenSession) throws(TokenError) {
        guard session.token.signs else {
            throw .noMechanism(key.publicKey.kind == .k1 ? .k1 : .r1)
        }
        for number in 0..<16 as Range<UInt8> {
            let text = Array("eosvault tries a key of a token".utf8) + [number]
            _ = try session.sign(SigningDigest(sha256: text), with: key)
        }
    }

    private static func uri(of key: TokenSession.Key, _ session: TokenSession) -> TokenURI {
        key.facts.uri(in: session.uri)
    }

    private static func insert(
        _ key: PublicKey, _ uris: [TokenURI], label: Label?, origin: KeyOrigin,
        into vault: borrowing UnlockedVault
    ) throws -> EntryDescription {
        try vault.transaction { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.insert(key, in: uris, label: label, createdAt: Clock.now, origin: origin)
        }
    }
}

/// --module and `module-path` differ.
struct TokenModuleTwice: WordedError {
    var words: Words { Words(.usage, "--module and `module-path` of the URI name two modules") }
}

extension TokenURI: ArgumentValue {
    package static func parsed(_ text: String) throws -> TokenURI { try TokenURI(text) }
}
