import App
import ArgumentParser
import Hardening
import JSON
import KeyVault
import SecureMemory
import Shell
import WalletAPI

/// Unlocks the vault of the agent.
struct ClientUnlock: ClientCommand, JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock", abstract: "Unlock the vault of the agent.",
        discussion: """
            Asks for the PIN, or takes the unlock method that the options name, and prints how long the vault stays \
            unlocked. A signature begins this time again. After a wrong PIN, the exit status is 77. An unlocked vault \
            stays as it is, and nothing is asked.

            The secret goes only to a socket of the same user, or of root, as systemd makes it for a service.

              eosvault-agent unlock
              eosvault-agent unlock --pin-file pin
            """)

    @OptionGroup var agent: ClientSocketOption
    @OptionGroup var method: UnlockMethodOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard method.device.isGiven else { return }
        throw ValidationError(
            "the agent opens the vault: give --tpm to `eosvault-agent serve`; it uses no authenticator (--fido2)"
        )
    }

    var requiredAccess: FileAccess { method.fileAccess }
    var sendsSecret: Bool { true }

    func run() throws {
        var connection = try connection()
        let status = try connection.call(.agentStatus)
        if status["locked"]?.isTrue == false { return try report(status, "is already unlocked") }
        try report(method.opening { try Self.unlock($0, by: &connection, hiding: $1) }, "is unlocked")
    }

    private static func unlock(
        _ method: borrowing UnlockMethod, by connection: inout AgentConnection, hiding hidden: HiddenInput?
    ) throws -> JSONValue {
        let body = try method.lend(
            pin: { try UnlockSecret.body(pin: $0) },
            pinAndKeyFile: { try UnlockSecret.body(pin: $0, keyFile: $1) },
            recovery: { try UnlockSecret.body(recovery: $0) })
        guard let body else { throw VaultError.input(.noSlot(method.kind, others: [])) }
        do {
            return try Progress.during("opening the vault") {
                try connection.call(.agentUnlock, secret: body) { hidden?.deliverSignals() }
            }
        } catch ClientError.refused(let words) where [.wrongPIN, .wrongPhrase].contains(words.code) {
            // A secret that was typed is asked for again.
            throw VaultError.input(.wrongUnlockMethod(method.kind, damagedSlots: []))
        }
    }

    private func report(_ answer: JSONValue, _ state: String) throws {
        guard let seconds = answer["seconds_left"]?.number.flatMap({ Int64($0) }),
            let keys = answer["keys"]?.number.flatMap({ Int($0) })
        else { throw ClientError.wrongAnswer }
        try json.print(
            "the vault \(state): \(Words.count(keys, "key")), locked after \(ClientWords.time(seconds)) without use",
            json: ["seconds_left": .number(seconds), "keys": .number(keys)])
    }
}
