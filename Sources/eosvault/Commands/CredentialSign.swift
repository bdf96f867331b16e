import ArgumentParser
import Codecs
import Files
import Glibc
import HTTPSigning
import JSON
import KeyVault
import Sandbox
import SecureMemory
import TerminalText

extension CredentialGroup {
    struct Sign: UnlockingCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign",
            abstract: "Sign HTTP requests and print what to send.",
            discussion: """
                The signature covers the exact bytes of the URL and the body: nothing is encoded or reordered. \
                eosvault sends nothing. With --format curl, the output is a configuration for `curl -q -K -`, which \
                sends exactly the signed bytes.

                  eosvault credential sign exchange --method GET --url https://api.bitbank.cc/v1/user/assets
                  eosvault credential sign exchange --method POST --url https://api.bitbank.cc/v1/user/spot/order \
                --body order.json --format curl

                The profiles: basic (HTTP Basic), bitbank, snapcard, gamesystem, binance, hmac (a template for other \
                services), rfc9421 (HTTP Message Signatures). If the profile uses nonces, the vault stores the last \
                one: the next nonce is the clock, or the last nonce plus one if that is greater. It is stored before \
                the signature is printed. The audit log records each signature with its method, host and path.

                With --lines, each line of standard input is a request, and each line of the output its result. A \
                request is a JSON object with method and url, and optionally id (text or number), body (text) or \
                body_base64, content_type, headers (for rfc9421, a list of objects with name and value), time and \
                nonce (numbers; time is in the unit of --nonce-unit). The result has the id, or else the number of \
                the line. The exit status is 1 if a line was refused.

                  eosvault credential sign exchange --lines

                The header of basic contains the secret, so the output is recorded as an export. Without --force, \
                eosvault does not write it to a terminal or a regular file: pipe it to curl.
                """)

        @OptionGroup var credential: CredentialArgument

        @Option(name: .customLong("method"), help: "The method, such as GET.")
        var httpMethod: String?

        @Option(help: "The whole URL, as it is sent.")
        var url: String?

        @Flag(help: "Sign one request for each line of standard input: a JSON object with method and url.")
        var lines = false

        @Option(help: ArgumentHelp("The body: a file, or `-` for standard input.", valueName: "file"))
        var body: InputFile?

        @Option(help: ArgumentHelp("The Content-Type of the body.", valueName: "type"))
        var contentType: String?

        @Option(help: "A header to sign, `Name: value`, for rfc9421; can be given several times.")
        var header: [String] = []

        @Option(help: "The time of the request since 1970, in the unit of --nonce-unit of `add` (default: now).")
        var time: UInt64?

        @Option(help: ArgumentHelp("A nonce greater than the last one (default: the next one).", valueName: "number"))
        var nonce: UInt64?

        @Option(
            help: ArgumentHelp("The time window of this request, for bitbank and binance.", valueName: "milliseconds"))
        var window: UInt64?

        @Option(help: "The output: headers (default), json or curl.")
        var format: RequestFormat?

        @Option(
            help: ArgumentHelp("Write the body to a new file, for curl to read it.", valueName: "file"),
            completion: .file())
        var bodyOut: String?

        @Flag(help: "Allow basic to send the secret without encryption.")
        var insecureHTTP = false

        @Flag(help: "Print a header with a secret even to a terminal or a file.")
        var force = false

        @OptionGroup var unlocking: UnlockOptions

        @Flag(name: .customLong("json"), help: "Print errors as JSON.")
        var jsonErrors = false

        @OptionGroup var sandbox: SandboxOption

        func validate() throws {
            let input = lines ? InputFile.standardInput : body
            try [InputFile](given: input).refuseSharedInput(with: method.inputs)
            if lines {
                let others: [Any?] = [httpMethod, url, body, contentType, header.first, time, nonce, format, bodyOut]
                guard others.allSatisfy({ $0 == nil }) else {
                    throw ValidationError("--lines reads the requests from standard input: omit their options")
                }
            }
            if let bodyOut { try OutputFile.expectFile(bodyOut) }
        }

        var requiredAccess: FileAccess {
            unlocking.fileAccess + (body?.fileAccess ?? .none) + OutputFile.fileAccess(to: bodyOut)
        }

        func run() throws {
            // Not in `validate`: a repeated option is reported first.
            guard lines || httpMethod != nil && url != nil else {
                throw ValidationError("give --method and --url, or --lines")
            }
            let outputBody = try OutputFile.prepared(at: bodyOut, for: .secret)
            let file = try vault.open()
            let entry = try credential.unverified(in: file, vault.name()).entry
            let stored = try entry.expectCredential()
            let input = try lines ? nil : input()
            if let input { try CredentialSigner.expectAllowed(input.url, by: stored) }
            if stored.profile.putsSecretInHeader, !force, try Self.keepsOutput() {
                throw CommandError.secretHeader
            }
            let signer = CredentialSigner(
                entry: entry, credential: stored, window: window, format: lines ? .json : format ?? .headers,
                bodyPath: bodyOut.map(FilePath.absolute))
            guard let input else {
                let all = RequestLines(signer: signer, allowsInsecureHTTP: insecureHTTP)
                guard try all.sign(in: method.unlock(file)) else { throw ExitStatus.failed }
                return
            }
            let unlocked = try method.unlock(file)
            let signed = try signer.sign(input, in: unlocked)
            var notes = NonceNotes()
            notes.write(signed.nonce)
            for warning in signed.warnings { Messages.warning(warning.text) }
            if signer.format == .headers, signed.url != input.url { Messages.note(Words.finalURL(signed.url.text)) }
            try delivering(.request(bodyFile: nil, hasNonce: nonce != nil), to: bodyOut) {
                try outputBody?.write(signed.body)
            }
            try delivering(.request(bodyFile: bodyOut, hasNonce: nonce != nil), to: nil) { try signed.write() }
        }

        /// The request of the options.
        private func input() throws -> RequestInput {
            try RequestInput(
                method: HTTPMethod(httpMethod ?? ""), url: placed(at: "--url") { try RequestURL(url ?? "") },
                body: readBody(), contentType: contentType, headers: header.map(Self.header), time: time, nonce: nonce,
                allowsInsecureHTTP: insecureHTTP)
        }

        private func readBody() throws -> [UInt8] {
            guard let body else { return [] }
            return try placed(at: body.name) {
                do throws(InputFile.Failure) { return try body.read(atMost: HTTPRequest.maximumBody) } catch {
                    // An empty body is one without bytes.
                    guard error == .empty else { throw error }
                    return []
                }
            }
        }

        private static func header(_ text: String) throws -> HTTPHeader {
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw ValidationError("each --header is `Name: value`") }
            return try HTTPHeader(String(parts[0]), String(parts[1].drop { $0 == " " }))
        }

        /// Whether standard output shows or stores what is written.
        private static func keepsOutput() throws -> Bool {
            try isatty(STDOUT_FILENO) == 1 || FileDescriptor.standardOutput.status.kind == .regular
        }
    }
}

/// The value of --format of `credential sign`.
enum RequestFormat: String, CaseIterable, ExpressibleByArgument {
    case headers, json, curl
}

/// Signs requests with one credential. Each signature is one transaction of the vault, which also
/// stores its nonce and its record.
struct CredentialSigner {
    let entry: EntryDescription
    /// As read before the unlock. The verified one must have the same profile, key id and prefix.
    let credential: Credential
    /// In milliseconds; nil for that of the profile.
    let window: UInt64?
    let format: RequestFormat
    /// The path of the body's file.
    let bodyPath: String?

    /// A signed request as it is printed.
    struct Output: ~Copyable {
        /// With a placeholder if there is a secret.
        let text: [UInt8]
        /// The text, if it contains a secret.
        let secret: SecureBytes?
        let url: RequestURL
        let body: [UInt8]
        let warnings: [RequestWarning]
        /// Nil for a profile without nonces.
        let nonce: UsedNonce?

        /// Writes the text to standard output.
        func write() throws(eosvault.Output.Failure) {
            switch secret {
            case .some(let secret): try eosvault.Output.secret(secret)
            case .none: try eosvault.Output.data(text)
            }
        }
    }

    static func expectAllowed(_ url: RequestURL, by credential: Credential) throws(HTTPSigningError) {
        if let mismatch = credential.prefix?.mismatch(of: url) { throw .outsidePrefix(mismatch) }
    }

    /// - Parameter id: a member of the JSON output.
    /// - Throws: `CredentialError`, what a transaction throws.
    func sign(_ input: RequestInput, id: JSONValue? = nil, in vault: borrowing UnlockedVault) throws -> Output {
        var output: Output?
        try vault.transaction { (transaction: inout VaultTransaction) throws(CredentialError) in
            output = try sign(input, id, in: &transaction)
        }
        guard let output else { throw VaultError.input(.noSuchKey) }
        return output
    }

    private func sign(
        _ input: RequestInput, _ id: JSONValue?, in transaction: inout VaultTransaction
    ) throws(CredentialError) -> Output {
        let verified = try converting(
            CredentialError.vault, transaction.entry(named: entry.name).description.expectCredential())
        guard verified.isSame(as: credential) else { throw .changedMeanwhile }
        let profile = try profile(of: verified)
        try converting(CredentialError.request, Self.expectAllowed(input.url, by: verified))
        let clock: RequestTime
        do { clock = try Clock.request() } catch { throw .vault(.machine(.timeOutOfRange)) }
        let now = clock.value(in: verified.nonceUnit)
        var nonce: UInt64?
        var isUnsure = false
        if profile.usesNonce {
            isUnsure = try converting(CredentialError.vault, transaction.mayLackNonces(of: entry.name))
            nonce = try converting(
                CredentialError.vault, transaction.takeNonce(of: entry.name, clock: now, given: input.nonce))
        } else if input.nonce != nil {
            throw .noNonce
        }
        let request = try request(input, nonce: nonce, clock: clock, unit: verified.nonceUnit)
        let signed = try transaction.withSecret(ofCredential: entry.name) { secret throws(CredentialError) in
            try converting(
                CredentialError.request, profile.sign(request, keyID: verified.keyID, secret: secret))
        }
        let used = nonce.map {
            UsedNonce(
                value: $0, isFarAhead: $0 > verified.nonceUnit.minute(after: now),
                isUnsure: isUnsure && input.nonce == nil)
        }
        if format == .headers, bodyPath == nil, signed.body != input.body { throw .bodyNotShown }
        let output = try output(of: signed, id, used)
        let record = RequestRecord(profile: profile, method: signed.method, url: signed.url)
        try converting(CredentialError.vault, transaction.record(.requestSigned(key: entry.name, record)))
        if signed.isSecret {
            try converting(CredentialError.vault, transaction.record(.exported(key: entry.name)))
        }
        return output
    }

    private func profile(of credential: Credential) throws(CredentialError) -> SigningProfile {
        guard let window else { return credential.profile }
        return try converting(CredentialError.request, credential.profile.replacing(["window": "\(window)"]))
    }

    private func request(
        _ input: RequestInput, nonce: UInt64?, clock: RequestTime, unit: TimeUnit
    ) throws(CredentialError) -> HTTPRequest {
        var time = clock
        if let given = input.time { time = try converting(CredentialError.request, RequestTime(given, unit)) }
        return try converting(
            CredentialError.request,
            HTTPRequest(
                method: input.method, url: input.url, body: input.body, contentType: input.contentType, time: time,
                isTimeGiven: input.time != nil, nonce: nonce, clock: clock, headers: input.headers,
                allowsInsecureHTTP: input.allowsInsecureHTTP))
    }

    private func output(
        of signed: borrowing SignedRequest, _ id: JSONValue?, _ nonce: UsedNonce?
    ) throws(CredentialError) -> Output {
        let text =
            switch format {
            case .headers: signed.headerLines
            case .json: Array((Printable.json(signed.json(id, nonce: nonce?.value)) + "\n").utf8)
            case .curl: try converting(CredentialError.request, signed.curlConfig(bodyPath: bodyPath))
            }
        let secret = signed.isSecret ? try converting(CredentialError.request, signed.revealing(text)) : nil
        return Output(
            text: text, secret: secret, url: signed.url, body: signed.body, warnings: signed.warnings, nonce: nonce)
    }
}

/// The nonce of a request.
struct UsedNonce {
    let value: UInt64
    /// Whether it is more than a minute after the clock.
    let isFarAhead: Bool
    /// Whether another copy of the vault may have used a greater one. False for a nonce that the
    /// user chose.
    let isUnsure: Bool
}

/// The notes on the nonces of one run.
struct NonceNotes {
    private var isClockNoted = false

    mutating func write(_ nonce: UsedNonce?) {
        guard let nonce else { return }
        if nonce.isUnsure { Messages.note(Words.firstNonceHere(nonce.value)) }
        if nonce.isFarAhead, !isClockNoted { Messages.note(Words.clockBehindNonce(nonce.value)) }
        isClockNoted = isClockNoted || nonce.isFarAhead
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
}

extension CredentialError: VaultFailure {
    init(vault error: VaultError) { self = .vault(error) }
}

extension CredentialError: WordedError {
    var words: Words {
        switch self {
        case .vault(.input(.noSuchKey)): Words(.noSuchCredential, "the credential is not in the vault any more")
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
        case .noNonce:
            Words(.invalidHTTPRequest, "the profile of this credential uses no nonce", hint: "omit the nonce")
        }
    }
}

extension Credential {
    /// Whether only the last nonces differ.
    fileprivate func isSame(as other: Credential) -> Bool {
        profile == other.profile && keyID == other.keyID && prefix == other.prefix && nonceUnit == other.nonceUnit
    }
}

extension SignedRequest {
    /// For programs. A body that is not UTF-8 is in base64.
    fileprivate borrowing func json(_ id: JSONValue?, nonce: UInt64?) -> JSONValue {
        let text = String(validating: body, as: UTF8.self)
        let content: JSONValue =
            text.map { ["body": .string($0)] } ?? ["body_base64": .string(Base64.encode(body))]
        let list = headers.map { header -> JSONValue in
            ["name": .string(header.name), "value": .string(header.value)]
        }
        return (id.map { ["id": $0] } ?? [:] as JSONValue)
            .adding(["method": .string(method.text), "url": .string(url.text), "headers": .array(list)])
            .adding(content).adding(nonce.map { ["nonce": .number($0)] } ?? [:])
            .adding(["warnings": .array(warnings.map { .string($0.rawValue) })])
    }
}
