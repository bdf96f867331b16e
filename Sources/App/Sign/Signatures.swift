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
            permission (`linkauth`), the expiration and resources are not checked.

              eosvault signatures signed.json --chain eos
              eosvault signatures signed.json --chain eos --authority alice.json
            """)

    @OptionGroup var transaction: TransactionOptions

    @Option(name: .shortAndLong, help: .chain, completion: .chains)
    var chain: ParsedArgument<ChainID>

    @Option(
        help: ArgumentHelp(
            "A node's answer to get_account. Repeat the option for several accounts.", valueName: "file")
    )
    var authority: [InputFile] = []

    @OptionGroup var common: CommonOptions

    func validate() throws {
        try [transaction.input].refuseSharedInput(with: transaction.abis.files + authority)
    }

    var requiredAccess: FileAccess { transaction.fileAccess + authority.fileAccess }

    func run() throws {
        let chain = try chain.value
        let transaction = try transaction.read()
        var signers = try placed(at: self.transaction.input.name) {
            try TransactionSigners(of: transaction, chain: chain)
        }
        if !authority.isEmpty {
            let accounts = try accounts()
            // An authority is read when it is needed.
            do throws(UnreadableAuthority) { try signers.check(accounts.map(\.permissions)) } catch {
                let file = accounts.first { $0.permissions.account == error.account }?.file
                throw Placed(place: file ?? "--authority", error: error.error)
            }
        }
        if json.isOn { try Output.json(signers.json) } else { try Output.report(signers.text) }
        if signers.isAccepted == false { throw ExitStatus.failed }
    }

    private func accounts() throws -> [(file: String, permissions: AccountPermissions)] {
        var names: Set<String> = []
        return try authority.map { answer in
            try placed(at: answer.name) {
                let account = try AccountPermissions(answer.read())
                guard names.insert(account.account).inserted else {
                    throw CommandError.accountTwice(account.account)
                }
                return (answer.name, account)
            }
        }
    }
}
