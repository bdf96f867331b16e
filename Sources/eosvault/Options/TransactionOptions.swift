import ABICodec
import ArgumentParser
import Signing
import Transactions

/// A transaction, the chain it is for, and what decodes its actions.
struct TransactionOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The transaction: unpacked JSON, packed JSON or packed hex; `-` for standard input.", valueName: "file"))
    var file: String

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The ABI of a contract, JSON or raw, before any built in; may be given several times.", valueName: "account=file"))
    var abi: [ABIOption] = []

    var input: InputFile { InputFile(path: file) }
    var abiFiles: [InputFile] { abi.map { InputFile(path: $0.path) } }

    func contracts() throws -> ContractABIs {
        var contracts = ContractABIs()
        for option in abi {
            let file = InputFile(path: option.path)
            do { Messages.warn(of: try contracts.add(file.read(), for: option.account), in: file) } catch {
                throw Placed(place: file.name, error: error)
            }
        }
        return contracts
    }

    func read(_ contracts: ContractABIs) throws -> SignedTransaction {
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

extension ActionPattern: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

/// What may be signed without being shown decoded.
struct BlindOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Take this action as bytes where it can't be decoded; may be given several times.", valueName: "account::action"))
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
