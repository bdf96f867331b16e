import ABICodec

/// An entry of one signed transaction in the rolling limits: the payments of a token, to one
/// recipient or to all of them, or the transaction itself.
package struct PolicyEntry: Hashable, Sendable {
    /// When it is signed, in seconds since 1970.
    package let time: UInt32
    /// Identifies the transaction on its chain: the digest that is signed.
    package let transaction: [UInt8]
    /// When the transaction expires, in seconds since 1970.
    package let expiration: UInt32
    /// nil for the transaction itself.
    package let token: Token?
    /// nil if no limit is for each recipient.
    package let recipient: Name?
    /// The sum of the payments in the smallest unit; `UInt64.max` for a greater one, which no limit
    /// allows.
    package let amount: UInt64
    /// The number of payments, or 1 for the transaction.
    package let count: UInt32

    package init(
        time: UInt32, transaction: [UInt8], expiration: UInt32, token: Token?, recipient: Name?,
        amount: UInt64,
        count: UInt32
    ) {
        (self.time, self.transaction, self.expiration) = (time, transaction, expiration)
        (self.token, self.recipient, self.amount, self.count) = (token, recipient, amount, count)
    }
}
