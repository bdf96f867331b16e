import ArgumentParser
import Codecs
import Hardening
import JSON
import Shell
import Transactions

struct MsigGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "msig", abstract: "Work with multisig proposals.", subcommands: [Hash.self])

    struct Hash: JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "hash",
            abstract: "Print the SHA-256 of a proposal, as `approve` states it in proposal_hash.",
            discussion: """
                The file is the row of the proposal from get_table_rows, its packed_transaction in hex, the proposed \
                transaction, or the transaction that proposes it.

                  eosvault msig hash proposal.json
                """)

        @OptionGroup var transaction: TransactionOptions
        @OptionGroup var common: CommonOptions

        var requiredAccess: FileAccess { transaction.fileAccess }

        func run() throws {
            let proposal = try transaction.input.proposal(transaction.contracts())
            guard json.isOn else { return try Output.data(Hex.encode(proposal.hash) + "\n") }
            try Output.json(Self.object.json(proposal))
        }

        static let object = JSONObject<ProposedTransaction>([
            .text("proposal_hash", "the SHA-256 of the packed transaction") { Hex.encode($0.hash) },
            .number("size", "its bytes") { $0.stored.count },
        ])
    }
}

extension InputFile {
    /// Reads a multisig proposal. An error states the file.
    func proposal(
        _ contracts: ContractABIs, _ contents: FileContents = FileContents()
    ) throws -> ProposedTransaction {
        let bytes = try contents.bytes(of: self)
        return try placed(at: name) { try ProposedTransaction(reading: bytes, name: nil, abis: contracts) }
    }
}
