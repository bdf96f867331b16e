import ABICodec
import ArgumentParser
import Files
import Sandbox
import Signing
import TerminalText
import Transactions

struct Inspect: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show the review of a transaction, as `sign` does, without a key.",
        discussion: """
            With --vault, the review uses the vault's pinned ABIs and labels. They are not verified, because \
            this command does not ask for the PIN.

              eosvault inspect transfer.json --chain eos
              eosvault inspect request.txt --chain eos --account alice --block info.json
            """)

    @OptionGroup var transaction: TransactionOptions
    @OptionGroup var options: ReviewOptions
    @OptionGroup var requests: RequestOptions

    @Option(name: .shortAndLong, help: ChainOption.help, completion: .chains)
    var chain: String?

    @OptionGroup var vault: ReviewVaultOptions

    @OptionGroup var common: CommonOptions

    func validate() throws {
        try [transaction.input].refuseSharedInput(with: transaction.abis.files + options.files + requests.files)
    }

    var requiredAccess: FileAccess {
        transaction.fileAccess + options.files.fileAccess + requests.files.fileAccess + vault.fileAccess
    }

    func run() throws {
        let chain = try chain.map(ChainOption.parse)
        let vault = try vault.open()
        if vault != nil { Messages.note(Words.unverifiedVault) }
        let contracts = try transaction.contracts(pins: self.vault.unverifiedPins(of: chain, in: vault))
        var (review, asked) = try requests.review(transaction, contracts, chain: chain, options)
        review.history = try self.vault.unverifiedHistory(of: review, in: vault)
        let own = try vault.map { try OwnKeys(self.vault.unverifiedKeys(of: $0)) }
        let text = ReviewText(
            review: review, now: Clock.now, own: own,
            request: asked, width: TerminalSize(of: FileDescriptor.standardOutput.number).columns)
        guard !json.isOn else { return try Output.json(text.json) }
        try Output.data(text.text + (chain.map { signLine($0, review, asked, width: text.width) } ?? ""))
    }

    /// The command that signs exactly this transaction.
    private func signLine(_ chain: ChainID, _ review: Review, _ asked: RequestReview?, width: Int) -> String {
        var parts = ["eosvault sign", ShellWord.quoted(transaction.file)]
        parts.append("--chain \(chain.chain?.name ?? chain.text)")
        parts += asked?.resolution.map(requests.parts) ?? []
        for option in transaction.abis.abi {
            parts.append("--abi " + ShellWord.quoted("\(option.account.text)=\(option.path)"))
        }
        parts += transaction.abiOverride.map { "--abi-override \($0.account.text)" }
        parts += options.blind.map { "--blind \($0.account.text)::\($0.action.text)" }
        parts += options.files.map { "--proposal " + ShellWord.quoted($0.path) }
        if let path = vault.vault { parts.append("--vault " + ShellWord.quoted(path)) }
        parts.append("--expect \(review.transaction.id)")
        var rows = Rows(width: width - 2, isCommand: true)
        rows.append("  ", parts: parts, separator: " ", indent: 2)
        return Words.toSign + "\n" + rows.rows.joined(separator: " \\\n") + "\n"
    }
}
