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

        @OptionGroup var request: RequestSource

        @Flag(help: "Print a header with a secret even to a terminal or a file.")
        var force = false

        @OptionGroup var unlocking: UnlockOptions

        @Flag(name: .customLong("json"), help: "Print errors as JSON.")
        var jsonErrors = false

        @OptionGroup var sandbox: SandboxOption

        func validate() throws {
            try request.inputs.refuseSharedInput(with: method.inputs)
        }

        var requiredAccess: FileAccess {
            unlocking.fileAccess + request.fileAccess
        }

        func run() throws {
            let outputBody = try OutputFile.prepared(at: request.bodyOut, for: .secret)
            let file = try vault.open()
            let entry = try credential.unverified(in: file, vault.name()).entry
            let stored = try entry.expectCredential()
            if let window = request.window {
                _ = try parsing("--window") { try stored.profile.replacing(["window": "\(window)"]) }
            }
            let input = try request.lines ? nil : request.input(nonceUnit: stored.nonceUnit)
            if let input { try CredentialSigner.expectAllowed(input.url, by: stored) }
            if stored.profile.putsSecretInHeader, !force, try Self.keepsOutput() {
                throw CommandError.secretHeader
            }
            let signer = CredentialSigner(
                entry: entry, credential: stored, window: request.window, format: request.outputFormat,
                bodyPath: request.bodyPath, keepsBody: request.keepsBody)
            guard let input else {
                let all = RequestLines(allowsInsecureHTTP: request.insecureHTTP)
                let unlocked = try method.unlock(file)
                guard try all.sign({ try signer.sign($0, id: $1, in: unlocked) }) else {
                    throw ExitStatus.failed
                }
                return
            }
            let unlocked = try method.unlock(file)
            try signer.sign(input, in: unlocked).deliver(for: request, asked: input.url, body: outputBody)
        }

        /// True if standard output is a terminal or a regular file.
        private static func keepsOutput() throws -> Bool {
            try isatty(STDOUT_FILENO) == 1 || FileDescriptor.standardOutput.status.kind == .regular
        }
    }
}
