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

            With --lines, each line of FILE is a transaction. The review is the same as for `sign --lines`, so that a \
            second person can check it.

              eosvault inspect transfer.json --chain eos
              eosvault inspect --lines withdrawals.txt --chain eos
              eosvault inspect request.txt --chain eos --account alice --block info.json
            """)

    @OptionGroup var input: ReviewInput

    @Option(name: .shortAndLong, help: .chain, completion: .chains)
    var chain: ChainArgument?

    @Flag(help: "Show each line of the file as a transaction, with the totals of all lines.")
    var lines = false

    @OptionGroup var vault: ReviewVaultOptions

    @OptionGroup var common: CommonOptions

    func validate() throws {
        try input.refuseSharedInput()
        guard lines else { return }
        if chain == nil { throw ValidationError("--lines needs --chain") }
        try input.expectLines()
    }

    var requiredAccess: FileAccess { input.fileAccess + vault.fileAccess }

    func run() throws {
        try chain?.expectForm(hasVault: vault.vault != nil)
        let vault = try vault.open()
        if vault != nil { Messages.note(Words.unverifiedVault) }
        let contents = try input.contents(lines: lines)
        if lines, let chain { return try showLines(contents, chain: chain, vault) }
        let (review, asked, own) = try vault.snapshot {
            let names = try vault.chainNames()
            let chain = try chain?.id(names)
            var (review, asked) = try input.review(
                contracts(contents, of: chain, vault), chain: chain, contents)
            review.chainName = chain.flatMap(names.givenName)
            review.history = try vault?.history(of: review)
            return (review, asked, try vault.map { try OwnKeys($0.keys()) })
        }
        let text = ReviewText(
            review: review, now: Clock.now, own: own,
            request: asked, width: TerminalSize(of: FileDescriptor.standardOutput.number).columns)
        guard !json.isOn else { return try Output.json(text.json) }
        try Output.data(
            text.text + (review.chain.map { signLine($0, review, asked, width: text.width) } ?? ""))
    }

    private func contracts(
        _ contents: FileContents, of chain: ChainID?, _ vault: LockedVault?
    ) throws -> ContractABIs {
        try input.transaction.contracts(pins: chain.flatMap { try vault?.pins(of: $0) } ?? [], contents)
    }

    /// The review of many transactions, as `sign --lines` shows it.
    private func showLines(_ contents: FileContents, chain: ChainArgument, _ vault: LockedVault?) throws {
        let (batch, payments) = try vault.snapshot {
            let names = try vault.chainNames()
            let chain = try chain.id(names)
            let contracts = try contracts(contents, of: chain, vault)
            let batch = try SigningBatch(
                chain: chain, chainName: names.givenName(of: chain), abis: contracts, keys: [],
                own: vault.map { try OwnKeys($0.keys()) },
                consent: ScriptConsent(),
                blind: Set(input.blind), proposals: input.proposals.read(contracts, contents))
            return (batch, try vault?.ledger() ?? PaymentLedger())
        }
        let file = input.transaction.input
        try placed(at: file.name) {
            try file.withDescriptor { descriptor throws(InputFile.Failure) in
                let lines = SignLines(
                    batch, of: try LineSource(descriptor),
                    history: .init(payments: payments, policies: .empty))
                return Result {
                    let review = try lines.review()
                    let question = BatchQuestion(review, lines.pages(of: review), of: batch, keys: [])
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
        var parts = ["eosvault sign", ShellWord.quoted(input.transaction.file)]
        parts.append("--chain \(chain.chain?.name ?? review.chainName ?? chain.text)")
        parts += asked?.resolution.map(input.requests.parts) ?? []
        for option in input.transaction.abis.abi {
            parts.append("--abi " + ShellWord.quoted("\(option.account.text)=\(option.path)"))
        }
        parts += input.transaction.abiOverride.map { "--abi-override \($0.account.text)" }
        parts += input.blind.map { "--blind \($0.account.text)::\($0.action.text)" }
        parts += input.proposals.proposal.map { "--proposal " + ShellWord.quoted($0.path) }
        if let path = vault.vault { parts.append("--vault " + ShellWord.quoted(path)) }
        parts.append("--expect \(review.transaction.id)")
        var rows = Rows(width: width - 2, isCommand: true)
        rows.append("  ", parts: parts, separator: " ", indent: 2)
        return Words.toSign + "\n" + rows.rows.joined(separator: " \\\n") + "\n"
    }
}
