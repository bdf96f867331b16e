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
        case asked((TokenFacts, KeyCustody?) throws -> SecureBytes)
    }

    /// A class, because several tokens can have it, and noncopyable memory has one owner.
    private final class PIN {
        let bytes: SecureBytes
        init(_ bytes: consuming SecureBytes) { self.bytes = bytes }
    }

    private struct Use {
        let uris: [TokenURI]
        /// Typed for one of the tokens, which all have the same.
        var pin: PIN?
        var open: Open?
        /// A token did not answer in time: until then, it is not asked again.
        var pauseEnd: Double?
    }

    private struct Open {
        let session: TokenSession
        let key: TokenSession.Key
        /// The place of the token in the entry.
        let place: Int
    }

    private let program: TokenProgram
    private let source: PINSource
    private let notify: (Notice) -> Void
    private var given: PIN?
    private var uses: [PublicKey: Use] = [:]
    /// By the text of the token's URI, with the PIN that logged in.
    private var sessions: [String: (session: TokenSession, pin: PIN?)] = [:]

    package init(_ program: TokenProgram, _ source: PINSource, notify: @escaping (Notice) -> Void) {
        (self.program, self.source, self.notify) = (program, source, notify)
    }

    /// - Parameter pin: of all tokens.
    package convenience init(
        _ program: TokenProgram, pin: consuming SecureBytes, notify: @escaping (Notice) -> Void = { _ in }
    ) {
        self.init(program, .given { throw TokenError.needsLogin }, notify: notify)
        given = PIN(pin)
    }

    deinit { for opened in sessions.values { opened.session.close() } }

    // MARK: sessions

    /// A session with the token of a URI, logged in.
    /// - Parameters:
    ///   - isWritable: true to make and remove keys.
    ///   - other: a session with a token that has the same PIN.
    ///   - custody: of the vault that is unlocked meanwhile.
    package func session(
        _ uri: TokenURI, isWritable: Bool = false, like other: TokenSession? = nil,
        custody: KeyCustody? = nil
    ) throws -> TokenSession {
        let pin = other.flatMap { other in sessions.values.first { $0.session === other }?.pin }
        return try logIn(uri, isWritable: isWritable, known: pin, mayAsk: true, custody).session
    }

    private func logIn(
        _ uri: TokenURI, isWritable: Bool = false, known: PIN?, mayAsk: Bool, _ custody: KeyCustody?
    ) throws -> (session: TokenSession, pin: PIN?) {
        let name = uri.withoutKey.text
        if let opened = sessions[name] { return opened }
        let session = try TokenSession(uri, isWritable: isWritable, by: program)
        do {
            let pin = try logIn(session, session.token.tries, known: known, mayAsk: mayAsk, custody)
            sessions[name] = (session, pin)
            return (session, pin)
        } catch {
            session.close()
            throw error
        }
    }

    private func logIn(
        _ session: TokenSession, _ tries: TokenFacts.Tries, known: PIN?, mayAsk: Bool, _ custody: KeyCustody?
    ) throws -> PIN? {
        let token = session.token
        guard token.needsLogin else { return nil }
        guard tries != .locked else { throw TokenError.pinLocked }
        if token.hasKeypad {
            guard mayAsk else { throw TokenError.needsLogin }
            notify(.keypad)
            try session.logInByKeypad()
            return nil
        }
        let pin = try pin(for: token, tries, known: known, mayAsk: mayAsk, custody)
        try session.logIn(pin.bytes)
        return pin
    }

    private func pin(
        for token: TokenFacts, _ tries: TokenFacts.Tries, known: PIN?, mayAsk: Bool, _ custody: KeyCustody?
    ) throws -> PIN {
        // A PIN that was typed for another token may be wrong for this one.
        if let known {
            guard tries == .all else { throw TokenError.pinAtRisk }
            return known
        }
        switch source {
        case .given(let read):
            // A program must not use up the last try.
            guard tries != .one else { throw TokenError.pinAtRisk }
            let pin = try given ?? PIN(read())
            given = pin
            return pin
        case .asked(let ask):
            guard mayAsk else { throw TokenError.needsLogin }
            if tries == .one { notify(.lastTry) }
            return PIN(try ask(token, custody))
        }
    }

    private func drop(_ session: TokenSession) {
        session.close()
        sessions = sessions.filter { $0.value.session !== session }
    }

    // MARK: keys

    /// Opens the token of a key: the first one that works.
    /// - Parameters:
    ///   - uris: of a verified entry.
    ///   - custody: of the vault that is unlocked meanwhile.
    package func open(_ key: PublicKey, in uris: [TokenURI], custody: KeyCustody?) throws {
        var use = Use(uris: uris)
        try connect(&use, to: key, from: 0, mayAsk: true, custody)
        uses[key] = use
    }

    /// The keys whose tokens were opened.
    package var keys: Set<PublicKey> { Set(uses.keys) }

    private func connect(
        _ use: inout Use, to key: PublicKey, from first: Int, mayAsk: Bool, _ custody: KeyCustody? = nil
    ) throws {
        for place in first..<use.uris.count {
            let uri = use.uris[place]
            do {
                let (session, pin) = try logIn(uri, known: use.pin, mayAsk: mayAsk, custody)
                use.pin = pin
                let found = try session.key(uri, expecting: key)
                use.open = Open(session: session, key: found, place: place)
                return
            } catch let error as TokenError where error.allowsFailover && place + 1 < use.uris.count {
                if let failed = sessions[uri.withoutKey.text] { drop(failed.session) }
                notify(.next(after: uri.withoutKey, error))
            }
        }
    }

    /// How long a token that did not answer in time is not asked again, in seconds.
    private static let pause = 60.0
    /// How often a session is opened again if the token forgets it before it signs.
    private static let maximumReopenings = 3

    /// Signs with the token of a key that was opened. Nobody is asked: the vault is locked for
    /// other programs meanwhile.
    /// - Returns: a signature that was recovered to the key.
    package func sign(_ digest: SigningDigest, with key: PublicKey) throws(TokenError) -> Signature {
        guard var use = uses[key] else { throw .notOpened }
        guard use.pauseEnd.map({ Uptime.seconds >= $0 }) ?? true else { throw .timedOut }
        defer { uses[key] = use }
        do throws(TokenError) { return try sign(digest, with: key, &use) } catch {
            use.pauseEnd = error == .timedOut ? Uptime.seconds + Self.pause : nil
            throw error
        }
    }

    private func sign(
        _ digest: SigningDigest, with key: PublicKey, _ use: inout Use
    ) throws(TokenError) -> Signature {
        var (reopenings, made) = (0, -1)
        while true {
            if use.open == nil { try reconnect(&use, to: key, from: 0) }
            guard let open = use.open else { throw .notOpened }
            do throws(TokenError) { return try open.session.sign(digest, with: open.key) } catch {
                if open.session.madeCount != made { reopenings = 0 }
                if error.isForgottenSession, reopenings < Self.maximumReopenings {
                    (reopenings, made) = (reopenings + 1, open.session.madeCount)
                    if let again = reopened(open, of: key, with: use) {
                        use.open = again
                        continue
                    }
                }
                guard error.allowsFailover else { throw error }
                drop(open.session)
                use.open = nil
                guard open.place + 1 < use.uris.count else { throw error }
                notify(.next(after: open.session.uri, error))
                try reconnect(&use, to: key, from: open.place + 1)
            }
        }
    }

    private func reconnect(_ use: inout Use, to key: PublicKey, from place: Int) throws(TokenError) {
        do { try connect(&use, to: key, from: place, mayAsk: false) } catch let error as TokenError {
            throw error
        } catch { throw .programFailed }
    }

    /// The same token after it ended its session.
    private func reopened(_ open: Open, of key: PublicKey, with use: Use) -> Open? {
        do {
            try open.session.reopen()
            let tries = try open.session.triesLeft()
            _ = try logIn(open.session, tries, known: use.pin, mayAsk: false, nil)
            let found = try open.session.key(use.uris[open.place], expecting: key)
            return Open(session: open.session, key: found, place: open.place)
        } catch { return nil }
    }

    // MARK: new keys

    /// Removes a key that was made in a token, and that no entry names. If the process of the
    /// module ended, another one removes it.
    /// - Parameter objects: nil if the token did not say which objects it made.
    /// - Returns: true if the token does not have the key.
    package func remove(
        _ objects: TokenSession.NewObjects?, id: [UInt8], from session: TokenSession, after error: any Error
    ) -> Bool {
        if let objects, (try? session.remove(objects)) != nil { return true }
        do {
            let known = sessions.values.first { $0.session === session }?.pin
            drop(session)
            let again = try logIn(session.uri, isWritable: true, known: known, mayAsk: false, nil)
            if try again.session.remove(id: id) > 0 { return true }
        } catch { return false }
        // The token refused to make a key.
        if objects == nil, case .call? = error as? TokenError { return true }
        return false
    }
}

extension TokenURI {
    /// The same token, without the key.
    package var withoutKey: TokenURI {
        var uri = self
        (uri.object, uri.id) = (nil, nil)
        return uri
    }
}
