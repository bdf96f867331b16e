import ABICodec
import Codecs
import KeyVault
import Shell

extension AuditRecord {
    /// The columns of `log export --csv`.
    static let csvHeader =
        "sequence,time,event,label,key,chain,transaction_id,kind,payer,recipient,amount,token,contract,memo"

    /// A line for each payment of a signature, otherwise one line.
    /// - Parameter label: The label that the key has in the vault now.
    func csv(label: String?) -> [String] {
        let start = ["\(sequence)", Clock.rfc3339(time), event.code, label ?? "", event.key?.text ?? ""]
        guard case .signed(_, let chain, let transaction, let actions) = event else {
            return [Self.line(start + Array(repeating: "", count: 9))]
        }
        let signed = start + [ChainName.short(chain), Hex.encode(transaction)]
        guard !actions.payments.isEmpty else { return [Self.line(signed + Array(repeating: "", count: 7))] }
        return actions.payments.map { payment in
            let amount = payment.quantity.text.split(separator: " ").map(String.init)
            return Self.line(
                signed + [payment.kind, payment.payer.text, payment.recipient.text] + amount
                    + [payment.contract.text, payment.memo])
        }
    }

    /// Fields as RFC 4180 writes them.
    private static func line(_ fields: [String]) -> String { fields.map(field).joined(separator: ",") }

    private static func field(_ text: String) -> String {
        // A spreadsheet would run a text that starts with one of these as a formula. Only amounts
        // may be negative numbers.
        let isFormula = text.first.map { "=+-@\t\r".contains($0) } ?? false
        let text = isFormula && !isNumber(text) ? "'" + text : text
        guard text.contains(where: { ",\"\n\r".contains($0) || $0 == "\r\n" }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    private static func isNumber(_ text: String) -> Bool {
        text.dropFirst().allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") }
    }
}
