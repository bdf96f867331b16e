import ArgumentParser
import Hardening
import Shell
import Signing
import SigningRequests
import Transactions

/// A transaction or a signing request, and the files and options that its review needs.
package struct ReviewInput: ParsableArguments {
    package init() {}

    @OptionGroup package var transaction: TransactionOptions

    @Option(
        help: ArgumentHelp(
            "Sign this action as bytes if it can't be decoded: the review can't show what it does. Repeat the option "
                + "for several actions.", valueName: "account::action"))
    package var blind: [ActionPattern] = []

    @OptionGroup package var proposals: ProposalOptions
    @OptionGroup package var requests: RequestOptions

    private var otherFiles: [InputFile] { transaction.abis.files + requests.files + proposals.proposal }

    package var fileAccess: FileAccess { transaction.fileAccess + otherFiles.fileAccess }

    package func refuseSharedInput(with others: [InputFile] = []) throws {
        try [transaction.input].refuseSharedInput(with: otherFiles + others)
    }

    /// Refuses input that `--lines` can't use.
    package func expectLines() throws {
        if let given = requests.given { throw ValidationError("--lines reads transactions: omit \(given)") }
        if transaction.isLink {
            throw ValidationError("--lines reads transactions: omit it for a signing request")
        }
    }

    /// Reads all files; with `lines`, without the file that has a transaction in each line.
    package func contents(lines: Bool = false) throws -> FileContents {
        let input = lines || transaction.isLink ? [] : [transaction.input]
        return try FileContents(of: transaction.abis.files + input + otherFiles)
    }

    /// What the input is.
    package enum Given {
        /// The text of a transaction in any form.
        case transaction([UInt8])
        /// The transaction that a signing request resolves to.
        case request(Review, RequestReview)
    }

    /// Reads the input, and resolves a signing request.
    package func given(
        _ contracts: ContractABIs, chain: @autoclosure () throws -> ChainID?, _ contents: FileContents
    ) throws -> Given {
        let text = try transaction.contents(contents)
        guard let link = try transaction.link(in: text) else {
            if let given = requests.given {
                throw ValidationError("\(given) is for signing requests, and the input is a transaction")
            }
            return .transaction(text)
        }
        guard let chain = try chain() else { throw ValidationError("a signing request needs --chain") }
        let (resolved, request) = try requests.resolve(
            link, contracts, chain: chain, name: transaction.name, contents)
        let review = try review(
            resolved.transaction, link.request.contracts(contracts), chain: chain, contents)
        try placed(at: transaction.name) { try review.expectNoPlaceholder() }
        return .request(review, request)
    }

    /// Reviews the transaction, or the transaction that the signing request resolves to.
    /// - Parameter onlyRequests: refuses another input than a signing request.
    func review(
        _ contracts: ContractABIs, chain: ChainID?, _ contents: FileContents, onlyRequests: Bool = false
    ) throws -> (Review, RequestReview?) {
        if onlyRequests, try transaction.link(in: transaction.contents(contents)) == nil {
            throw Placed(place: transaction.name, error: RequestError.unknownScheme)
        }
        switch try given(contracts, chain: chain, contents) {
        case .transaction(let text):
            let signed = try placed(at: transaction.name) { try SignedTransaction(contents: text, contracts) }
            return (try review(signed, contracts, chain: chain, contents), nil)
        case .request(let review, let request): return (review, request)
        }
    }

    private func review(
        _ signed: SignedTransaction, _ contracts: ContractABIs, chain: ChainID?, _ contents: FileContents
    ) throws -> Review {
        let proposals = try proposals.read(contracts, contents)
        return try placed(at: transaction.name) {
            try Review(of: signed, chain: chain, abis: contracts, blind: Set(blind), proposals: proposals)
        }
    }
}

/// The proposals that a transaction approves or executes.
package struct ProposalOptions: ParsableArguments {
    package init() {}

    @Option(
        help: ArgumentHelp(
            "The multisig proposal that the transaction approves or executes, from get_table_rows or as a transaction. "
                + "Repeat the option for several proposals.", valueName: "file"))
    package var proposal: [InputFile] = []

    /// Reads the proposals. An error states the file.
    func read(_ contracts: ContractABIs, _ contents: FileContents = FileContents()) throws -> [GivenProposal]
    {
        try proposal.map { file in
            let proposal = try file.proposal(contracts, contents)
            let transaction = try placed(at: file.name) { try SignedTransaction(packed: proposal.stored) }
            return GivenProposal(transaction, file: file.name, name: proposal.name)
        }
    }
}
