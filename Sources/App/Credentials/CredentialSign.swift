import ArgumentParser
import Files
import Glibc
import HTTPSigning
import Hardening
import KeyVault
import Shell

extension CredentialGroup {
    struct Sign: UnlockingCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign", abstract: "Sign HTTP requests and print what to send.",
            discussion: """
                The signature covers the exact bytes of the URL and the body; eosvault encodes and reorders nothing. \
                It opens no connection: --format curl prints a configuration for `curl -q -K -`, which sends exactly \
                the signed bytes.

                  eosvault credential sign exchange --method GET --url https://api.bitbank.cc/v1/user/assets
                  eosvault credential sign exchange --method POST --url https://api.bitbank.cc/v1/user/spot/order \
                --body order.json --format curl

                The profiles are basic (HTTP Basic), bitbank, snapcard, gamesystem, binance, hmac (a template for \
                other services) and rfc9421 (HTTP Message Signatures). The next nonce is the clock, or the last nonce \
                plus one if that is greater. The vault stores it before the command prints the signature. The audit \
                log records each signature with its method, host and path.

                With --lines, each line of standard input is a request. It is a JSON object with method and url, and \
                optionally id (text or number), body (text) or body_base64, content_type, headers (for rfc9421, a \
                list of objects with name and value), nonce (a text of decimal digits), and time (a text such as \
                2026-12-01T09:30:00Z, or a number in the unit of --nonce-unit). The line of its result has the id, or \
                the line number. The exit status is 1 if a line was refused.

                  eosvault credential sign exchange --lines

                The header of basic contains the secret, so the audit log records an export. Without --force, the \
                command does not write this header to a terminal or a regular file: pipe it to curl.
                """)

        @OptionGroup var credential: CredentialArgument

        @OptionGroup var target: RequestTarget

        @Flag(help: "Sign one request for each line of standard input: a JSON object with method and url.")
        var lines = false

        @Option(help: ArgumentHelp("The body: a file, or `-` for standard input.", valueName: "file"))
        var body: InputFile?

        @Option(help: ArgumentHelp("The Content-Type of the body.", valueName: "type"))
        var contentType: String?

        @Option(help: "A header to sign, `Name: value`, for rfc9421. Repeat the option.")
        var header: [String] = []

        @Option(
            help: """
                The time of the request: a time in UTC (2026-12-01T09:30:00Z), or a number since 1970 in the unit of \
                `add --nonce-unit` (default: now).
                """)
        var time: String?

        @Option(
            help: ArgumentHelp(
                "A nonce greater than the last one (default: the next one).", valueName: "number"))
        var nonce: UInt64?

        @Option(
            help: ArgumentHelp(
                "The time window of this request, for bitbank and binance.", valueName: "milliseconds"))
        var window: UInt64?

        @Option(help: "The output: headers (default), json or curl.")
        var format: RequestFormat?

        @Option(
            help: ArgumentHelp("Write the body to a new file, for curl.", valueName: "file"),
            completion: .file())
        var bodyOut: String?

        @Flag(help: "Allow http URLs with basic, which then sends the secret unencrypted.")
        var insecureHTTP = false

        @Flag(help: "Print a header with a secret even to a terminal or a file.")
        var force = false

        @OptionGroup var unlocking: UnlockOptions

        @Flag(name: .customLong("json"), help: "Print errors as JSON.")
        var jsonErrors = false

        @OptionGroup var sandbox: SandboxOption

        private var url: String? { target.url }

        func validate() throws {
            guard lines || target.method != nil && url != nil else {
                throw ValidationError("give --method and --url, or --lines")
            }
            let input = lines ? InputFile.standardInput : body
            try [InputFile](given: input).refuseSharedInput(with: method.inputs)
            if lines {
                let others: [Any?] = [
                    target.method, url, body, contentType, header.first, time, nonce, format, bodyOut,
                ]
                guard others.allSatisfy({ $0 == nil }) else {
                    throw ValidationError(
                        "--lines reads the requests from standard input: omit their options")
                }
            }
            if let bodyOut { try OutputFile.expectFile(bodyOut) }
        }

        var requiredAccess: FileAccess {
            unlocking.fileAccess + (body?.fileAccess ?? .none) + OutputFile.fileAccess(to: bodyOut)
        }

        func run() throws {
            let outputBody = try OutputFile.prepared(at: bodyOut, for: .secret)
            let file = try vault.open()
            let entry = try credential.unverified(in: file, vault.name()).entry
            let stored = try entry.expectCredential()
            if let window {
                _ = try parsing("--window") { try stored.profile.replacing(["window": "\(window)"]) }
            }
            let input = try lines ? nil : input(nonceUnit: stored.nonceUnit)
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
            if signer.format == .headers, signed.url != input.url {
                Messages.note(Words.finalURL(signed.url.text))
            }
            try delivering(.request(bodyFile: nil, hasNonce: nonce != nil), to: bodyOut) {
                try outputBody?.write(signed.body)
            }
            try delivering(.request(bodyFile: bodyOut, hasNonce: nonce != nil), to: nil) {
                try signed.write(isForPeople: signer.format == .headers)
            }
        }

        /// The request of the options.
        private func input(nonceUnit unit: TimeUnit) throws -> RequestInput {
            let method = try parsing { try HTTPMethod(target.method ?? "") }
            let url = try parsing("--url") { try RequestURL(self.url ?? "") }
            let headers = try header.map(Self.header)
            let time = try self.time.map { text in try parsing("--time") { try GivenTime(text) } }
            _ = try parsing {
                try HTTPRequest(
                    method: method, url: url, contentType: contentType,
                    time: time?.time(in: unit) ?? RequestTime(0, unit),
                    headers: headers)
            }
            return try RequestInput(
                method: method, url: url, body: readBody(), contentType: contentType, headers: headers,
                time: time, nonce: nonce, allowsInsecureHTTP: insecureHTTP)
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
            return try parsing { try HTTPHeader(String(parts[0]), String(parts[1].drop { $0 == " " })) }
        }

        /// True if standard output is a terminal or a regular file.
        private static func keepsOutput() throws -> Bool {
            try isatty(STDOUT_FILENO) == 1 || FileDescriptor.standardOutput.status.kind == .regular
        }
    }
}

/// The request that `credential sign` signs.
struct RequestTarget: ParsableArguments {
    @Option(help: "The method, such as GET.")
    var method: String?

    @Option(help: "The whole URL, as it is sent.")
    var url: String?
}

/// The value of --format of `credential sign`.
enum RequestFormat: String, CaseIterable, ExpressibleByArgument {
    case headers, json, curl
}
