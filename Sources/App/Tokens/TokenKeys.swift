import KeyVault
import Keys
import SecureMemory
import Shell
import Signing
import Tokens

/// The tokens that are open for one command, and the keys in them. If a token fails before it
/// signs, the next token of the entry signs.
package final class TokenKeys: TokenSigner {
    /// A class, because a dictionary can't contain noncopyable memory.
    private final class PIN {
        let bytes: SecureBytes
        init(_ bytes: consuming SecureBytes) { self.bytes = bytes }
    }

    private struct Open {
        let session: TokenSession
        let key: TokenSession.Key
        let pin: PIN?
        let uri: TokenURI
        /// The tokens of the entry that were not tried.
        let rest: ArraySlice<TokenURI>
    }

    private let program: TokenProgram
    private let readPIN: (TokenFacts) throws -> SecureBytes
    private var keys: [PublicKey: Open] = [:]
    /// By the URI of the token.
    private var sessions: [String: (session: TokenSession, pin: PIN?)] = [:]

    package init(_ program: TokenProgram, pin: @escaping (TokenFacts) throws -> SecureBytes) {
        (self.program, readPIN) = (program, pin)
    }

    /// Opens a session with the token of a URI, and logs in.
    /// - Parameter known: the PIN of another token with the same key.
    package func session(_ uri: TokenURI, isWritable: Bool = false) throws -> TokenSession {
        try logIn(uri, isWritable: isWritable, known: nil).session
    }

    private func logIn(
        _ uri: TokenURI, isWritable: Bool = false, known: PIN?
    ) throws -> (session: TokenSession, pin: PIN?) {
        let name = uri.withoutKey.text
        if let opened = sessions[name] { return opened }
        let session = try TokenSession(uri, isWritable: isWritable, by: program)
        var pin = known
        if session.token.needsLogin {
            if session.token.hasKeypad {
                Messages.note(Words.typedOnToken)
                try session.logInByKeypad()
                pin = nil
            } else if pin == nil {
                if session.token.tries == .locked { throw TokenError.pinLocked }
                if session.token.tries == .one { Messages.warning(Words.lastTokenTry) }
                pin = PIN(try readPIN(session.token))
            }
            if let pin { try session.logIn(pin.bytes) }
        }
        let opened = (session, pin)
        sessions[name] = opened
        return opened
    }

    /// Opens the token of a key of the vault: the first one that works.
    package func open(_ key: KeyDescription) throws {
        let uris = try key.tokens.map { text throws(TokenURIError) in try TokenURI(text) }
        keys[key.publicKey] = try open(key.publicKey, uris[...], known: nil)
    }

    private func open(_ key: PublicKey, _ uris: ArraySlice<TokenURI>, known: PIN?) throws -> Open {
        guard let uri = uris.first else { throw TokenError.noToken("") }
        do {
            let (session, pin) = try logIn(uri, known: known)
            let found = try session.key(uri)
            guard found.publicKey == key else { throw TokenError.otherKey }
            return Open(session: session, key: found, pin: pin, uri: uri, rest: uris.dropFirst())
        } catch let error as TokenError where error.allowsFailover && uris.count > 1 {
            Messages.warning(Words.nextToken(uri.withoutKey.text, error.words.message))
            return try open(key, uris.dropFirst(), known: known)
        }
    }

    /// How often a session that a token forgets is opened again for one digest.
    private static let maximumReopenings = 64

    /// Signs with the token of a key that was opened. The PIN of another token with this key is the
    /// same: no question can be asked while the vault is changed.
    package func sign(_ digest: SigningDigest, with key: PublicKey) throws(TokenError) -> Signature {
        var reopenings = 0
        while true {
            guard let open = keys[key] else { throw .noKey(key.text) }
            do throws(TokenError) {
                return try open.session.sign(digest, with: open.key)
            } catch {
                let forgot = error.isForgottenSession && reopenings < Self.maximumReopenings
                guard forgot || error.allowsFailover && !open.rest.isEmpty else { throw error }
                sessions = sessions.filter { $0.value.session !== open.session }
                if forgot {
                    reopenings += 1
                } else {
                    Messages.warning(Words.nextToken(open.session.uri.text, error.words.message))
                }
                keys[key] = try reopen(open, of: key, atNext: !forgot)
            }
        }
    }

    private func reopen(_ open: Open, of key: PublicKey, atNext: Bool) throws(TokenError) -> Open {
        let uris = atNext ? Array(open.rest) : [open.uri] + open.rest
        do { return try self.open(key, uris[...], known: open.pin) } catch let error as TokenError {
            throw error
        } catch { throw .programFailed }
    }

    /// Removes a key that was just made, because no entry was added for it. If the process of the
    /// module ended, another one removes it.
    func remove(_ key: TokenSession.Key, from session: TokenSession) {
        if (try? session.remove(id: key.facts.id)) != nil { return }
        let name = session.uri.text
        let pin = sessions[name]?.pin ?? sessions.values.first { $0.session === session }?.pin
        sessions = sessions.filter { $0.value.session !== session }
        do {
            try logIn(session.uri, isWritable: true, known: pin).session.remove(id: key.facts.id)
        } catch { Messages.warning(Words.keyLeftInToken(key.facts.uri(in: session.uri).text)) }
    }
}

extension TokenURI {
    /// The same token, without the key.
    var withoutKey: TokenURI {
        var uri = self
        (uri.object, uri.id) = (nil, nil)
        return uri
    }
}
