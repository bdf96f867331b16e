import Keys
import SecureMemory

/// The kind of secret in an entry.
package enum EntryKind: Hashable, Sendable {
    /// A private key: its scalar, 32 bytes.
    case privateKey(Curve)
    /// A private key in PKCS#11 tokens: the details list them.
    case tokenKey(Curve)
    /// The secret of an API key, which signs HTTP requests.
    case credential
    /// A seed, from which private keys are derived.
    case seed
    /// A kind of a later version: it can be listed, renamed, removed and rescued, but not used.
    case other(UInt8)

    package var number: UInt8 {
        switch self {
        case .privateKey(let curve): curve.rawValue
        case .tokenKey(let curve): Self.tokenKeyNumber + curve.rawValue
        case .credential: Self.credentialNumber
        case .seed: Self.seedNumber
        case .other(let number): number
        }
    }

    private static let credentialNumber: UInt8 = 16
    private static let seedNumber: UInt8 = 17
    private static let tokenKeyNumber: UInt8 = 32

    /// True for a private key, in the vault or in a token.
    package var isKey: Bool {
        switch self {
        case .privateKey, .tokenKey: true
        case .credential, .seed, .other: false
        }
    }

    /// True for a private key that tokens have.
    package var isInTokens: Bool { if case .tokenKey = self { true } else { false } }

    /// - Throws: `notAKey`, `unsupportedKind`.
    package func curve() throws(VaultError) -> Curve {
        switch self {
        case .privateKey(let curve), .tokenKey(let curve): return curve
        case .credential, .seed: throw .input(.notAKey)
        case .other(let number): throw .input(.unsupportedKind(number))
        }
    }

    init(number: UInt8) {
        self =
            number == Self.credentialNumber
            ? .credential
            : number == Self.seedNumber
                ? .seed
                : Curve(rawValue: number).map(Self.privateKey)
                    ?? Curve(rawValue: number &- Self.tokenKeyNumber).map(Self.tokenKey) ?? .other(number)
    }

    /// The functions for an entry of this kind; nil for a kind of a later version.
    var payload: (any EntryPayload)? {
        switch self {
        case .privateKey(let curve): return PrivateKeyPayload(curve: curve)
        case .tokenKey(let curve): return TokenKeyPayload(curve: curve)
        case .credential: return CredentialPayload()
        case .seed: return SeedPayload()
        case .other: break
        }
        #if DEBUG
            if let kind = Self.testOnlyKind, kind.number == number { return kind.payload }
        #endif
        return nil
    }

    /// Refuses an opened secret that is not valid or does not belong to the entry. For a kind of a
    /// later version, nothing is checked.
    /// - Throws: `entryDamaged`, `memory`.
    func check(_ secret: RawSpan, of entry: EntryDescription) throws(VaultError) {
        try payload?.check(secret, of: entry)
    }

    #if DEBUG
        /// The kind that only tests define, and its number. `make hardening` searches for this name
        /// in the release program, which has no such kind.
        @TaskLocal static var testOnlyKind: (number: UInt8, payload: any EntryPayload)?
    #endif
}

/// The definition of a kind of entry: the payload that is sealed, how it is checked, and the facts
/// that `show` prints. Everything else works alike for all kinds.
protocol EntryPayload: Sendable {
    /// The lengths that the secret can have, in bytes. A rescue skips a row with any other length.
    var secretCounts: ClosedRange<Int> { get }
    /// The longest public details, in bytes, without the generation of the sealing.
    var maximumDetailCount: Int { get }

    /// Refuses an opened secret that is not valid or does not belong to the entry. A seal that
    /// opens does not prove that it does.
    /// - Throws: `entryDamaged`, `memory`.
    func check(_ secret: RawSpan, of entry: EntryDescription) throws(VaultError)

    func facts(of entry: EntryDescription) -> [EntryFact]
}

/// A public fact that an entry's name and details contain.
package struct EntryFact: Hashable, Sendable {
    /// The name of its JSON field.
    package let field: String
    /// Nil if the entry has no such fact.
    package let value: String?
    /// The title of its line for users: empty to continue the line before, nil to print no line.
    package let title: String?
}
