import Codecs
import Keys
import SecureMemory

/// A session with one token, in a channel of `eosvault-token` of its own.
package final class TokenSession {
    private let program: TokenProgram
    private let channel: UInt8
    package let token: TokenFacts
    private let module: String

    /// The tokens of a module that match a URI.
    package static func tokens(
        of uri: TokenURI, by program: TokenProgram
    ) throws(TokenError) -> (channel: UInt8, tokens: [TokenFacts]) {
        guard let module = uri.modulePath else { throw .module(.notGiven) }
        let channel = try program.newChannel()
        _ = try program.perform(.load(module: module, milliseconds: program.milliseconds), on: channel)
        let bytes = try program.perform(.list, on: channel)
        guard let tokens = try? TokenFacts.all(in: bytes) else { throw .invalidAnswer("C_GetTokenInfo") }
        return (channel, tokens.filter { $0.matches(uri) })
    }

    private init(opened token: TokenFacts, _ uri: TokenURI, on channel: UInt8, by program: TokenProgram) {
        (self.program, self.channel, self.token) = (program, channel, token)
        module = uri.modulePath ?? ""
    }

    /// Opens a session with the only token that matches a URI.
    package init(_ uri: TokenURI, isWritable: Bool = false, by program: TokenProgram) throws(TokenError) {
        let (channel, all) = try Self.tokens(of: uri, by: program)
        let tokens = all.filter(\.isInitialised)
        guard let token = tokens.first else { throw .noToken(uri.text) }
        guard tokens.count == 1 else { throw .severalTokens(uri.text, count: tokens.count) }
        (self.program, self.channel, self.token) = (program, channel, token)
        module = uri.modulePath ?? ""
        _ = try perform(.open(slot: token.slot, isWritable: isWritable))
    }

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

    private func triesLeft() throws(TokenError) -> TokenFacts.Tries {
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

    /// The only private key that a URI selects.
    package func key(_ uri: TokenURI) throws(TokenError) -> Key {
        let objects = try find(.privateKey, id: uri.id, label: uri.object.map { Array($0.utf8) })
        guard let object = objects.first else { throw .noKey(uri.text) }
        guard objects.count == 1 else { throw .severalKeys(uri.text, count: objects.count) }
        return try key(object)
    }

    private func key(_ object: UInt64) throws(TokenError) -> Key {
        let facts = try self.object(object)
        // Most tokens state the point with the public key only.
        var points = [facts]
        if !facts.id.isEmpty {
            for other in try find(.publicKey, id: facts.id, label: nil) {
                points.append(try self.object(other))
            }
        }
        for point in points {
            let parameters = point.parameters.isEmpty ? facts.parameters : point.parameters
            if let key = try? PublicKey(ellipticPoint: point.point, parameters: parameters) {
                return Key(object: object, publicKey: key, facts: facts)
            }
        }
        throw .invalidKey
    }

    private func find(
        _ kind: TokenObjectClass, id: [UInt8]?, label: [UInt8]?
    ) throws(TokenError) -> [UInt64] {
        let bytes = try perform(.find(kind, id: id, label: label))
        guard bytes.count.isMultiple(of: 8) else { throw .invalidAnswer("C_FindObjects") }
        return stride(from: 0, to: bytes.count, by: 8).map { start in
            bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    private func object(_ object: UInt64) throws(TokenError) -> TokenObject {
        let bytes = try perform(.object(object))
        guard let facts = try? TokenObject(bytes) else { throw .invalidAnswer("C_GetAttributeValue") }
        return facts
    }

    /// Makes a key pair. The private key is sensitive and not extractable, which is read back.
    package func makeKey(_ curve: Curve, label: String, id: [UInt8]) throws(TokenError) -> Key {
        guard token.makesKeys else { throw .makesNoKeys }
        guard token.signs else { throw .noMechanism(curve) }
        do throws(TokenError) {
            let made = try perform(.generate(curve, label: Array(label.utf8), id: id))
            guard made.count == 16 else { throw .invalidAnswer("C_GenerateKeyPair") }
            let key = try key(made[8...].reversed().reduce(0) { $0 << 8 | UInt64($1) })
            guard key.publicKey.kind == (curve == .k1 ? .k1 : .r1) else { throw .invalidKey }
            guard key.facts.isSensitive == true, key.facts.isExtractable == false else {
                throw .extractableKey
            }
            return key
        } catch {
            // A token can make a key and then fail.
            try? remove(id: id)
            throw error
        }
    }

    /// Removes both parts of the key with an id, if the token has it.
    package func remove(id: [UInt8]) throws(TokenError) {
        for kind in [TokenObjectClass.privateKey, .publicKey] {
            for object in try find(kind, id: id, label: nil) { _ = try perform(.remove(object)) }
        }
    }

    // MARK: signatures

    /// The most signatures that are made for one digest. Every second one is canonical.
    private static let maximumAttempts = 64

    /// Signs until the signature is canonical, and recovers the key from it.
    package func sign(_ digest: SigningDigest, with key: Key) throws(TokenError) -> Signature {
        var seen: Set<[UInt8]> = []
        for _ in 0..<Self.maximumAttempts {
            let numbers = try perform(.sign(key: key.object, digest: digest.bytes))
            guard numbers.count == 64 else { throw .invalidAnswer("C_Sign") }
            do throws(CurveError) {
                if let signature = try Signature(numbers: numbers, of: key.publicKey, over: digest) {
                    return signature
                }
            } catch { throw .wrongSignature }
            guard seen.insert(numbers).inserted else { throw .repeatsSignature }
        }
        throw .noCanonicalSignature(limit: Self.maximumAttempts)
    }
}

/// A token, and its public keys of the curves of Antelope.
package struct ListedToken: Sendable {
    package let token: TokenFacts
    package let uri: TokenURI
    package let keys: [(uri: TokenURI, publicKey: PublicKey)]
}

extension TokenSession {
    /// The tokens that match a URI, with the public keys that they show without a PIN.
    package static func listed(_ uri: TokenURI, by program: TokenProgram) throws(TokenError) -> [ListedToken]
    {
        let (channel, tokens) = try tokens(of: uri, by: program)
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
        _ token: TokenFacts, _ uri: TokenURI, on channel: UInt8, by program: TokenProgram
    ) throws(TokenError) {
        self.init(opened: token, uri, on: channel, by: program)
        _ = try perform(.open(slot: token.slot, isWritable: false))
    }
}

extension TokenObject {
    /// The URI of the object in a token.
    package func uri(in token: TokenURI) -> TokenURI {
        var uri = token
        if id.isEmpty { uri.object = String(validating: label, as: UTF8.self) } else { uri.id = id }
        return uri
    }
}
