package import ABICodec

/// The name of an account, an action, a table or a permission: up to 13 characters in 64 bits
/// (AntelopeIO/spring, libraries/chain/include/eosio/chain/name.hpp).
public struct Name: Hashable, Sendable, CustomStringConvertible {
    package let value: ABICodec.Name

    package init(_ value: ABICodec.Name) { self.value = value }

    /// - Parameter text: up to 12 characters of `.12345a-z` and a 13th of `.1-5a-j`. The last one
    ///   is not a dot.
    /// - Throws: `invalid-value`.
    public init(_ text: String) throws(EOSError) {
        value = try reporting { () throws(ABIError) in try ABICodec.Name(text) }
    }

    /// Each of the 2^64 values is a name.
    public init(rawValue: UInt64) { value = ABICodec.Name(rawValue: rawValue) }

    /// The value that is packed.
    public var rawValue: UInt64 { value.rawValue }

    public var description: String { value.text }
}

/// A permission of an account, which authorizes an action.
public struct PermissionLevel: Hashable, Sendable, CustomStringConvertible {
    public let actor: Name
    public let permission: Name

    public init(actor: Name, permission: Name) { (self.actor, self.permission) = (actor, permission) }

    /// `ACTOR@PERMISSION`
    public var description: String { "\(actor)@\(permission)" }
}

/// The precision and the code of a token, such as `4,EOS`.
public struct Symbol: Hashable, Sendable, CustomStringConvertible {
    package let value: ABICodec.Symbol

    package init(_ value: ABICodec.Symbol) { self.value = value }

    /// - Parameter text: `PRECISION,CODE`: 0 to 18, and 1 to 7 capital letters.
    /// - Throws: `invalid-value`.
    public init(_ text: String) throws(EOSError) {
        value = try reporting { () throws(ABIError) in try ABICodec.Symbol(text) }
    }

    /// The number of decimals.
    public var precision: Int { Int(value.precision) }
    /// The capital letters.
    public var code: String { value.code.text }

    public var description: String { value.text }
}

/// An amount of a token, such as `1.0000 EOS`.
public struct Asset: Hashable, Sendable, CustomStringConvertible {
    package let value: ABICodec.Asset

    package init(_ value: ABICodec.Asset) { self.value = value }

    /// - Parameter text: the amount with all decimals, a space, and the code of the token.
    /// - Throws: `invalid-value`.
    public init(_ text: String) throws(EOSError) {
        value = try reporting { () throws(ABIError) in try ABICodec.Asset(text) }
    }

    /// - Parameters:
    ///   - amount: in the smallest unit of the symbol; its absolute value is below 2^62.
    ///   - symbol: the precision and the code of the token.
    /// - Throws: `invalid-value`.
    public init(amount: Int64, symbol: Symbol) throws(EOSError) {
        value = try reporting { () throws(ABIError) in
            try ABICodec.Asset(amount: amount, symbol: symbol.value)
        }
    }

    /// In the smallest unit of the symbol.
    public var amount: Int64 { value.amount }
    public var symbol: Symbol { Symbol(value.symbol) }

    public var description: String { value.text }
}
