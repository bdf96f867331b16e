import ABICodec
import ArgumentParser
import Shell
import Transactions

// Actions of eosio.msig.

struct ProposeArguments: ActionArguments {
    static let configuration = CommandConfiguration(
        commandName: "msig-propose", abstract: "Propose a transaction that several accounts approve.",
        discussion: """
            Make the proposed transaction with `eosvault build … --no-block --expires 7d`. It has no signatures.

              eosvault build msig-propose alice payday payment.json bob@active carol@active --chain eos --block \
            info.json
            """)

    @Argument(help: "The account that proposes.") var proposer: String
    @Argument(help: "The name of the proposal.") var proposal: String
    @Argument(help: ArgumentHelp("The proposed transaction, in any form that `sign` reads.", valueName: "file"))
    var transaction: InputFile
    @Argument(help: ArgumentHelp("A permission that must approve.", valueName: "account@permission"))
    var requested: [String]
    @OptionGroup var authorization: AuthorizationOptions

    var files: [InputFile] { [transaction] }
    var usesPins: Bool { true }

    func action(_ context: BuildContext) throws -> NewAction {
        let inner = try context.read(transaction) { text in
            let inner = try SignedTransaction(reading: text, abis: context.contracts)
            try inner.expectChain(context.chain)
            return inner
        }
        return try .propose(
            proposer: parsedName(proposer, "proposer"), proposal: parsedName(proposal, "proposal"),
            requested: requested.map { try parsedLevel($0, "requested") }, transaction: inner)
    }
}

struct ApproveArguments: ActionArguments {
    static let configuration = CommandConfiguration(
        commandName: "msig-approve", abstract: "Approve a proposed transaction by its hash.",
        discussion: """
            The chain refuses the approval if the proposal has another hash. Give the proposal's row of the table, the \
            propose action, or the proposed transaction with --proposal, or its hash with --hash.

              eosvault build msig-approve alice payday bob@active --proposal row.json --chain eos --block info.json
            """)

    @Argument(help: "The account that proposed.") var proposer: String
    @Argument(help: "The name of the proposal.") var proposal: String
    @Argument(help: ArgumentHelp("The permission that approves.", valueName: "account@permission"))
    var level: String

    @Option(name: .customLong("proposal"), help: ArgumentHelp("The proposal, to compute its hash.", valueName: "file"))
    var file: InputFile?

    @Option(help: ArgumentHelp("The SHA-256 of the proposed transaction.", valueName: "hex"))
    var hash: String?

    @OptionGroup var authorization: AuthorizationOptions

    var files: [InputFile] { [InputFile](given: file) }

    func action(_ context: BuildContext) throws -> NewAction {
        let proposal = try parsedName(proposal, "proposal")
        return try .approve(
            proposer: parsedName(proposer, "proposer"), proposal: proposal, level: parsedLevel(level, "level"),
            hash: hash(of: proposal, context))
    }

    private func hash(of proposal: Name, _ context: BuildContext) throws -> [UInt8] {
        switch (file, hash) {
        case (let file?, nil):
            return try context.read(file) { text in
                try ProposedTransaction(reading: text, name: proposal, abis: context.contracts).hash
            }
        case (nil, let hash?): return try placed(at: "--hash") { try ProposedTransaction.hash(hash) }
        case (_?, _?), (nil, nil): throw ValidationError("give --proposal or --hash")
        }
    }
}

struct ExecArguments: ActionArguments {
    static let configuration = CommandConfiguration(
        commandName: "msig-exec", abstract: "Execute a proposed transaction that has its approvals.",
        discussion: "  eosvault build msig-exec alice payday carol --chain eos --block info.json")

    @Argument(help: "The account that proposed.") var proposer: String
    @Argument(help: "The name of the proposal.") var proposal: String
    @Argument(help: "The account that pays for the execution.") var executer: String
    @OptionGroup var authorization: AuthorizationOptions

    func action(_ context: BuildContext) throws -> NewAction {
        try .execute(
            proposer: parsedName(proposer, "proposer"), proposal: parsedName(proposal, "proposal"),
            executer: parsedName(executer, "executer"))
    }
}

/// An argument that is `ACCOUNT@PERMISSION`.
private func parsedLevel(_ text: String, _ place: String) throws -> PermissionLevel {
    try placed(at: place) { try PermissionLevel(text) }
}
