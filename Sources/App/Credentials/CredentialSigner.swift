import Codecs
import HTTPSigning
import JSON
import KeyVault
import SecureMemory
import Shell

/// Signs requests with one credential. Each signature is one transaction of the vault, which also
/// stores its nonce and its record.
package struct CredentialSigner {
    let entry: EntryDescription
    /// As read before the unlock. The verified one must have the same profile, key id and prefix.
    let credential: Credential
    /// In milliseconds; nil for the window of the profile.
    let window: UInt64?
    let format: RequestFormat
    /// The path of the body's file.
    let bodyPath: String?
    /// True to refuse a profile that appends parameters to the body, because the output would not
    /// show them.
    let keepsBody: Bool

    /// Signs a request for a client of an agent. The answer, in memory that is not wiped, must not
    /// have a secret.
    /// - Parameter name: the label or the id of the credential.
    /// - Returns: the JSON that `credential sign --format json` prints, and the facts for the notes
    ///   about the nonce.
    package static func sign(
        _ input: RequestInput, by name: String, window: UInt64?, keepsBody: Bool, of file: LockedVault,
        in vault: borrowing UnlockedVault
    ) throws -> JSONValue {
        let entry = try CredentialArgument(name: name).unverified(in: file.vault, file.name).entry
        let credential = try entry.expectCredential()
        guard !credential.profile.putsSecretInHeader else { throw CommandError.secretForAgent }
        let signer = Self(
            entry: entry, credential: credential, window: window, format: .json, bodyPath: nil,
            keepsBody: keepsBody)
        let output = try signer.sign(input, in: vault)
        return try JSONValue.parse(output.text).adding(output.nonce?.remarks)
    }

    static func expectAllowed(_ url: RequestURL, by credential: Credential) throws(HTTPSigningError) {
        if let mismatch = credential.prefix?.mismatch(of: url) { throw .outsidePrefix(mismatch) }
    }

    /// - Parameter id: a member of the JSON output.
    /// - Throws: `CredentialError`, what a transaction throws.
    func sign(_ input: RequestInput, id: JSONValue? = nil, in vault: borrowing UnlockedVault) throws
        -> CredentialOutput
    {
        var output: CredentialOutput?
        try vault.transaction { (transaction: inout VaultTransaction) throws(CredentialError) in
            output = try sign(input, id, in: &transaction)
        }
        guard let output else { throw VaultError.input(.noSuchKey) }
        return output
    }

    private func sign(
        _ input: RequestInput, _ id: JSONValue?, in transaction: inout VaultTransaction
    ) throws(CredentialError) -> CredentialOutput {
        let entry = try converting(CredentialError.vault, transaction.entry(named: entry.name))
        let verified = try converting(CredentialError.vault, entry.description.expectCredential())
        guard verified == credential else { throw .changedMeanwhile }
        let profile = try converting(CredentialError.request, profile(of: verified))
        try converting(CredentialError.request, Self.expectAllowed(input.url, by: verified))
        let clock: RequestTime
        do { clock = try Clock.request() } catch { throw .vault(.machine(.timeOutOfRange)) }
        let now = clock.value(in: verified.nonceUnit)
        var nonce: VaultTransaction.TakenNonce?
        if profile.usesNonce {
            nonce = try converting(
                CredentialError.vault, transaction.takeNonce(of: entry, clock: now, given: input.nonce))
        } else if input.nonce != nil {
            throw .noNonce
        }
        let request = try converting(
            CredentialError.request,
            Self.request(input, nonce: nonce?.value, clock: clock, unit: verified.nonceUnit))
        let signed = try transaction.withSecret(of: entry) { secret throws(CredentialError) in
            try converting(
                CredentialError.request, profile.sign(request, keyID: verified.keyID, secret: secret))
        }
        let used = nonce.map {
            UsedNonce(
                value: $0.value, isFarAhead: $0.value > verified.nonceUnit.minute(after: now),
                isUnsure: $0.mayBeUsed && input.nonce == nil)
        }
        if keepsBody, signed.body != input.body { throw .bodyNotShown }
        let output = try converting(
            CredentialError.request,
            CredentialOutput(signed, id, used, as: format, bodyPath: bodyPath))
        let record = RequestRecord(profile: profile, method: signed.method, url: signed.url)
        let name = self.entry.name
        try converting(CredentialError.vault, transaction.record(.requestSigned(key: name, record)))
        if signed.isSecret { try converting(CredentialError.vault, transaction.record(.exported(key: name))) }
        return output
    }

    private func profile(of credential: Credential) throws(HTTPSigningError) -> SigningProfile {
        guard let window else { return credential.profile }
        return try credential.profile.replacing(["window": "\(window)"])
    }

    private static func request(
        _ input: RequestInput, nonce: UInt64?, clock: RequestTime, unit: TimeUnit
    ) throws(HTTPSigningError) -> HTTPRequest {
        let time = try input.time?.time(in: unit) ?? clock
        return try HTTPRequest(
            method: input.method, url: input.url, body: input.body, contentType: input.contentType,
            time: time,
            isTimeGiven: input.time != nil, nonce: nonce, clock: clock, headers: input.headers,
            allowsInsecureHTTP: input.allowsInsecureHTTP)
    }
}

/// Why a request is not signed. The command finds the reason while it holds the vault's lock.
enum CredentialError: Error, Equatable {
    case vault(VaultError)
    case request(HTTPSigningError)
    /// The credential differs from the one that was read before the unlock.
    case changedMeanwhile
    /// A nonce is given, and the profile uses none.
    case noNonce
    /// The profile appended parameters to the body, and the output would not show it.
    case bodyNotShown
    /// The secret to export is not plain text.
    case binarySecret
}

extension CredentialError: VaultFailure {
    init(vault error: VaultError) { self = .vault(error) }
}

extension CredentialError: WordedError {
    var words: Words {
        switch self {
        case .vault(.input(.noSuchKey)):
            Words(.noSuchCredential, "the credential is not in the vault any more")
        case .vault(let error): error.words
        case .request(let error): error.words
        case .changedMeanwhile:
            Words(
                .changedMeanwhile, "another process changed the credential; nothing was signed",
                hint: "check it with `eosvault credential show --verify`, then try again")
        case .bodyNotShown:
            Words(
                .bodyFile, "the profile appends the signature to the body, which the headers do not show",
                hint: "give --body-out with a new file, or use --format json or curl")
        case .binarySecret:
            Words(
                .export, "the secret has bytes that are no visible ASCII characters",
                hint: "give --secret-encoding hex or --secret-encoding base64, in which it is then printed")
        case .noNonce:
            Words(.invalidHTTPRequest, "the profile of this credential uses no nonce", hint: "omit the nonce")
        }
    }
}
