import ABICodec
import ArgumentParser
import Shell
import Transactions

// The actions of eosio.msig that `build` makes.

enum Propose: BuildAction {
    static let form: ActionForm? = .propose
    static let configuration = CommandConfiguration(
        commandName: "msig-propose", abstract: "Propose a transaction that several accounts approve.",
        discussion: """
            Make the proposed transaction with `eosvault build … --no-block --expires 7d`. It has no signatures.

              eosvault build msig-propose alice payday payment.json bob@active carol@active --chain eos --block \
            info.json
            """)
    static let fields = [
        FieldArgument("proposer", "The account that proposes."),
        FieldArgument("proposal_name", as: "proposal", "The name of the proposal."),
        FieldArgument(
            "trx", as: "transaction", "The proposed transaction, in any form that `sign` reads.",
            value: "file"),
        FieldArgument("requested", "A permission that must approve.", value: "account@permission"),
    ]

    static func usesPins(_ texts: FieldTexts) -> Bool { true }
}

enum Approve: BuildAction {
    static let form: ActionForm? = .approve
    static let configuration = CommandConfiguration(
        commandName: "msig-approve", abstract: "Approve a proposed transaction by its hash.",
        discussion: """
            The chain refuses the approval if the proposal has another hash. Give the proposal's row of the table, the \
            propose action, or the proposed transaction with --proposal, or its hash with --hash.

              eosvault build msig-approve alice payday bob@active --proposal row.json --chain eos --block info.json
            """)
    static let fields = [
        FieldArgument("proposer", "The account that proposed."),
        FieldArgument("proposal_name", as: "proposal", "The name of the proposal."),
        FieldArgument("level", "The permission that approves.", value: "account@permission"),
        FieldArgument("proposal", "The proposal, to compute its hash.", value: "file", .option, type: "file"),
        FieldArgument("hash", "The SHA-256 of the proposed transaction.", value: "hex", .option),
    ]

    static func complete(_ values: inout ActionValues, _ texts: FieldTexts, _ context: BuildContext) throws {
        let proposal = try texts.name("proposal_name", "proposal")
        switch (texts.file("proposal"), texts["hash"].first) {
        case (let file?, nil):
            values["proposal_hash"] = .hash(
                try context.read(file) { text in
                    try ProposedTransaction(reading: text, name: proposal, abis: context.contracts).hash
                })
        case (nil, let hash?):
            values["proposal_hash"] = .hash(try parsing("--hash") { try ProposedTransaction.hash(hash) })
        case (_?, _?), (nil, nil): throw ValidationError("give --proposal or --hash")
        }
    }
}

enum Unapprove: BuildAction {
    static let form: ActionForm? = .unapprove
    static let configuration = CommandConfiguration(
        commandName: "msig-unapprove", abstract: "Take back the approval of a proposed transaction.",
        discussion: "  eosvault build msig-unapprove alice payday bob@active --chain eos --block info.json")
    static let fields = [
        FieldArgument("proposer", "The account that proposed."),
        FieldArgument("proposal_name", as: "proposal", "The name of the proposal."),
        FieldArgument("level", "The permission that approved.", value: "account@permission"),
    ]
}

enum Cancel: BuildAction {
    static let form: ActionForm? = .cancel
    static let configuration = CommandConfiguration(
        commandName: "msig-cancel", abstract: "Remove a proposed transaction.",
        discussion: """
            The account that proposed can cancel at any time. Another account can cancel only after the proposed \
            transaction has expired.

              eosvault build msig-cancel alice payday --chain eos --block info.json
            """)
    static let fields = [
        FieldArgument("proposer", "The account that proposed."),
        FieldArgument("proposal_name", as: "proposal", "The name of the proposal."),
        FieldArgument("canceler", "The account that cancels (default: the proposer).", .optional),
    ]
}

enum Execute: BuildAction {
    static let form: ActionForm? = .execute
    static let configuration = CommandConfiguration(
        commandName: "msig-exec", abstract: "Execute a proposed transaction that has its approvals.",
        discussion: "  eosvault build msig-exec alice payday carol --chain eos --block info.json")
    static let fields = [
        FieldArgument("proposer", "The account that proposed."),
        FieldArgument("proposal_name", as: "proposal", "The name of the proposal."),
        FieldArgument("executer", "The account that pays for the execution."),
    ]
}
