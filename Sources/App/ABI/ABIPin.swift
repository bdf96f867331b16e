import ABICodec
import ArgumentParser
import Codecs
import Hardening
import KeyVault
import Shell
import Transactions

extension ABIGroup {
    struct Pin: UnlockingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "pin",
            abstract: "Pin an ABI in the vault, for an account of a chain.",
            discussion: """
                `sign` then uses this ABI for the account on this chain, instead of a built-in one. `inspect` and \
                `build` use it if --vault names this vault. The command shows what differs from the ABI that was \
                pinned before, or that is built in: actions, fields and types. \
                Compare the SHA-256 of the raw form (abi_hash) with several nodes, and give it with --hash. The JSON \
                of `cleos get abi` can have another hash, so get the raw form with get_raw_abi for that. In a vault \
                with policies, the command needs their second unlock method, because a policy judges what the ABI \
                decodes.

                  eosvault abi pin mytoken token.abi.json --chain eos
                """)

        @OptionGroup var contract: ContractOptions

        @Argument(
            help: "The ABI: JSON, its raw form as bytes, hex or base64, or a node's answer; `-` for standard input.")
        var file: InputFile

        @Option(help: ArgumentHelp("Refuse an ABI whose raw form has another SHA-256.", valueName: "sha256"))
        var hash: String?

        @OptionGroup var unlocking: UnlockOptions
        @OptionGroup var second: SecondMethodOptions

        @Flag(help: "Pin without confirmation, for scripts.")
        var yes = false

        @OptionGroup var common: CommonOptions

        func validate() throws {
            try ([file] + second.inputs).refuseSharedInput(with: method.inputs)
            try [file].refuseSharedInput(with: second.inputs)
        }

        var requiredAccess: FileAccess {
            file.fileAccess + unlocking.fileAccess + second.fileAccess
                + (yes ? .none : .terminal)
        }

        func run() throws {
            if let hash, (try? Hex.decode(hash))?.count != 32 {
                throw ValidationError("--hash is a SHA-256: 64 hex digits")
            }
            let address = try contract.address()
            let new = try read(for: address)
            let vault = try vault.open()
            let earlier = try placed(at: self.vault.name()) {
                try vault.unverifiedPinnedABIs(of: address.chain).first { $0.contract == address }
            }
            let change = try ABIChange(to: new, from: earlier)
            try confirm(change)
            let policies = try placed(at: self.vault.name()) { try vault.unverifiedPolicies() }
            let unlocked = try method.unlock(vault, beforeTyping: second.typed(for: policies))
            let proof = try second.prove(policies, in: unlocked)
            try unlocked.transaction { (transaction: inout VaultTransaction) throws(ChangeError) in
                let now = try converting(ChangeError.vault, transaction.pinnedABI(for: address))
                guard now == earlier else { throw .pinChangedMeanwhile }
                try converting(ChangeError.vault, transaction.pin(new, proof: proof))
            }
            try json.print(Hex.encode(new.hash), json: change.json)
        }

        private func read(for address: ContractAddress) throws -> PinnedABI {
            try placed(at: file.name) {
                let abi = try ABIDefinition.read(file.read())
                Messages.warn(of: try ABI(abi.definition).warnings, in: file)
                if let stated = abi.account, stated != address.account {
                    throw TransactionError.abiOfOtherAccount(account: try Name(address.account), stated: stated)
                }
                let raw = try abi.rawForm()
                let found = ABIHash(raw: raw).text
                if let hash, hash.lowercased() != found { throw CommandError.otherABIHash(found: found) }
                return try PinnedABI(address, raw: raw, pinnedAt: Clock.now)
            }
        }

        /// Shows the change at the terminal, where the question is asked, or with --yes on standard
        /// error. With --json, the output states it.
        private func confirm(_ change: ABIChange) throws {
            guard !yes else {
                if !json.isOn { Output.words(change.lines.joined(separator: "\n")) }
                return
            }
            let terminal = try Terminal.open(for: .pinning)
            terminal.write(change.lines.joined(separator: "\n") + "\n")
            guard try terminal.confirm("Pin this ABI?") else { throw CommandError.notPinned }
        }
    }

    struct Unpin: UnlockingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "unpin",
            abstract: "Remove a pinned ABI from the vault.",
            discussion: """
                If the account has a built-in ABI, it is used again. If not, give --abi to sign for this account. In a \
                vault with policies, the command needs their second unlock method.

                  eosvault abi unpin mytoken --chain eos
                """)

        @OptionGroup var contract: ContractOptions
        @OptionGroup var unlocking: UnlockOptions
        @OptionGroup var second: SecondMethodOptions

        @OptionGroup var common: CommonOptions

        func validate() throws { try second.inputs.refuseSharedInput(with: method.inputs) }

        var requiredAccess: FileAccess { unlocking.fileAccess + second.fileAccess }

        func run() throws {
            let address = try contract.address()
            let file = try vault.open()
            // An ABI that is not in the file is refused before the PIN is read.
            try placed(at: vault.name()) {
                guard try file.unverifiedPinnedABIs(of: address.chain).contains(where: { $0.contract == address })
                else { throw VaultError.input(.noPinnedABI) }
            }
            let policies = try placed(at: vault.name()) { try file.unverifiedPolicies() }
            let unlocked = try method.unlock(file, beforeTyping: second.typed(for: policies))
            let proof = try second.prove(policies, in: unlocked)
            let removed = try unlocked.transaction { (transaction: inout VaultTransaction) throws(VaultError) in
                let removed = try transaction.pinnedABI(for: address)
                try transaction.unpin(address, proof: proof)
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
    var chain: ParsedArgument<ChainID>

    func validate() throws {
        if account.account.rawValue == 0 { throw ValidationError("ACCOUNT is empty") }
    }

    func address() throws -> ContractAddress {
        let chain = try chain.value
        guard let address = ContractAddress(chain: chain.bytes, account: account.account.text) else {
            throw ValidationError("ACCOUNT is empty")
        }
        return address
    }
}
