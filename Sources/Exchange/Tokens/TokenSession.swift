import Codecs
import Keys
import SecureMemory

/// A session with one token, in a channel of `eosvault-token` of its own.
package final class TokenSession {
    private let program: TokenProgram
    private let channel: UInt32
    package let token: TokenFacts
    private let module: String
    private let isWritable: Bool
    /// What was started before the last opening has other handles.
    private var openings = 0

    /// The tokens of a module that match a URI.
    package static func tokens(
        of uri: TokenURI, by program: TokenProgram
    ) throws(TokenError) -> (channel: UInt32, tokens: [TokenFacts]) {
        guard let module = uri.modulePath else { throw .module(.notGiven) }
        let channel = program.newChannel()
        do throws(TokenError) {
            _ = try program.perform(.load(module: module, milliseconds: program.milliseconds), on: channel)
            let bytes = try program.perform(.list, on: channel)
            guard let tokens = try? TokenFacts.all(in: bytes) else { throw .invalidAnswer("C_GetTokenInfo") }
            return (channel, tokens.filter { $0.matches(uri) })
        } catch {
            program.end(channel)
            throw error
        }
    }

    private init(opened token: TokenFacts, _ uri: TokenURI, on channel: UInt32, by program: TokenProgram) {
        (self.program, self.channel, self.token) = (program, channel, token)
        (module, isWritable) = (uri.modulePath ?? "", false)
    }

    /// Opens a session with the only token that matches a URI.
    /// - Parameter isWritable: true to make and remove keys.
    package init(_ uri: TokenURI, isWritable: Bool = false, by program: TokenProgram) throws(TokenError) {
        let (channel, all) = try Self.tokens(of: uri, by: program)
        do throws(TokenError) {
            let tokens = all.filter(\.isInitialised)
            guard let token = tokens.first else { throw .noToken(uri.text) }
            guard tokens.count == 1 else { throw .severalTokens(uri.text, count: tokens.count) }
            (self.program, self.channel, self.token) = (program, channel, token)
            (module, self.isWritable) = (uri.modulePath ?? "", isWritable)
            try reopen()
        } catch {
            program.end(channel)
            throw error
        }
    }

    /// Opens the session again, after the token has ended it. Objects have other handles then.
    package func reopen() throws(TokenError) {
        openings += 1
        _ = try perform(.open(slot: token.slot, isWritable: isWritable))
    }

    /// Logs out, and ends the process of the module.
    package func close() { program.end(channel) }

    /// The URI of this token.
    package var uri: TokenURI { token.uri(module: module) }

    private func perform(_ request: TokenRequest) throws(TokenError) -> [UInt8] {
        try program.perform(request, on: channel)
    }

    // MARK: login

    /// In bytes.
    package static let pinCounts = 1...255

    package func logIn(_ pin: borrowing SecureBytes) throws(TokenError) {
        guard Self.pinCounts.contains(pin.count) else { throw .pinLength }
        do throws(TokenError) { try program.logIn(pin, on: channel) } catch .wrongPIN {
            throw .wrongPIN(try triesLeft())
        }
    }

    /// Logs in with a PIN that is typed on the token.
    package func logInByKeypad() throws(TokenError) { _ = try perform(.login(pinCount: 0)) }

    /// How many wrong PINs the token still accepts now.
    package func triesLeft() throws(TokenError) -> TokenFacts.Tries {
        let bytes = try perform(.list)
        let tokens = (try? TokenFacts.all(in: bytes)) ?? []
        return tokens.first { $0.slot == token.slot }?.tries ?? .all
    }

    // MARK: keys

    /// A private key in the token.
    package struct Key: Sendable {
        package let object: UInt64
        package let publicKey: PublicKey
        package let facts: TokenObject
    }

    /// The private key that a URI selects.
    /// - Parameter expected: the public key that an entry has.
    package func key(_ uri: TokenURI, expecting expected: PublicKey) throws(TokenError) -> Key {
        let (object, facts) = try selected(by: uri)
        guard try publicKeys(of: facts).contains(expected) else { throw .otherKey }
        return Key(object: object, publicKey: expected, facts: facts)
    }

    /// The private key that a URI selects, after it has signed.
    package func provenKey(_ uri: TokenURI) throws(TokenError) -> Key {
        let (object, facts) = try selected(by: uri)
        return try proven(object, facts)
    }

    /// The only private key that a URI selects.
    private func selected(by uri: TokenURI) throws(TokenError) -> (object: UInt64, facts: TokenObject) {
        let objects = try find(.privateKey, id: uri.id, label: uri.object.map { Array($0.utf8) })
        guard let object = objects.first else { throw .noKey(uri.text) }
        guard objects.count == 1 else { throw .severalKeys(uri.text, count: objects.count) }
        return (object, try self.object(object))
    }

    /// The public keys that the token states for a private key. Most tokens state the point with
    /// the public key only, and another public key can have the same id.
    private func publicKeys(of facts: TokenObject) throws(TokenError) -> [PublicKey] {
        var points = [facts]
        if !facts.id.isEmpty {
            for other in try find(.publicKey, id: facts.id, label: nil) {
                points.append(try self.object(other))
            }
        }
        var keys: [PublicKey] = []
        for point in points {
            let parameters = point.parameters.isEmpty ? facts.parameters : point.parameters
            let key = try? PublicKey(ellipticPoint: point.point, parameters: parameters)
            if let key, !keys.contains(key) { keys.append(key) }
        }
        guard !keys.isEmpty else { throw .invalidKey }
        return keys
    }

    /// The URI of a key for an entry of a vault. It selects this key only.
    /// - Throws: `noKey`, `severalKeys`, `uriTooLong`.
    package func uri(of key: Key) throws(TokenError) -> TokenURI {
        let uri = key.facts.uri(in: uri, withLabel: true)
        guard uri.text.utf8.count <= TokenURI.maximumCount else { throw .uriTooLong }
        guard try selected(by: uri).object == key.object else { throw .noKey(uri.text) }
        return uri
    }

    private func find(
        _ kind: TokenObjectClass, id: [UInt8]?, label: [UInt8]?
    ) throws(TokenError) -> [UInt64] {
        let bytes = try perform(.find(kind, id: id, label: label))
        guard bytes.count.isMultiple(of: 8) else { throw .invalidAnswer("C_FindObjects") }
        return stride(from: 0, to: bytes.count, by: 8).map { Self.number(bytes[$0..<$0 + 8]) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func object(_ object: UInt64) throws(TokenError) -> TokenObject {
        let bytes = try perform(.object(object))
        guard let facts = try? TokenObject(bytes) else { throw .invalidAnswer("C_GetAttributeValue") }
        return facts
    }

    // MARK: new keys

    /// The objects of a new key: the public and the private one.
    package struct NewObjects: Sendable { fileprivate let publicKey, privateKey: UInt64 }

    /// - Throws: `makesNoKeys`, `noMechanism`, `uriTooLong`.
    package func expectRoom(for curve: Curve, label: String, id: [UInt8]) throws(TokenError) {
        guard token.makesKeys else { throw .makesNoKeys }
        guard token.signs else { throw .noMechanism(curve) }
        var uri = uri
        (uri.object, uri.id) = (label, id)
        guard uri.text.utf8.count <= TokenURI.maximumCount else { throw .uriTooLong }
    }

    /// Makes a key pair: sensitive and not extractable. If this throws, the token may have the key.
    package func generate(_ curve: Curve, label: String, id: [UInt8]) throws(TokenError) -> NewObjects {
        let made = try perform(.generate(curve, label: Array(label.utf8), id: id))
        guard made.count == 16 else { throw .invalidAnswer("C_GenerateKeyPair") }
        return NewObjects(publicKey: Self.number(made[..<8]), privateKey: Self.number(made[8...]))
    }

    /// The key of new objects, after its attributes were read back and it has signed.
    package func provenKey(
        _ objects: NewObjects, _ curve: Curve, id: [UInt8]
    ) throws(TokenError) -> Key {
        let facts = try object(objects.privateKey)
        guard facts.id == id else { throw .otherID }
        guard facts.isSensitive == true, facts.isExtractable == false else { throw .extractableKey }
        let key = try proven(objects.privateKey, facts)
        guard key.publicKey.kind == (curve == .k1 ? .k1 : .r1) else { throw .invalidKey }
        return key
    }

    package func remove(_ objects: NewObjects) throws(TokenError) {
        for object in [objects.privateKey, objects.publicKey] { _ = try perform(.remove(object)) }
    }

    /// Removes the objects of a new key. A module may answer with objects that were not asked for,
    /// so each is read back.
    /// - Returns: how many there were.
    package func remove(id: [UInt8], label: String) throws(TokenError) -> Int {
        var count = 0
        for kind in [TokenObjectClass.privateKey, .publicKey] {
            let objects = try find(kind, id: id, label: Array(label.utf8))
            guard objects.count <= 1 else { throw .severalKeys(label, count: objects.count) }
            for object in objects {
                let facts = try self.object(object)
                guard facts.id == id, facts.label == Array(label.utf8) else {
                    throw .invalidAnswer("C_FindObjects")
                }
                _ = try perform(.remove(object))
                count += 1
            }
        }
        return count
    }

    // MARK: signatures

    /// A key that signs as nodes require, shown by signatures that no chain accepts.
    private func proven(_ object: UInt64, _ facts: TokenObject) throws(TokenError) -> Key {
        guard facts.needsPINForEach != true else { throw .pinForEachSignature }
        var last = TokenError.invalidKey
        for publicKey in try publicKeys(of: facts) {
            guard token.signs else { throw .noMechanism(publicKey.kind == .k1 ? .k1 : .r1) }
            let key = Key(object: object, publicKey: publicKey, facts: facts)
            do throws(TokenError) {
                try trySigning(key)
                return key
            } catch {
                guard error == .wrongSignature else { throw error }
                last = error
            }
        }
        throw last
    }

    /// The first K1 signature of a token is not canonical for half of the texts. Of a token whose
    /// nonces are not random, it is the only one.
    private func trySigning(_ key: Key) throws(TokenError) {
        // One time limit for all: a person waits, and a stop of the program is held back.
        let deadline = Uptime.seconds + Double(program.milliseconds) / 1000 * 4
        for number in 0..<16 as Range<UInt8> {
            var attempts = SignatureAttempts(milliseconds: program.milliseconds)
            let text = Array("eosvault tries a key of a token".utf8) + [number]
            _ = try sign(SigningDigest(sha256: text), with: key, &attempts)
            guard Uptime.seconds < deadline else { throw .timedOut }
        }
    }

    /// A signature that was asked for.
    package struct Started {
        fileprivate let digest: SigningDigest
        fileprivate let object: UInt64
        fileprivate let session: TokenSession
        fileprivate let opening: Int
        fileprivate let ticket: TokenProgram.Ticket
    }

    /// Asks for signatures. The token works while the program does something else.
    package func start(_ digest: SigningDigest, with key: Key) throws(TokenError) -> Started {
        let curve: Curve = key.publicKey.kind == .k1 ? .k1 : .r1
        let request = TokenRequest.sign(key: key.object, curve, digest: digest.bytes)
        return Started(
            digest: digest, object: key.object, session: self, opening: openings,
            ticket: try program.send(request, on: channel))
    }

    /// Signs until the signature is canonical, and recovers the key from it.
    /// - Parameter started: the first try, if it was started. It is dropped if it is of another
    ///   digest, key or session.
    /// - Throws: `repeatsSignature`, `noCanonicalSignature`, `wrongSignature`, `timedOut`.
    package func sign(
        _ digest: SigningDigest, with key: Key, after started: Started? = nil,
        _ attempts: inout SignatureAttempts
    ) throws(TokenError) -> Signature {
        var started = started.flatMap { started in
            let isOfSession = started.session === self && started.opening == openings
            return isOfSession && started.digest == digest && started.object == key.object ? started : nil
        }
        while true {
            if started == nil { started = try start(digest, with: key) }
            guard let ticket = started.take()?.ticket else { throw .programFailed }
            let made = try program.answer(to: ticket)
            let counts = 1...TokenRequest.maximumSignatures
            guard made.count.isMultiple(of: 64), counts.contains(made.count / 64) else {
                throw .invalidAnswer("C_Sign")
            }
            for start in stride(from: 0, to: made.count, by: 64) {
                let numbers = Array(made[start..<start + 64])
                do throws(CurveError) {
                    if let signature = try Signature(numbers: numbers, of: key.publicKey, over: digest) {
                        return signature
                    }
                } catch { throw .wrongSignature }
                try attempts.refuse(numbers)
            }
        }
    }
}

/// A token, and its public keys of the curves of Antelope.
package struct ListedToken: Sendable {
    package let token: TokenFacts
    package let uri: TokenURI
    package let keys: [(uri: TokenURI, publicKey: PublicKey)]
}

extension TokenSession {
    /// The tokens of a module that are present. None is opened.
    package static func present(
        in module: String, by program: TokenProgram
    ) throws(TokenError) -> [TokenFacts] {
        var uri = TokenURI()
        uri.modulePath = module
        let (channel, tokens) = try tokens(of: uri, by: program)
        program.end(channel)
        return tokens
    }

    /// The tokens that match a URI, with the public keys that they show without a PIN.
    package static func listed(_ uri: TokenURI, by program: TokenProgram) throws(TokenError) -> [ListedToken]
    {
        let (channel, tokens) = try tokens(of: uri, by: program)
        defer { program.end(channel) }
        var listed: [ListedToken] = []
        for token in tokens {
            let own = token.uri(module: uri.modulePath ?? "")
            var keys: [(uri: TokenURI, publicKey: PublicKey)] = []
            if token.isInitialised {
                let session = try TokenSession(token, own, on: channel, by: program)
                for object in try session.find(.publicKey, id: nil, label: nil) {
                    let facts = try session.object(object)
                    let key = try? PublicKey(ellipticPoint: facts.point, parameters: facts.parameters)
                    if let key { keys.append((facts.uri(in: own), key)) }
                }
            }
            listed.append(ListedToken(token: token, uri: own, keys: keys))
        }
        return listed
    }

    private convenience init(
        _ token: TokenFacts, _ uri: TokenURI, on channel: UInt32, by program: TokenProgram
    ) throws(TokenError) {
        self.init(opened: token, uri, on: channel, by: program)
        _ = try perform(.open(slot: token.slot, isWritable: false))
    }
}

extension TokenObject {
    /// The URI of the object in a token.
    /// - Parameter withLabel: true to have its label too if it has an id.
    package func uri(in token: TokenURI, withLabel: Bool = false) -> TokenURI {
        var uri = token
        if !id.isEmpty {
            uri.id = id
            guard withLabel else { return uri }
        }
        let text = String(validating: label, as: UTF8.self) ?? ""
        let isPrintable = !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
        if !text.isEmpty, isPrintable { uri.object = text }
        return uri
    }
}
