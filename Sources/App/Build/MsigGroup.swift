import ArgumentParser
import Codecs
import Hardening
import JSON
import Shell
import Signing
import Transactions

struct MsigGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "msig", abstract: "Work with multisig proposals.", subcommands: [Hash.self, Status.self])

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

extension MsigGroup {
    struct Status: JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Compare a proposal with its approvals and the permissions that it needs.",
            discussion: """
                The file is the proposal, as `msig hash` reads it. --approvals is its row of the table approvals2 from \
                get_table_rows (`cleos get table eosio.msig PROPOSER approvals2`). --authority is a node's answer to \
                get_account: give one for each account that acts in the transaction or to which its permissions \
                refer. The exit status is 1 unless the approvals are enough and the transaction has not expired, by \
                this machine's clock. Two things are not checked: whether an account has invalidated its approvals \
                (`eosio.msig::invalidate`), and whether an action may use the permission (`linkauth`).

                  eosvault msig status proposal.json --approvals approvals.json --authority alice.json
                """)

        @OptionGroup var transaction: TransactionOptions

        @Option(help: ArgumentHelp("The row of the table approvals2.", valueName: "file"))
        var approvals: InputFile

        @OptionGroup var accounts: AccountFiles
        @OptionGroup var common: CommonOptions

        func validate() throws {
            try ([transaction.input, approvals] + accounts.authority).refuseSharedInput(
                with: transaction.abis.files)
        }

        var requiredAccess: FileAccess {
            transaction.fileAccess + ([approvals] + accounts.authority).fileAccess
        }

        func run() throws {
            let proposal = try transaction.input.proposal(transaction.contracts())
            let approvals = try placed(at: approvals.name) {
                try ProposalApprovals(reading: self.approvals.read(), proposal: proposal.name)
            }
            let status = try accounts.read { accounts throws(UnreadableAuthority) in
                try ProposalStatus(of: proposal, approvals, accounts: accounts, now: Clock.now)
            }
            try json.report(status.text, json: status.json)
            guard status.isExecutable else { throw ExitStatus.failed }
        }
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
