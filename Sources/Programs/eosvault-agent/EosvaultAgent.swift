import ArgumentParser
import Shell

/// The root command.
struct EosvaultAgent: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "eosvault-agent",
        abstract: "Keep a vault ready to sign, for cleos and other programs of this machine.",
        version: Release.version,
        subcommands: [
            Serve.self, ClientUnlock.self, ClientLock.self, ClientStatus.self, ClientStop.self,
            ClientSign.self,
            ClientCredentials.self,
        ], defaultSubcommand: Serve.self)
}
