import ABICodec
import ArgumentParser
import Hardening
import JSON
import Shell
import Transactions

/// `build transfer`: one transfer, or all payments of a CSV file.
struct BuildTransfer: ConfinedCommand {
    static var configuration: CommandConfiguration { Transfer.configuration }

    @OptionGroup var arguments: ActionArguments<Transfer>
    @OptionGroup var payments: PaymentOptions
    @OptionGroup var transaction: BuildOptions
    @OptionGroup var sandbox: SandboxOption

    private var described: DescribedTransaction {
        DescribedTransaction(first: Transfer.described(by: arguments), options: transaction)
    }

    func validate() throws {
        try payments.check(arguments.fields.texts, transaction.further.actions)
        try described.validate(with: [InputFile](given: payments.csv))
    }

    /// The files of a list are those of its first action without arguments, and the list.
    var requiredAccess: FileAccess {
        described.requiredAccess + [InputFile](given: payments.csv).fileAccess
    }

    func run() throws {
        guard let csv = payments.csv else { return try described.run() }
        let file = try transaction.output.prepared()
        let header = try described.header()
        let groups = try groups(of: csv, on: header.chain)
        let made = try groups.map { group in
            var builder = header.builder
            try placed(at: csv.name) { try group.add(to: &builder) }
            return (lines: group.lines, transaction: try header.transaction(builder).jsonWithChain)
        }
        header.warn()
        guard payments.perTransaction != nil else {
            for (_, only) in made { try transaction.output.write(only, to: file) }
            return
        }
        let lines = made.map { Printable.json(Self.line($0.lines, $0.transaction)) + "\n" }
        try transaction.output.write(lines.joined(), to: file)
        Messages.note(Words.payments(groups.reduce(0) { $0 + $1.count }, transactions: groups.count))
    }

    private func groups(of csv: InputFile, on chain: ChainID) throws -> [PaymentTable.Group] {
        let texts = arguments.fields.texts
        let contract = try texts.tokenContract()
        let (payer, levels) = (try texts.name("from"), try arguments.authorization.levels())
        let bytes = try placed(at: csv.name) { try csv.read() }
        return try placed(at: csv.name) {
            let table = try PaymentTable(csv: bytes, chain: chain, contract: contract)
            let limit = payments.perTransaction ?? PaymentOptions.standardCount
            guard payments.perTransaction != nil || table.count <= limit else {
                throw BuildError.payment(.severalTransactions(table.count, limit: limit))
            }
            return try table.transfers(from: payer, authorizedBy: levels, atMost: limit)
        }
    }

    /// A line for `sign --lines`. The id states the lines of the file with the payments.
    private static func line(_ lines: ClosedRange<Int>, _ transaction: JSONValue) -> JSONValue {
        let (first, last) = (lines.lowerBound, lines.upperBound)
        let id = first == last ? "line \(first)" : "lines \(first)-\(last)"
        return ["id": .string(id), "transaction": transaction]
    }
}

/// The payments that `build transfer` reads from a file.
struct PaymentOptions: ParsableArguments {
    /// The most payments in one transaction, unless the user gives a number. With typical prices of
    /// CPU, a transaction may run for 30 ms, and a transfer runs for up to 0.2 ms.
    static let standardCount = 100
    private static let counts = 1...1000

    @Option(
        help: ArgumentHelp(
            "Pay the accounts in this CSV file: account, amount and memo in each line.", valueName: "file"))
    var csv: InputFile?

    @Option(
        help: ArgumentHelp(
            "Print transactions with at most this many payments, 1 to 1000, as lines for `sign --lines`.",
            valueName: "number"))
    var perTransaction: Int?

    /// Refuses options and arguments that do not belong together.
    fileprivate func check(_ texts: FieldTexts, _ further: [DescribedAction]) throws {
        guard csv != nil else {
            if perTransaction != nil { throw ValidationError("--per-transaction needs --csv") }
            return try Transfer.expectComplete(texts)
        }
        guard texts["to"].isEmpty else {
            throw ValidationError("--csv has the payments: give only the account that pays")
        }
        guard further.isEmpty else { throw ValidationError("--csv makes only transfers: omit --then") }
        if let perTransaction, !Self.counts.contains(perTransaction) {
            throw ValidationError(
                "--per-transaction is \(Self.counts.lowerBound) to \(Self.counts.upperBound)")
        }
    }
}
