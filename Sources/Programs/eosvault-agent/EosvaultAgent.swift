import ArgumentParser
import Shell

/// The root command.
struct EosvaultAgent: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "eosvault-agent",
        abstract: "Keep a vault ready to sign, for cleos and other programs of this machine.",
        discussion: """
            The agent serves the wallet API of keosd on a Unix socket, so cleos signs with the keys of the vault. \
            After one unlock, the keys stay in guarded memory until `lock`, a signal, or the end of a time without \
            use. Each signature passes the same review and policies as `eosvault sign`, and is recorded. The other \
            commands are clients of the agent.

              eosvault-agent serve --confirm policy
              eosvault-agent unlock
              eosvault-agent sign transfer.json --chain eos
            """,
        version: Release.version,
        subcommands: [
            Serve.self, ClientUnlock.self, ClientLock.self, ClientStatus.self, ClientStop.self,
            ClientSign.self,
            ClientCredentials.self,
        ], defaultSubcommand: Serve.self)
}
