import ArgumentParser
import Hardening
import Shell

struct RequestGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request", abstract: "Show, sign and make signing requests (links that start with esr:).",
        discussion: """
            Wallets and web sites ask for a signature with such a link (EEP-7, ESR). It may leave the signer, the \
            expiration and the reference block to the signer. A request with LOGIN in its review proves to the \
            sender that you have the key. It is not sent to a chain. This program opens no connection: it prints \
            what another machine sends.

              eosvault request show request.txt
              eosvault request sign request.txt --chain eos --account alice --block info.json
            """,
        subcommands: [RequestShow.self, RequestSign.self, RequestCreate.self])
}

/// `request sign`: `sign` for a signing request.
struct RequestSign: ConfinedCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Show the transaction of a signing request, ask for confirmation, and sign it.",
        discussion: """
            The review and the options are those of `eosvault sign`. The output has the signed transaction, the \
            payload of the callback, and the address of the callback with the values of the payload.

              eosvault request sign request.txt --chain eos --account alice --block info.json
              eosvault request sign login.txt --chain eos --account alice --format callback
            """)

    @OptionGroup var sign: Sign

    var sandbox: SandboxOption { sign.sandbox }

    func validate() throws {
        if sign.lines { throw ValidationError("--lines reads transactions: omit it for a signing request") }
    }

    var requiredAccess: FileAccess { sign.requiredAccess }

    func run() throws { try sign.run(onlyRequests: true) }
}
