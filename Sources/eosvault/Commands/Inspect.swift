import ArgumentParser
import JSON
import Sandbox
import Signing
import Transactions

struct Inspect: ConfinedCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the review of a transaction, as `sign` does, without a key.",
        discussion: """
            With --vault, the review uses the vault's pinned ABIs and labels. Nothing of it is verified, because no \
            PIN is needed.

              eosvault inspect transfer.json --chain eos
            """)

    @OptionGroup var transaction: TransactionOptions
    @OptionGroup var blind: BlindOptions

    @Option(name: .shortAndLong, help: ChainOption.help)
    var chain: String?

    @OptionGroup var vault: ReviewVaultOptions

    @OptionGroup var json: JSONOption

    @OptionGroup var sandbox: SandboxOption

    func validate() throws {
        try [transaction.input].refuseSharedInput(with: transaction.abiFiles)
    }

    var requiredAccess: FileAccess { transaction.fileAccess + vault.fileAccess }

    func run() throws {
        let chain = try chain.map(ChainOption.parse)
        let vault = try vault.open()
        if vault != nil { Messages.note(Words.unverifiedVault) }
        let contracts = try transaction.contracts(pins: self.vault.unverifiedPins(of: chain, in: vault))
        let review = try transaction.review(contracts, chain: chain, blind: blind.patterns)
        let now = Clock.now
        try Output.data(
            json.isOn
                ? Printable.json(review.json(now: now), .pretty) + "\n" : ReviewText(review: review, now: now).text)
    }
}
