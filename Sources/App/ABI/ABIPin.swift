import ABICodec
import ArgumentParser
import Codecs
import Hardening
import KeyVault
import Shell
import Transactions

extension ABIGroup {
    struct Pin: ReleasingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "pin", abstract: "Pin an ABI in the vault, for an account of a chain.",
            discussion: """
                `sign` then uses this ABI for the account on this chain, instead of a built-in one. `inspect` and \
                `build` use it if --vault names this vault. The command shows how actions, fields and types differ \
                from the ABI that was used until now. In a vault with policies, it needs their second unlock method, \
                because policies check what the ABI decodes.

                Before you pin, get the raw form from several nodes with get_raw_abi, compare its SHA-256 (abi_hash), \
                and give that hash with --hash. The JSON of `cleos get abi` can have another hash.

                  eosvault abi pin mytoken token.abi.json --chain eos
                """)

        @OptionGroup var contract: ContractOptions

        @Argument(
            help:
                "The ABI: JSON, its raw form as bytes, hex or base64, or a node's answer; `-` for standard input."
        )
        var file: InputFile

        @Option(help: ArgumentHelp("Require this SHA-256 of the raw form.", valueName: "sha256"))
        var hash: String?

        @OptionGroup var release: ReleaseOptions
        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var common: CommonOptions

        func validate() throws { try [file].refuseSharedInput(with: second.inputs + method.inputs) }

        var requiredAccess: FileAccess { file.fileAccess + release.fileAccess + confirmation.fileAccess }

        func run() throws {
            if let hash, (try? Hex.decode(hash))?.count != 32 {
                throw ValidationError("--hash is a SHA-256: 64 hex digits")
            }
            try contract.chain.expectForm()
            let vault = try vault.open()
            let names = try placed(at: self.vault.name()) { ChainNames(try vault.unverifiedNamedChains()) }
            let address = try contract.address(names)
            let new = try read(for: address)
            let earlier = try placed(at: self.vault.name()) {
                try vault.unverifiedPinnedABIs(of: address.chain).first { $0.contract == address }
            }
            let change = try ABIChange(to: new, from: earlier, names: names)
            try confirmation.ask(
                "Pin this ABI?", showing: change.lines, for: .pinning, orThrow: CommandError.notPinned)
            let policies = try placed(at: self.vault.name()) { try vault.unverifiedPolicies() }
            let unlocked = try method.unlock(vault, beforeTyping: second.typed(for: policies))
            let proof = try second.prove(policies, in: unlocked)
            try unlocked.transaction { (transaction: inout VaultTransaction) throws(ChangeError) in
                let now = try converting(ChangeError.vault, transaction.pinnedABI(for: address))
                guard now == earlier else { throw .pinChangedMeanwhile }
                try transaction.expectNames(names)
                try converting(ChangeError.vault, transaction.pin(new, proof: proof))
            }
            try json.print(Hex.encode(new.hash), json: change.json)
        }

        private func read(for address: ContractAddress) throws -> PinnedABI {
            try placed(at: file.name) {
                let abi = try ABIDefinition.read(file.read())
                Messages.warn(of: try ABI(abi.definition).warnings, in: file)
                if let stated = abi.account, stated != address.account {
                    throw TransactionError.abiOfOtherAccount(
                        account: try Name(address.account), stated: stated)
                }
                let raw = try abi.rawForm()
                let found = ABIHash(raw: raw).text
                if let hash, hash.lowercased() != found { throw CommandError.otherABIHash(found: found) }
                return try PinnedABI(address, raw: raw, pinnedAt: Clock.now)
            }
        }
    }

    struct Unpin: ReleasingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "unpin", abstract: "Remove a pinned ABI from the vault.",
            discussion: """
                Afterwards `sign` uses the built-in ABI of the account, or needs --abi if there is none. In a vault \
                with policies, the command needs their second unlock method.

                  eosvault abi unpin mytoken --chain eos
                """)

        @OptionGroup var contract: ContractOptions
        @OptionGroup var release: ReleaseOptions
        @OptionGroup var common: CommonOptions

        func run() throws {
            try contract.chain.expectForm()
            let file = try vault.open()
            let names = try placed(at: vault.name()) { ChainNames(try file.unverifiedNamedChains()) }
            let address = try contract.address(names)
            // An ABI that is not in the file is refused before the PIN is read.
            try placed(at: vault.name()) {
                guard
                    try file.unverifiedPinnedABIs(of: address.chain).contains(where: {
                        $0.contract == address
                    })
                else { throw VaultError.input(.noPinnedABI) }
            }
            let policies = try placed(at: vault.name()) { try file.unverifiedPolicies() }
            let unlocked = try method.unlock(file, beforeTyping: second.typed(for: policies))
            let proof = try second.prove(policies, in: unlocked)
            let removed = try unlocked.transaction {
                (transaction: inout VaultTransaction) throws(ChangeError) in
                try transaction.expectNames(names)
                let removed = try converting(ChangeError.vault, transaction.pinnedABI(for: address))
                try converting(ChangeError.vault, transaction.unpin(address, proof: proof))
                return removed
            }
            guard let removed else { return }
            try json.print(Hex.encode(removed.hash), json: removed.json)
        }
    }
}

/// The contract whose ABI is pinned.
struct ContractOptions: ParsableArguments {
    @Argument(help: "The account of the contract.")
    var account: AccountOption

    @Option(name: .shortAndLong, help: .chain, completion: .chains)
    var chain: ChainArgument

    func validate() throws {
        if account.account.rawValue == 0 { throw ValidationError("ACCOUNT is empty") }
    }

    func address(_ names: ChainNames) throws -> ContractAddress {
        let chain = try chain.id(names)
        guard let address = ContractAddress(chain: chain.bytes, account: account.account.text) else {
            throw ValidationError("ACCOUNT is empty")
        }
        return address
    }
}
