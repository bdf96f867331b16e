import ABICodec
import ArgumentParser
import Files
import Hardening
import KeyVault
import Shell
import Signing
import Transactions

struct Inspect: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show the review of a transaction, as `sign` does, without a key.",
        discussion: """
            With --vault, the review uses the vault's pinned ABIs and labels. They are not verified, because \
            this command does not ask for the PIN.

            With --lines, each line of FILE is a transaction, and the review is that of `sign --lines`: a second \
            person can check it.

              eosvault inspect transfer.json --chain eos
              eosvault inspect --lines withdrawals.txt --chain eos
              eosvault inspect request.txt --chain eos --account alice --block info.json
            """)

    @OptionGroup var transaction: TransactionOptions
    @OptionGroup var options: ReviewOptions
    @OptionGroup var requests: RequestOptions

    @Option(name: .shortAndLong, help: ChainOption.help, completion: .chains)
    var chain: String?

    @Flag(help: "Show each line of the file as a transaction, with the totals of all lines.")
    var lines = false

    @OptionGroup var vault: ReviewVaultOptions

    @OptionGroup var common: CommonOptions

    func validate() throws {
        try [transaction.input].refuseSharedInput(with: transaction.abis.files + options.files + requests.files)
        guard lines else { return }
        if chain == nil { throw ValidationError("--lines needs --chain") }
        if let given = requests.given { throw ValidationError("--lines reads transactions: omit \(given)") }
        if transaction.isLink { throw ValidationError("--lines reads transactions: omit it for a signing request") }
    }

    var requiredAccess: FileAccess {
        transaction.fileAccess + options.files.fileAccess + requests.files.fileAccess + vault.fileAccess
    }

    func run() throws {
        let chain = try chain.map(ChainOption.parse)
        let vault = try vault.open()
        if vault != nil { Messages.note(Words.unverifiedVault) }
        let contracts = try transaction.contracts(pins: self.vault.unverifiedPins(of: chain, in: vault))
        if lines, let chain { return try showLines(contracts, chain: chain, vault) }
        var (review, asked) = try requests.review(transaction, contracts, chain: chain, options)
        review.history = try self.vault.unverifiedHistory(of: review, in: vault)
        let own = try vault.map { try OwnKeys(self.vault.unverifiedKeys(of: $0)) }
        let text = ReviewText(
            review: review, now: Clock.now, own: own,
            request: asked, width: TerminalSize(of: FileDescriptor.standardOutput.number).columns)
        guard !json.isOn else { return try Output.json(text.json) }
        try Output.data(text.text + (chain.map { signLine($0, review, asked, width: text.width) } ?? ""))
    }

    /// The review of many transactions, as `sign --lines` shows it.
    private func showLines(_ contracts: ContractABIs, chain: ChainID, _ vault: Vault?) throws {
        let batch = try SigningBatch(
            chain: chain, abis: contracts, keys: [],
            own: vault.map { try OwnKeys(self.vault.unverifiedKeys(of: $0)) }, consent: ScriptConsent(),
            blind: options.patterns, proposals: options.proposals(contracts))
        let payments = try vault.map { try $0.unverifiedLedger() } ?? PaymentLedger()
        let input = transaction.input
        try placed(at: input.name) {
            try input.withDescriptor { file throws(InputFile.Failure) in
                let lines = SignLines(
                    batch, of: try LineSource(file), history: .init(payments: payments, policies: .empty))
                return Result {
                    let review = try lines.review()
                    let question = BatchQuestion(review, lines.pages(of: review), chain: chain, keys: [])
                    let width = TerminalSize(of: FileDescriptor.standardOutput.number).columns
                    if json.isOn {
                        try question.writeJSON(Output.json)
                    } else {
                        try question.write(width: width) { try Output.data($0) }
                    }
                    if review.refusedCount > 0 { throw ExitStatus.failed }
                }
            }
        }.get()
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
