import ArgumentParser
import Codecs
import KeyVault
import Shell
import Transactions

struct ChainGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chain", abstract: "Name the chains that are not built in.",
        discussion: """
            Names are for private chains. Reviews show the name of a chain, and --chain and policy files accept it. \
            The vault stores and verifies names. `eosvault chains` lists them.
            """,
        subcommands: [SetName.self, Remove.self])

    struct SetName: UnlockingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "name", abstract: "Give a chain a name, or replace its name.",
            discussion: """
                The id is `chain_id` of `cleos get info`. Compare it with a second source: a signature is valid \
                only on the chain with this id. A name has 1 to 32 lower-case letters, digits and hyphens, and \
                begins with a letter. It must not look like the name of a built-in chain, or of another chain in \
                the vault.

                  eosvault chain name 8be32650b763690b95b7d7e32d7637757a0a7392ad04f1c393872e525a2ce82b devnet
                """)

        @Argument(help: ArgumentHelp("The chain id.", valueName: "chain id"))
        var chain: String

        @Argument(help: "The name.")
        var name: String

        @OptionGroup var unlocking: UnlockOptions
        @OptionGroup var common: CommonOptions

        func run() throws {
            let id = try parsing("the chain id") { try ChainID(hex: chain) }
            let text = name
            let name: ChainName = try parsing("the name") { try ChainName(text) }
            let named = try NamedChain(id, name, namedAt: Clock.now)
            let file = try vault.open()
            try method.unlock(file).transaction { (transaction: inout VaultTransaction) throws(VaultError) in
                try transaction.name(named)
            }
            try json.print("\(named.name.text)  \(named.id.text)", json: named.json)
        }
    }

    struct Remove: UnlockingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove the name of a chain from the vault.",
            discussion: """
                Policies and pinned ABIs of the chain remain, because they refer to its id.

                  eosvault chain remove devnet
                """)

        @Argument(help: ArgumentHelp("The name, or the chain id.", valueName: "chain"))
        var chain: ChainArgument

        @OptionGroup var unlocking: UnlockOptions
        @OptionGroup var common: CommonOptions

        func run() throws {
            try chain.expectForm()
            let file = try vault.openLocked()
            // A name that is not in the file is refused before the PIN is read.
            let names = try file.chainNames()
            let id = try chain.id(names)
            guard names.givenName(of: id) != nil else {
                throw Placed(place: file.name, error: VaultError.input(.noSuchChainName))
            }
            let removed = try method.unlock(file.vault).transaction {
                (transaction: inout VaultTransaction) throws(ChangeError) in
                try transaction.expectNames(names)
                return try converting(ChangeError.vault, transaction.removeName(of: id))
            }
            try json.print("\(removed.name.text)  \(removed.id.text)", json: removed.json)
        }
    }
}
