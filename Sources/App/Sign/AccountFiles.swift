import ABICodec
import ArgumentParser
import Hardening
import Shell
import Signing
import Transactions

/// The permissions of accounts, from nodes' answers to get_account.
struct AccountFiles: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A node's answer to get_account. Repeat the option for several accounts.", valueName: "file")
    )
    var authority: [InputFile] = []

    /// Reads the files and runs a step, which reads an authority when it needs it.
    func read<Result>(
        _ step: ([AccountPermissions]) throws(UnreadableAuthority) -> Result
    ) throws -> Result {
        var names: Set<String> = []
        let accounts = try authority.map { answer in
            try placed(at: answer.name) {
                let account = try AccountPermissions(answer.read())
                guard names.insert(account.account).inserted else {
                    throw CommandError.accountTwice(account.account)
                }
                return (file: answer.name, permissions: account)
            }
        }
        do { return try step(accounts.map(\.permissions)) } catch {
            let file = accounts.first { $0.permissions.account == error.account }?.file
            throw Placed(place: file ?? "--authority", error: error.error)
        }
    }
}
