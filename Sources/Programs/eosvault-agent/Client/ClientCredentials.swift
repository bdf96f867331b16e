import App
import ArgumentParser
import Files
import HTTPSigning
import Hardening
import JSON
import Shell
import WalletAPI

struct ClientCredentials: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credential", abstract: "Sign HTTP requests with the credentials of the vault.",
        subcommands: [Sign.self])

    /// Signs HTTP requests.
    struct Sign: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign", abstract: "Sign HTTP requests and print what to send.",
            discussion: """
                The options, the lines of --lines and the output are those of `eosvault credential sign`. A profile \
                whose header contains the secret is refused: secrets do not leave the agent.

                  eosvault-agent credential sign exchange --method GET --url https://api.bitbank.cc/v1/user/assets
                  eosvault-agent credential sign exchange --lines
                """)

        @Argument(help: ArgumentHelp("The label of a credential, or its id.", valueName: "credential"))
        var name: String

        @OptionGroup var request: RequestSource
        @OptionGroup var agent: ClientSocketOption

        @Flag(name: .customLong("json"), help: "Print errors as JSON.")
        var jsonErrors = false

        @OptionGroup var sandbox: SandboxOption

        var requiredAccess: FileAccess { request.fileAccess }

        func validate() throws { try request.inputs.refuseSharedInput() }

        func run() throws {
            let outputBody = try OutputFile.prepared(at: request.bodyOut, for: .secret)
            let input = try request.lines ? nil : request.input(nonceUnit: nil)
            var connection = try connection()
            guard let input else {
                let all = RequestLines(allowsInsecureHTTP: request.insecureHTTP)
                guard try all.sign({ try sign($0, id: $1, by: &connection) }) else { throw ExitStatus.failed }
                return
            }
            try sign(input, id: nil, by: &connection).deliver(
                for: request, asked: input.url, body: outputBody)
        }

        private func sign(
            _ input: RequestInput, id: JSONValue?, by connection: inout AgentConnection
        ) throws -> CredentialOutput {
            let order = (["credential": .string(name), "request": input.json] as JSONValue)
                .adding(request.window.map { ["window": .number($0)] })
                .adding(request.keepsBody ? ["keep_body": .boolean(true)] : nil)
            let answer = try connection.call(.credentialSign, Array(order.text().utf8))
            guard let output = try CredentialOutput(answer: answer, id: id, for: request) else {
                throw ClientError.wrongAnswer
            }
            return output
        }
    }
}
