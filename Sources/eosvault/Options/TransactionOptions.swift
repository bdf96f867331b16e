import ABICodec
import ArgumentParser
import Signing
import Transactions

/// A transaction, the chain it is for, and what decodes its actions.
struct TransactionOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The transaction: JSON, unpacked or packed, as cleos, a node or eosjs writes it, or packed hex; `-` for standard input.",
            valueName: "file"))
    var file: String

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The ABI of a contract, JSON or raw; may be given for several accounts.", valueName: "account=file"))
    var abi: [ABIOption] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Let --abi replace the built-in ABI of this account by one that differs; the review warns of it.",
            valueName: "account"))
    var abiOverride: [AccountOption] = []

    func validate() throws {
        var accounts: Set<Name> = []
        for option in abi where !accounts.insert(option.account).inserted {
            throw ValidationError("--abi is given twice for \(option.account.text)")
        }
        for option in abiOverride where !accounts.contains(option.account) {
            throw ValidationError("--abi-override \(option.account.text) needs --abi \(option.account.text)=FILE")
        }
    }

    var input: InputFile { InputFile(path: file) }
    var abiFiles: [InputFile] { abi.map { InputFile(path: $0.path) } }

    func contracts() throws -> ContractABIs {
        let overridden = Set(abiOverride.map(\.account))
        var contracts = ContractABIs()
        for option in abi {
            let file = InputFile(path: option.path)
            do {
                let overriding = overridden.contains(option.account)
                Messages.warn(of: try contracts.add(file.read(), for: option.account, overriding: overriding), in: file)
            } catch { throw Placed(place: file.name, error: error) }
        }
        return contracts
    }

    /// The transaction, for commands that show no review: what a review would warn of is a message.
    func read() throws -> SignedTransaction {
        let contracts = try contracts()
        for override in contracts.overrides {
            Messages.warning(Words.abiOverride(override.account, override.given, override.builtIn))
        }
        let signed = try read(contracts)
        let transaction = signed.transaction
        let unchecked = Set(
            signed.uncheckedData.map { place in
                let action = (place.isContextFree ? transaction.contextFreeActions : transaction.actions)[place.index]
                return Words.uncheckedData(action.account, action.name)
            })
        for text in unchecked.sorted() { Messages.warning(text) }
        return signed
    }

    private func read(_ contracts: ContractABIs) throws -> SignedTransaction {
        let input = input
        do { return try SignedTransaction(reading: input.read(), abis: contracts) } catch {
            throw Placed(place: input.name, error: error)
        }
    }
}

extension TransactionOptions {
    /// What the transaction says, with the file's name before an error.
    func review(_ contracts: ContractABIs, chain: ChainID?, blind: Set<ActionPattern>) throws -> Review {
        let transaction = try read(contracts)
        do { return try Review(of: transaction, chain: chain, abis: contracts, blind: blind) } catch {
            throw Placed(place: input.name, error: error)
        }
    }
}

/// `ACCOUNT=FILE`
struct ABIOption: ExpressibleByArgument {
    let account: Name
    let path: String

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty, let account = try? Name(parts[0]) else { return nil }
        self.account = account
        path = String(parts[1])
    }
}

/// `ACCOUNT`
struct AccountOption: ExpressibleByArgument {
    let account: Name

    init?(argument: String) {
        guard let account = try? Name(argument) else { return nil }
        self.account = account
    }
}

extension ActionPattern: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

/// What may be signed without being shown decoded.
struct BlindOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Take this action as bytes where it can't be decoded; may be given several times.",
            valueName: "account::action"))
    var blind: [ActionPattern] = []

    var patterns: Set<ActionPattern> { Set(blind) }
}

/// The chain, never guessed.
struct ChainOption {
    static let help = ArgumentHelp("The chain: a name of `eosvault chains`, or its id.", valueName: "name or id")

    static func parse(_ text: String) throws -> ChainID {
        do { return try ChainID(text) } catch { throw Placed(place: "--chain \(Printable.line(text))", error: error) }
    }
}
