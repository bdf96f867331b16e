import ABICodec
import Codecs
import Messages

/// Payments of one account, from a CSV file with the columns account, amount and memo.
///
/// The first line can be a header. All other lines are payments, and no two of them are the same:
/// a line that was copied by mistake would pay twice.
package struct PaymentTable: Sendable {
    private struct Payment: Sendable {
        let line: Int
        let recipient: Name
        let amount: TokenAmount
        let memo: String
    }

    /// The payment without its line.
    private struct Content: Hashable {
        let fields: [[UInt8]]

        // Two spellings of one letter are equal in a String.
        init(_ fields: [String]) { self.fields = fields.map { Array($0.utf8) } }
    }

    package static let maximumCount = 100_000
    private static let header = ["account", "amount", "memo"]

    private let payments: [Payment]

    /// - Parameter contract: the contract of the tokens, if the caller states it.
    package init(csv: [UInt8], chain: ChainID, contract: Name?) throws(PaymentTableError) {
        var records = CSVRecords(csv, columns: Self.header.count)
        var payments: [Payment] = []
        var lines: [Content: Int] = [:]
        while let record = try records.next() {
            if record.line == 1, record.fields.map({ $0.lowercased() }) == Self.header { continue }
            guard payments.count < Self.maximumCount else {
                throw Self.fault(.tooManyPayments(limit: Self.maximumCount), record.line)
            }
            let payment = try Self.payment(record, chain, contract)
            let content = Content([payment.recipient.text, payment.amount.asset.text, payment.memo])
            if let first = lines.updateValue(record.line, forKey: content) {
                throw Self.fault(.samePayment(asLine: first), record.line)
            }
            payments.append(payment)
        }
        guard !payments.isEmpty else { throw Self.fault(.noPayments, 1) }
        self.payments = payments
    }

    private static func payment(
        _ record: CSVRecords.Record, _ chain: ChainID, _ contract: Name?
    ) throws(PaymentTableError) -> Payment {
        let (account, amount, memo) = (record.fields[0], record.fields[1], record.fields[2])
        let recipient = try inLine(record.line, 0) { () throws(BuildError) in
            try converting(BuildError.value, Name(account))
        }
        let tokens = try inLine(record.line, 1) { () throws(BuildError) in
            try TokenAmount(amount, chain: chain, contract: contract)
        }
        return Payment(line: record.line, recipient: recipient, amount: tokens, memo: memo)
    }

    private static func inLine<Value>(
        _ line: Int, _ column: Int? = nil, _ step: () throws(BuildError) -> Value
    ) throws(PaymentTableError) -> Value {
        do { return try step() } catch {
            throw PaymentTableError(line: line, column: column.map { header[$0] }, error: error)
        }
    }

    private static func fault(_ fault: BuildError.Fault, _ line: Int) -> PaymentTableError {
        PaymentTableError(line: line, error: .payment(fault))
    }

    // MARK: - transactions

    package var count: Int { payments.count }

    /// The payments of one transaction.
    package struct Group: Sendable {
        private let actions: [(line: Int, action: NewAction)]

        fileprivate init(_ actions: ArraySlice<(line: Int, action: NewAction)>) {
            self.actions = Array(actions)
        }

        package var count: Int { actions.count }
        package var lines: ClosedRange<Int> { (actions.first?.line ?? 0)...(actions.last?.line ?? 0) }

        package func add(to builder: inout TransactionBuilder) throws(PaymentTableError) {
            for (line, action) in actions {
                do { try builder.add(action) } catch { throw PaymentTableError(line: line, error: error) }
            }
        }
    }

    /// Transfers in the order of the lines, at most `count` in each group.
    /// - Parameter levels: the permissions that authorize them; none for the active permission of
    ///   `payer`.
    package func transfers(
        from payer: Name, authorizedBy levels: [PermissionLevel], atMost count: Int
    ) throws(PaymentTableError) -> [Group] {
        let actions = try payments.map { payment throws(PaymentTableError) in
            let action = try Self.inLine(payment.line) { () throws(BuildError) in
                try ActionForm.transfer.action([
                    "from": .name(payer), "to": .name(payment.recipient), "quantity": .amount(payment.amount),
                    "memo": .text(payment.memo),
                ]).authorized(by: levels)
            }
            return (line: payment.line, action: action)
        }
        return stride(from: 0, to: actions.count, by: count).map { start in
            Group(actions[start..<min(start + count, actions.count)])
        }
    }
}

/// Why a file of payments is refused, and the line.
package struct PaymentTableError: WordedError, Equatable {
    let line: Int
    let column: String?
    let error: BuildError

    init(line: Int, column: String? = nil, error: BuildError) {
        (self.line, self.column, self.error) = (line, column, error)
    }

    package var words: Words { error.words.at("line \(line)" + (column.map { ", \($0)" } ?? "")) }
}
