import Codecs
import JSON
import SecureMemory

/// How the requests of a credential are signed: the scheme of one service, or a general scheme with
/// parameters.
package struct SigningProfile: Hashable, Sendable {
    private let signer: any RequestSigner

    /// The names of all profiles. They are stored in vaults, so they never change.
    package static var names: [String] { all.map { $0.name } }

    private static let all: [any RequestSigner.Type] = [
        BasicProfile.self, BitbankProfile.self, SnapcardProfile.self, GamesystemProfile.self,
        BinanceProfile.self,
        HMACProfile.self, RFC9421Profile.self,
    ]

    package static func == (left: SigningProfile, right: SigningProfile) -> Bool {
        AnyHashable(left.signer) == AnyHashable(right.signer)
    }

    package func hash(into hasher: inout Hasher) { signer.hash(into: &hasher) }

    package var name: String { type(of: signer).name }

    /// True if a header of each request contains the secret.
    package var putsSecretInHeader: Bool { signer is BasicProfile }

    /// True if each signature needs a new nonce.
    package var usesNonce: Bool { signer.usesNonce }

    // MARK: - parameters

    /// Makes a profile from its name and the texts of its parameters. Parameters that are not given
    /// have their default.
    /// - Throws: `profile`.
    package init(name: String, parameters: [String: String] = [:]) throws(HTTPSigningError) {
        guard let profile = Self.all.first(where: { $0.name == name }) else { throw .profile(.unknown(name)) }
        var reader = ParameterReader(parameters)
        signer = try profile.init(&reader)
        try reader.expectEnd()
    }

    /// Each profile with its parameters, for the help.
    package static var descriptions: [(name: String, parameters: [ProfileParameter])] {
        all.map { ($0.name, $0.described) }
    }

    /// The parameters with their values, including default values.
    package var parameters: [(name: String, value: String)] { signer.parameters }

    /// The profile with other values of some parameters, as options of one signature give them.
    /// - Throws: `profile`.
    package func replacing(_ parameters: [String: String]) throws(HTTPSigningError) -> SigningProfile {
        let present = Dictionary(self.parameters.map { ($0.name, $0.value) }) { first, _ in first }
        return try SigningProfile(name: name, parameters: present.merging(parameters) { _, new in new })
    }

    // MARK: - stored form

    private static let nameKey = "profile"
    private static let limits = JSONLimits(depth: 1, size: 16_384)

    /// The profile and all its parameters as a JSON object of texts. A later version with other
    /// defaults reads the same values.
    package var stored: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        for (name, value) in [(Self.nameKey, name)] + parameters.map({ ($0.name, $0.value) }) {
            writer.write(key: name)
            writer.write(string: value)
        }
        writer.endObject()
        return writer.bytes
    }

    /// Reads the stored form.
    /// - Throws: `profile(malformed)` for other bytes than `stored` returns.
    package init(stored bytes: [UInt8]) throws(HTTPSigningError) {
        guard let members = (try? JSONValue.parse(bytes, limits: Self.limits))?.object else {
            throw .profile(.malformed)
        }
        var parameters: [String: String] = [:]
        for member in members { parameters[member.key] = member.value.string }
        guard let name = parameters.removeValue(forKey: Self.nameKey) else { throw .profile(.malformed) }
        try self.init(name: name, parameters: parameters)
        guard stored == bytes else { throw .profile(.malformed) }
    }

    // MARK: - signing

    /// Checks that a credential of this profile can have a key id.
    /// - Throws: `keyID(colon)`.
    package func check(_ keyID: KeyID) throws(HTTPSigningError) {
        if signer.endsKeyIDAtColon, let offset = Array(keyID.text.utf8).firstIndex(of: UInt8(ascii: ":")) {
            throw .keyID(.colon(offset: offset))
        }
    }

    /// Signs a request.
    ///
    /// If the profile uses nonces, the caller commits the nonce of the request before it releases
    /// the result.
    /// - Throws: `keyID(colon)`, `secret`, `request`, `header`, `url(tooLong)`, `memory`.
    package func sign(
        _ request: HTTPRequest, keyID: KeyID, secret: borrowing SecureBytes
    ) throws(HTTPSigningError) -> SignedRequest {
        try check(keyID)
        try CredentialSecret.check(count: secret.count)
        let origin = request.url.origin
        for other in Self.all where other.name != name && !signer.isGeneral {
            if other.domains.contains(where: origin.isIn) {
                throw .request(.wrongProfile(host: origin.host, profile: other.name))
            }
        }
        let signsBody = signer.signsBody(of: request.method)
        guard request.body.isEmpty || signsBody || !request.method.isRead else {
            throw .request(.bodyNotAllowed(method: request.method.text))
        }
        guard request.headers.isEmpty || signer.signsHeaders else { throw .request(.headersNotSigned) }
        if request.isTimeGiven, !signer.usesTime(of: request) { throw .request(.timeNotUsed) }
        if signer.usesNonce, request.nonce == nil { throw .request(.missingNonce) }
        var signed = try signer.sign(request, keyID: keyID, secret: secret)
        if !signed.isSecret {
            if request.url.query != nil, !signer.signsQuery(of: request.method) {
                signed.warnings.append(.queryNotSigned)
            }
            if !request.body.isEmpty, !signsBody { signed.warnings.append(.bodyNotSigned) }
        }
        if origin.scheme == .http, !origin.isLoopback { signed.warnings.append(.plainHTTP) }
        return signed
    }
}

/// A profile: data, and the function that signs.
protocol RequestSigner: Hashable, Sendable {
    static var name: String { get }
    /// The domains of its service.
    static var domains: [String] { get }

    /// Its parameters, for the help.
    static var described: [ProfileParameter] { get }

    /// Reads its parameters and leaves the parameters of other profiles.
    init(_ reader: inout ParameterReader) throws(HTTPSigningError)
    var parameters: [(name: String, value: String)] { get }

    /// True if its parameters can describe the scheme of any service.
    var isGeneral: Bool { get }
    var usesNonce: Bool { get }
    /// True if a colon follows the key id in a header.
    var endsKeyIDAtColon: Bool { get }
    var signsHeaders: Bool { get }
    /// True if the time of a request is part of it.
    func usesTime(of request: HTTPRequest) -> Bool
    func signsQuery(of method: HTTPMethod) -> Bool
    func signsBody(of method: HTTPMethod) -> Bool

    func sign(
        _ request: HTTPRequest, keyID: KeyID, secret: borrowing SecureBytes
    ) throws(HTTPSigningError) -> SignedRequest
}

extension RequestSigner {
    static var domains: [String] { [] }
    static var described: [ProfileParameter] { [] }
    var parameters: [(name: String, value: String)] { [] }
    var isGeneral: Bool { false }
    var usesNonce: Bool { false }
    var endsKeyIDAtColon: Bool { false }
    var signsHeaders: Bool { false }
    func usesTime(of request: HTTPRequest) -> Bool { true }
    func signsQuery(of method: HTTPMethod) -> Bool { true }
    func signsBody(of method: HTTPMethod) -> Bool { true }
}

/// The texts of the parameters of a profile. Each is taken once; none may be left.
struct ParameterReader {
    private var values: [String: String]

    init(_ values: [String: String]) { self.values = values }

    mutating func take(_ name: String) -> String? { values.removeValue(forKey: name) }

    /// A whole number in decimal digits without a leading zero.
    mutating func takeNumber(_ name: String, in range: ClosedRange<UInt64>) throws(HTTPSigningError)
        -> UInt64?
    {
        guard let text = take(name) else { return nil }
        guard let number = UInt64(text), "\(number)" == text, range.contains(number) else {
            throw .profile(.invalidParameter(name))
        }
        return number
    }

    mutating func takeChoice<Choice: RawRepresentable<String>>(
        _ name: String, default choice: Choice
    ) throws(HTTPSigningError) -> Choice {
        guard let text = take(name) else { return choice }
        guard let chosen = Choice(rawValue: text) else { throw .profile(.invalidParameter(name)) }
        return chosen
    }

    func expectEnd() throws(HTTPSigningError) {
        if let name = values.keys.min() { throw .profile(.unknownParameter(name)) }
    }
}

/// The text of a signature.
package enum SignatureEncoding: String, CaseIterable, Sendable {
    /// In lower case
    case hex
    case base64

    func text(_ bytes: [UInt8]) -> String { self == .hex ? Hex.encode(bytes) : Base64.encode(bytes) }
}
