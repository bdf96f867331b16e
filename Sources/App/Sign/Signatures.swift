import ArgumentParser
import Hardening
import Shell
import Signing
import Transactions

struct Signatures: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "signatures",
        abstract: "List the keys that signed a transaction.",
        discussion: """
            With --authority, the keys are compared with the permissions that the authorizations name: the file is a \
            node's answer to get_account (`cleos get account NAME -j`). Give the file of each account, including \
            accounts that a permission refers to. The exit status is 1 unless a chain with these permissions accepts \
            the signatures: the chain also refuses signatures that are not needed. Whether an action may use the \
            permission (`linkauth`), the expiration and resources are not checked. For each key, the output lists the \
            permissions of the files that it controls, as `eosvault show KEY --authority` does.

              eosvault signatures signed.json --chain eos
              eosvault signatures signed.json --chain eos --authority alice.json
            """)

    @OptionGroup var transaction: TransactionOptions

    @Option(name: .shortAndLong, help: .chain, completion: .chains)
    var chain: ChainArgument

    @OptionGroup var accounts: AccountFiles

    @OptionGroup var common: CommonOptions

    func validate() throws {
        try [transaction.input].refuseSharedInput(with: transaction.abis.files + accounts.authority)
    }

    var requiredAccess: FileAccess { transaction.fileAccess + accounts.authority.fileAccess }

    func run() throws {
        let chain = try chain.value
        let transaction = try transaction.read()
        var signers = try placed(at: self.transaction.input.name) {
            try TransactionSigners(of: transaction, chain: chain)
        }
        var control: [KeyControl]?
        if !accounts.authority.isEmpty {
            control = try accounts.read { accounts throws(UnreadableAuthority) in
                try signers.check(accounts)
                let authorities = try AccountAuthorities(accounts)
                return try signers.keys.map { key throws(UnreadableAuthority) in
                    KeyControl(key: key, permissions: try authorities.controlled(by: key))
                }
            }
        }
        try json.report(signers.text(control ?? []), json: Self.object.json((signers, control)))
        if signers.isAccepted == false { throw ExitStatus.failed }
    }

    static let object = JSONObject<(signers: TransactionSigners, control: [KeyControl]?)>([])
        .adding(TransactionSigners.object) { $0.signers }
        .adding([
            .list(
                "keys?", of: KeyControl.object, "the keys that signed and what they control, with --authority"
            ) {
                $0.control
            }
        ])
}
