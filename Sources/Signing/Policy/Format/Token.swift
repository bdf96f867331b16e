import ABICodec
import JSON

/// A token: its symbol with the precision, and the contract that keeps its balances:
/// `4,EOS@eosio.token`.
package struct Token: Hashable, Sendable {
    package let symbol: Symbol
    package let contract: Name

    package var text: String { "\(symbol.text)@\(contract.text)" }

    package init(symbol: Symbol, contract: Name) { (self.symbol, self.contract) = (symbol, contract) }

    func hasOtherPrecision(_ other: Token) -> Bool {
        contract == other.contract && symbol.code == other.symbol.code && symbol != other.symbol
    }

    /// - Returns: nil for text in any other form.
    package init?(_ text: String) {
        guard let (left, contract) = Self.split(text), let symbol = try? Symbol(left),
            symbol.code.rawValue != 0,
            symbol.text.hasBytes(of: left)
        else { return nil }
        self.init(symbol: symbol, contract: contract)
    }

    /// An amount, at least zero, and its contract: `100.0000 EOS@eosio.token`.
    static func amount(_ text: String) -> (token: Token, amount: Int64)? {
        guard let (left, contract) = split(text), let asset = Asset(exactly: left), asset.amount >= 0 else {
            return nil
        }
        return (Token(symbol: asset.symbol, contract: contract), asset.amount)
    }

    private static func split(_ text: String) -> (left: String, contract: Name)? {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).map(
            String.init)
        guard parts.count == 2, let left = parts[0], let right = parts[1], let contract = Name(exactly: right)
        else {
            return nil
        }
        return (left, contract)
    }

    /// An amount of this token: `100.0000 EOS`. It may be greater than an asset.
    package func text(of amount: UInt128) -> String {
        let digits = String(amount)
        let decimals = Int(symbol.precision)
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.utf8.count)) + digits
        let point = decimals > 0 ? "." : ""
        return "\(padded.dropLast(decimals))\(point)\(padded.suffix(decimals)) \(symbol.code.text)"
    }
}

extension Asset {
    /// An amount with no superfluous zeros before it.
    init?(exactly text: String) {
        guard let asset = try? Asset(text), asset.text.hasBytes(of: text) else { return nil }
        self = asset
    }
}

extension Name {
    /// A name that is not empty.
    init?(exactly text: String) {
        guard let name = try? Name(text), name.rawValue != 0 else { return nil }
        self = name
    }
}
