import Keys
import SecureMemory
import Signing
import Tokens

/// The tokens that are in use, and the keys in them. If a token fails before it signs, the next
/// token of the entry signs.
package final class TokenKeys {
    /// Something that a person should know.
    package enum Notice {
        /// A token failed, and the next one is used.
        case next(after: TokenURI, TokenError)
        /// The PIN is typed on the token.
        case keypad
        /// After one more wrong PIN, the token locks its PIN.
        case lastTry
    }

    /// Where PINs come from.
    package enum PINSource {
        /// One PIN for all tokens, which is read once.
        case given(() throws -> SecureBytes)
        /// A question for the PIN of a token. Meanwhile, the vault with this custody is unlocked.
        case asked((TokenFacts, KeyCustody) throws -> SecureBytes)
    }

    /// Logins that tokens refused. A PIN is not sent to such a token again.
    package final class Refusals {
        fileprivate var errors: [[UInt8]: TokenError] = [:]

        package init() {}
    }

    private let program: TokenProgram
    private let source: PINSource
    private let refusals: Refusals
    private let custody: KeyCustody
    private let notify: (Notice) -> Void
    private var given: HeldSecret<SecureBytes>?
    /// By the text of its URI without the key.
    private var tokens: [[UInt8]: Token] = [:]
    /// The tokens of each key that was opened, in the order of its entry.
    private var uses: [PublicKey: [TokenURI]] = [:]

    /// - Parameters:
    ///   - custody: wipes the PINs when the vault is locked.
    ///   - refusals: of earlier connections to the same tokens.
    package init(
        _ program: TokenProgram, _ source: PINSource, in custody: KeyCustody = KeyCustody(),
        after refusals: Refusals = Refusals(), notify: @escaping (Notice) -> Void
    ) {
        (self.program, self.source, self.custody) = (program, source, custody)
        (self.refusals, self.notify) = (refusals, notify)
    }

    /// - Parameter pin: of all tokens.
    package convenience init(
        _ program: TokenProgram, pin: consuming SecureBytes, in custody: KeyCustody
    ) throws(VaultError) {
        self.init(program, .given { throw TokenError.needsLogin }, in: custody) { _ in }
        given = try HeldSecret(pin, in: custody)
    }

    deinit { for token in tokens.values { token.session?.close() } }

    // MARK: tokens

    /// One token, whose session can end and be opened again.
    private final class Token {
        let uri: TokenURI
        var session: TokenSession?
        /// Typed for it.
        var pin: HeldSecret<SecureBytes>?
        /// The keys in it, as long as the session is open.
        var keys: [PublicKey: TokenSession.Key] = [:]
        /// Why it failed last.
        var failure: TokenError?
        /// Until then, it is not asked again.
        var pauseEnd = 0.0
        /// True if it made its last signature within `quickTime`. Only then are signatures asked
        /// for before they are needed: a request waits for all before it.
        var isQuick = false

        init(_ uri: TokenURI) { self.uri = uri }

        func close() {
            session?.close()
            (session, keys) = (nil, [:])
        }
    }

    private func token(_ uri: TokenURI) -> Token {
        let uri = uri.withoutKey
        let name = Array(uri.text.utf8)
        let token = tokens[name] ?? Token(uri)
        tokens[name] = token
        return token
    }

    /// How long a token that failed is not asked again, in seconds.
    private static let pause = 60.0

    /// - Parameter hasOthers: true if the key is in another token too.
    private func fail(_ token: Token, _ error: TokenError, hasOthers: Bool) {
        token.close()
        token.failure = error
        if hasOthers || error == .timedOut { token.pauseEnd = Uptime.seconds + Self.pause }
    }

    /// A session with the token of a URI, logged in.
    /// - Parameters:
    ///   - isWritable: true to make and remove keys.
    ///   - other: a token that has the same PIN.
    package func session(
        _ uri: TokenURI, isWritable: Bool = false, like other: TokenURI? = nil
    ) throws -> TokenSession {
        try open(
            token(uri), isWritable: isWritable, known: other.flatMap { token($0).pin }, mayAsk: true)
    }

    private func open(
        _ token: Token, isWritable: Bool = false, known: HeldSecret<SecureBytes>?, mayAsk: Bool
    ) throws -> TokenSession {
        if let session = token.session { return session }
        let session = try TokenSession(token.uri, isWritable: isWritable, by: program)
        do {
            try logIn(token, session, session.token.tries, known: known, mayAsk: mayAsk)
            token.session = session
            return session
        } catch {
            session.close()
            throw error
        }
    }

    private func logIn(
        _ token: Token, _ session: TokenSession, _ tries: TokenFacts.Tries,
        known: HeldSecret<SecureBytes>?, mayAsk: Bool
    ) throws {
        guard session.token.needsLogin else { return }
        guard tries != .locked else { throw TokenError.pinLocked }
        let name = Array(token.uri.text.utf8)
        if let refusal = refusals.errors[name] { throw refusal }
        let secret: HeldSecret<SecureBytes>?
        if session.token.hasKeypad {
            guard mayAsk else { throw TokenError.needsLogin }
            notify(.keypad)
            secret = nil
        } else {
            secret = try pin(of: token, session.token, tries, known: known, mayAsk: mayAsk)
        }
        do throws(TokenError) {
            if let secret {
                try secret.lend { bytes throws(TokenError) in try session.logIn(bytes) }
            } else {
                try session.logInByKeypad()
            }
        } catch {
            refusals.errors[name] = error
            throw error
        }
        token.pin = secret
    }

    private func pin(
        of token: Token, _ facts: TokenFacts, _ tries: TokenFacts.Tries,
        known: HeldSecret<SecureBytes>?, mayAsk: Bool
    ) throws -> HeldSecret<SecureBytes> {
        // The PIN of another token, or one from before, is not tried if it may be wrong.
        if let known = token.pin ?? known {
            guard tries == .all else { throw TokenError.pinAtRisk }
            return known
        }
        switch source {
        case .given(let read):
            // A program must not use up the last try.
            guard tries != .one else { throw TokenError.pinAtRisk }
            let pin = try given ?? HeldSecret(read(), in: custody)
            given = pin
            return pin
        case .asked(let ask):
            guard mayAsk else { throw TokenError.needsLogin }
            if tries == .one { notify(.lastTry) }
            return try HeldSecret(ask(facts, custody), in: custody)
        }
    }

    // MARK: keys

    /// The keys whose tokens were opened.
    package var keys: Set<PublicKey> { Set(uses.keys) }

    /// Opens the token of a key: the first one that works.
    /// - Parameter uris: of a verified entry.
    package func open(_ key: PublicKey, in uris: [TokenURI]) throws {
        try usingFirst(of: uris, for: key, mayAsk: true) { _, _ in }
        uses[key] = uris
    }

    /// Signs with the token of a key that was opened. Nobody is asked: the vault is locked for
    /// other programs meanwhile, and so all of it has a time limit.
    /// - Returns: a signature that was recovered to the key.
    package func sign(_ digest: SigningDigest, with key: PublicKey) throws(TokenError) -> Signature {
        try finish(StartedTokenSignature(digest, key))
    }

    /// Starts a signature. Without an open token, `finish` does it.
    package func start(_ digest: SigningDigest, with key: PublicKey) -> StartedTokenSignature {
        let started = StartedTokenSignature(digest, key)
        guard let uris = uses[key] else { return started }
        for token in uris.lazy.map(token) {
            guard let session = token.session, let object = token.keys[key] else { continue }
            guard token.isQuick else { break }
            started.first = try? session.start(digest, with: object)
            break
        }
        return started
    }

    package func finish(_ started: StartedTokenSignature) throws(TokenError) -> Signature {
        let key = started.key
        guard let uris = uses[key] else { throw .notOpened }
        var attempts = SignatureAttempts(milliseconds: program.milliseconds)
        do {
            var signature: Signature?
            try usingFirst(of: uris, for: key, mayAsk: false) { token, uri throws(TokenError) in
                signature = try sign(started, token, uri, &attempts)
            }
            if let signature { return signature }
            throw TokenError.notOpened
        } catch let error as TokenError { throw error } catch { throw .programFailed }
    }

    /// Uses the first token that works.
    private func usingFirst(
        of uris: [TokenURI], for key: PublicKey, mayAsk: Bool, _ body: (Token, TokenURI) throws -> Void
    ) throws {
        var known: HeldSecret<SecureBytes>?
        var last = TokenError.notOpened
        for (place, uri) in uris.enumerated() {
            let token = token(uri)
            known = known ?? token.pin
            if let failure = token.failure, Uptime.seconds < token.pauseEnd {
                last = failure
                continue
            }
            do throws(any Error) {
                let session = try open(token, known: known, mayAsk: mayAsk)
                known = known ?? token.pin
                token.keys[key] = try token.keys[key] ?? session.key(uri, expecting: key)
                try body(token, uri)
                return
            } catch let error as TokenError where error.allowsFailover {
                fail(token, error, hasOthers: uris.count > 1)
                last = error
                if place + 1 < uris.count { notify(.next(after: token.uri, error)) }
            }
        }
        throw last
    }

    /// In seconds.
    private static let quickTime = 0.05

    private func sign(
        _ started: StartedTokenSignature, _ token: Token, _ uri: TokenURI,
        _ attempts: inout SignatureAttempts
    ) throws(TokenError) -> Signature {
        let key = started.key
        let start = Uptime.seconds
        defer { token.isQuick = Uptime.seconds - start < Self.quickTime }
        while true {
            guard let session = token.session, let object = token.keys[key] else { throw .notOpened }
            do throws(TokenError) {
                return try session.sign(
                    started.digest, with: object, after: started.first.take(), &attempts)
            } catch {
                guard error.isForgottenSession, attempts.mayReopen() else { throw error }
                // The handles of all its keys end with the session.
                token.keys = [:]
                do {
                    try session.reopen()
                    try logIn(token, session, session.triesLeft(), known: nil, mayAsk: false)
                    token.keys[key] = try session.key(uri, expecting: key)
                } catch let error as TokenError { throw error } catch { throw .programFailed }
            }
        }
    }

    // MARK: new keys

    /// Removes a key that was made in a token, and that no entry names. If the process of the
    /// module ended, another one removes it.
    /// - Parameters:
    ///   - objects: nil if the token did not say which objects it made.
    ///   - id, label: of the objects.
    /// - Returns: true if the token does not have the key.
    package func remove(
        _ objects: TokenSession.NewObjects?, id: [UInt8], label: String, from session: TokenSession,
        after error: any Error
    ) -> Bool {
        if let objects, (try? session.remove(objects)) != nil { return true }
        let token = token(session.uri)
        let pin = tokens.values.first { $0.session === session }?.pin
        do {
            token.close()
            let again = try open(token, isWritable: true, known: pin, mayAsk: false)
            if try again.remove(id: id, label: label) > 0 { return true }
        } catch { return false }
        // The token refused to make a key.
        if objects == nil, case .call? = error as? TokenError { return true }
        return false
    }
}

/// A signature that a token may be making.
package final class StartedTokenSignature {
    fileprivate let digest: SigningDigest
    fileprivate let key: PublicKey
    fileprivate var first: TokenSession.Started?

    fileprivate init(_ digest: SigningDigest, _ key: PublicKey) { (self.digest, self.key) = (digest, key) }
}

extension TokenError: VaultFailure {
    package init(vault error: VaultError) { self = .needsLogin }
}

extension TokenURI {
    /// The same token, without the key.
    package var withoutKey: TokenURI {
        var uri = self
        (uri.object, uri.id) = (nil, nil)
        return uri
    }
}
