import ArgumentParser
import Shell

/// The root command. Each subcommand is a struct in `Commands`; options of several subcommands are
/// in `Options`.
struct Eosvault: ParsableCommand {
    static let version = Release.version

    /// The configuration needs the type of each command.
    static let _commandName = "eosvault"

    static let configuration = CommandConfiguration(
        commandName: _commandName,
        abstract: "A key vault and offline signer for EOS and other Antelope chains.",
        discussion: """
            Private keys are stored encrypted in one file, which a PIN opens. They are in memory only while a command \
            uses them. A transaction is shown as decoded from its bytes, then signed as cleos signs it.

              eosvault init
              eosvault create --label treasury
              eosvault sign transfer.json --chain eos
            """,
        version: version,
        groupedSubcommands: [
            CommandGroup(
                name: "Vault",
                subcommands: [
                    Init.self, Status.self, Check.self, BackupGroup.self, Restore.self, Rescue.self,
                    LogGroup.self,
                ]),
            CommandGroup(name: "Unlock methods", subcommands: [SlotGroup.self, PINGroup.self, Rekey.self]),
            CommandGroup(
                name: "Keys",
                subcommands: [
                    Create.self, Import.self, List.self, Show.self, Rename.self, Remove.self, Export.self,
                    SeedGroup.self, TokenGroup.self,
                ]),
            CommandGroup(
                name: "Signing",
                subcommands: [
                    BuildGroup.self, Sign.self, Inspect.self, RequestGroup.self, Merge.self, Signatures.self,
                    MsigGroup.self, TransactionGroup.self, Chains.self, ChainGroup.self,
                ]),
            CommandGroup(name: "Policies", subcommands: [PolicyGroup.self]),
            CommandGroup(name: "Web services", subcommands: [CredentialGroup.self]),
            CommandGroup(
                name: "Tools",
                subcommands: [
                    ABIGroup.self, KeyGroup.self, ShowFile.self, Verify.self, Doctor.self, Codes.self,
                    JSONOutput.self,
                ]),
        ])
}
