import ABICodec
import Codecs
import KeyVault
import Shell
import Transactions

extension AuditRecord {
    /// The columns of `log export --csv`.
    static let csvHeader =
        "sequence,time,event,label,key,chain,transaction_id,kind,payer,recipient,amount,token,contract,memo"

    /// A line for each payment of a signature, and one for payments that the record does not have;
    /// otherwise one line.
    /// - Parameters:
    ///   - label: The label that the key has in the vault now.
    ///   - names: The names of chains that the vault has now.
    func csv(label: String?, _ names: ChainNames) -> [String] {
        let start = [
            "\(sequence)", Clock.rfc3339(time), event.code, label.map(Self.field) ?? "",
            event.key?.text ?? "",
        ]
        guard case .signed(_, let chain, let transaction, let actions) = event else {
            return [Self.line(start + Array(repeating: "", count: 9))]
        }
        let signed = start + [names.short(chain), Hex.encode(transaction)]
        guard !actions.payments.isEmpty else { return [Self.line(signed + Array(repeating: "", count: 7))] }
        let lines = actions.payments.map { payment in
            let amount = payment.quantity.text.split(separator: " ").map(String.init)
            return Self.line(
                signed + [payment.kind, payment.payer.text, payment.recipient.text] + amount
                    + [payment.contract.text, payment.memo.isEmpty ? "" : Self.field(payment.memo)])
        }
        guard actions.otherPaymentCount > 0 else { return lines }
        let others = Self.field("\(actions.otherPaymentCount) more payments, which the record does not have")
        return lines + [Self.line(signed + ["other-payments", "", "", "", "", "", others])]
    }

    private static func line(_ fields: [String]) -> String { fields.joined(separator: ",") }

    /// A text from outside, always in quotes as RFC 4180 writes them, so that it can't end its
    /// field. Control and invisible characters are escaped. A spreadsheet would run a text that
    /// starts with one of these characters, also in their wide forms, as a formula.
    private static func field(_ text: String) -> String {
        let printed = Printable.line(text)
        let formula: [Unicode.Scalar] = ["=", "+", "-", "@", "\u{ff1d}", "\u{ff0b}", "\u{ff0d}", "\u{ff20}"]
        var quoted = "\""
        if let first = printed.unicodeScalars.first, formula.contains(first) { quoted += "'" }
        // Not by characters: a quote with a combining mark is another character than a quote.
        for scalar in printed.unicodeScalars {
            quoted.unicodeScalars.append(scalar)
            if scalar == "\"" { quoted.unicodeScalars.append(scalar) }
        }
        quoted.unicodeScalars.append("\"")
        return quoted
    }
}
