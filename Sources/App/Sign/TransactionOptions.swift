import ABICodec
import ArgumentParser
import Shell
import Signing
import SigningRequests
import Transactions

/// A transaction, and the ABIs that decode its actions.
package struct TransactionOptions: ParsableArguments {
    package init() {}

    @Argument(
        help: ArgumentHelp(
            "The transaction: unpacked or packed JSON from cleos, a node or eosjs, packed hex, or the text of scanned "
                + "QR codes; for sign, inspect and request also a signing request; `-` for standard input."),
        completion: .file())
    package var file: String

    @OptionGroup package var abis: ABIOptions

    @Option(
        help: ArgumentHelp(
            "Let --abi replace this account's pinned or built-in ABI with a different one. The review warns about it.",
            valueName: "account"))
    package var abiOverride: [AccountOption] = []

    package func validate() throws {
        for option in abiOverride where !abis.abi.contains(where: { $0.account == option.account }) {
            throw ValidationError(
                "--abi-override \(option.account.text) needs --abi \(option.account.text)=FILE")
        }
        try [input].refuseSharedInput(with: abis.files)
    }

    package var input: InputFile { InputFile(path: file) }

    /// - Parameter pins: the ABIs that a vault pins for the chain.
    package func contracts(
        pins: [PinnedContractABI] = [], _ contents: FileContents = FileContents()
    ) throws -> ContractABIs {
        try abis.contracts(pins: pins, overriding: Set(abiOverride.map(\.account)), contents)
    }

    /// Reads the transaction for commands that show no review, and prints the review's warnings as
    /// messages.
    func read() throws -> SignedTransaction {
        let contracts = try contracts()
        for override in contracts.overrides {
            Messages.warning(Warning.abiOverride(override).text)
        }
        return try input.transaction(contracts)
    }
}

extension InputFile {
    /// Reads a transaction that no review shows, and prints the review's warnings about its data as
    /// messages.
    func transaction(_ contracts: ContractABIs) throws -> SignedTransaction {
        try transaction(in: contents(), contracts)
    }

    /// The bytes of a file, which must not be a signing request.
    func contents() throws -> [UInt8] {
        let isLink = RequestLink.isLink(Array(path.utf8))
        return try placed(at: isLink ? "the link" : name) {
            let contents = isLink ? Array(path.utf8) : try read()
            guard !RequestLink.isLink(contents) else { throw CommandError.signingRequest }
            return contents
        }
    }

    /// - Parameter contents: the bytes of this file.
    func transaction(in contents: [UInt8], _ contracts: ContractABIs) throws -> SignedTransaction {
        let signed = try placed(at: name) { try SignedTransaction(contents: contents, contracts) }
        let transaction = signed.transaction
        let unchecked = Set(
            signed.uncheckedData.map { place in
                let action = (place.isContextFree ? transaction.contextFreeActions : transaction.actions)[
                    place.index]
                return Warning.uncheckedData(ActionReference(action, place)).text
            })
        for text in unchecked.sorted() { Messages.warning(text) }
        return signed
    }
}

extension SignedTransaction {
    /// Reads a transaction in any form of a file, or from the text of QR codes.
    package init(contents: [UInt8], _ contracts: ContractABIs) throws {
        if let codes = ScannedCodes(contents) {
            self = try codes.transaction()
        } else {
            try self.init(reading: contents, abis: contracts)
        }
    }
}

/// The ABIs of --abi.
package struct ABIOptions: ParsableArguments {
    package init() {}

    @Option(
        help: ArgumentHelp(
            "The ABI of a contract, JSON or raw. Repeat the option for several accounts.",
            valueName: "account=file"))
    package var abi: [ABIOption] = []

    package func validate() throws {
        var accounts: Set<Name> = []
        for option in abi where !accounts.insert(option.account).inserted {
            throw ValidationError("--abi is given twice for \(option.account.text)")
        }
    }

    package var files: [InputFile] { abi.map { InputFile(path: $0.path) } }

    /// Reads the ABIs, and prints their warnings.
    /// - Parameters:
    ///   - pins: the ABIs that a vault pins for the chain.
    ///   - overridden: the accounts whose pinned or built-in ABI is replaced.
    func contracts(
        pins: [PinnedContractABI] = [], overriding overridden: Set<Name> = [],
        _ contents: FileContents = FileContents()
    ) throws -> ContractABIs {
        var contracts = ContractABIs(pins: pins)
        for (option, file) in zip(abi, files) {
            let overriding = overridden.contains(option.account)
            let bytes = try contents.bytes(of: file)
            let warnings = try placed(at: file.name) {
                try contracts.add(bytes, for: option.account, overriding: overriding)
            }
            Messages.warn(of: warnings, in: file)
        }
        return contracts
    }
}

/// An option value `ACCOUNT=FILE`.
package struct ABIOption: ExpressibleByArgument {
    package static let defaultCompletionKind = CompletionKind.accountFile

    package let account: Name
    package let path: String

    package init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty, let account = try? Name(parts[0]) else { return nil }
        self.account = account
        path = String(parts[1])
    }
}

/// An option value `ACCOUNT`.
package struct AccountOption: ExpressibleByArgument {
    package let account: Name

    package init?(argument: String) {
        guard let account = try? Name(argument) else { return nil }
        self.account = account
    }
}

extension ActionPattern: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}
