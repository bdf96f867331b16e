import ABICodec
import ArgumentParser
import Hardening
import JSON
import KeyVault
import Shell
import Transactions

extension ABIGroup {
    struct Show: ListingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show the pinned and built-in ABIs of an account: actions, fields, types.",
            discussion: """
                With --chain, only the ABIs that the review uses on this chain are shown: the pinned one, otherwise \
                the built-in ones. Without --verify, no PIN is needed, and pinned ABIs are marked as unverified.

                  eosvault abi show mytoken --chain eos
                  eosvault abi show eosio.token --json
                """)

        @Argument(help: "The account of the contract.")
        var account: AccountOption

        @Option(name: .shortAndLong, help: .chain, completion: .chains)
        var chain: ParsedArgument<ChainID>?

        @OptionGroup var listing: ListingOptions

        @OptionGroup var common: CommonOptions

        var requiredAccess: FileAccess { vault.listingAccess(verifying: isVerified, by: method) }

        func run() throws {
            let chain = try chain?.value
            let name = account.account
            let pinned = try vault.listedABIs(verifying: isVerified, by: method).filter {
                $0.abi.contract.account == name.text && (chain == nil || $0.abi.contract.chain == chain?.bytes)
            }
            let builtIn = chain != nil && !pinned.isEmpty ? [] : BuiltInABI.all(for: name)
            guard !pinned.isEmpty || !builtIn.isEmpty else { throw CommandError.noSuchABI(account: name) }
            if json.isOn {
                try Output.json(Self.object.json(pinned.map(\.row) + builtIn.map(\.row)))
            } else {
                let shown =
                    pinned.map { Self.lines($0.lines, $0.definition) }
                    + builtIn.map { Self.lines($0.lines, $0.definition) }
                try Output.data(shown.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n"))
            }
        }

        static let object = JSONObject<[ABIRow]>([.list("abis", of: ABIRow.shown, "the ABIs of the account") { $0 }])

        private static func lines(_ head: [String], _ definition: ABIDefinition?) -> [String] {
            guard let definition else { return head + ["the raw form can't be read"] }
            return head + [""] + ABIOutline(of: definition).lines
        }
    }
}
