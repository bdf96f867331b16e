import ABICodec
import Codecs
import Transactions

/// A payment of a signed transaction in a record of the audit log.
package struct SignedPayment: Equatable, Sendable {
    /// The raw value of ``Payment/Kind``; a later version may have further ones. 1 to 32 bytes.
    package let kind: String
    /// The contract that keeps the balances of the token.
    package let contract: Name
    package let payer: Name
    package let recipient: Name
    package let quantity: Asset
    /// At most 256 bytes. A longer memo ends with `…`.
    package let memo: String

    /// The most bytes of a memo: eosio.token allows as many.
    private static let maximumMemoSize = 256

    package init(
        kind: Payment.Kind, contract: Name, payer: Name, recipient: Name, quantity: Asset, memo: String
    ) {
        (self.kind, self.contract, self.quantity) = (kind.rawValue, contract, quantity)
        (self.payer, self.recipient, self.memo) = (payer, recipient, Self.cut(memo))
    }

    init(_ payment: Payment) {
        self.init(
            kind: payment.kind, contract: payment.contract, payer: payment.payer,
            recipient: payment.recipient, quantity: payment.quantity, memo: payment.memo)
    }

    private static func cut(_ memo: String) -> String {
        guard memo.utf8.count > maximumMemoSize else { return memo }
        let end = "…"
        var (kept, count) = ("", end.utf8.count)
        for scalar in memo.unicodeScalars {
            count += String(scalar).utf8.count
            guard count <= maximumMemoSize else { break }
            kept.unicodeScalars.append(scalar)
        }
        return kept + end
    }
}

extension SignedPayment {
    func write(to writer: inout ByteWriter) {
        writer.write(text: kind.utf8)
        for name in [contract, payer, recipient] { writer.write(integer: name.rawValue) }
        writer.write(integer: quantity.amount)
        writer.write(integer: quantity.symbol.rawValue)
        writer.write(longText: memo.utf8)
    }

    init(from reader: inout ByteReader) throws(AuditEvent.BodyError) {
        kind = try reader.readText()
        contract = Name(rawValue: try reader.read())
        payer = Name(rawValue: try reader.read())
        recipient = Name(rawValue: try reader.read())
        let (amount, symbol): (Int64, UInt64) = (try reader.read(), try reader.read())
        do throws(ABIError) { quantity = try Asset(amount: amount, symbol: Symbol(rawValue: symbol)) } catch {
            throw AuditEvent.BodyError()
        }
        memo = try reader.readLongText()
        guard (1...32).contains(kind.utf8.count), kind.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            memo.utf8.count <= Self.maximumMemoSize
        else { throw AuditEvent.BodyError() }
    }
}
