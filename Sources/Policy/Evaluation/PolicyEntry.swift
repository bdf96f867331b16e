import ABICodec

/// An entry of a key's history: what one signed transaction counts in the rolling limits.
package struct PolicyEntry: Hashable, Sendable {
    /// When it was signed, in seconds since 1970.
    package let time: UInt32
    /// Identifies the transaction on its chain: the digest that was signed.
    package let transaction: ArraySlice<UInt8>
    /// nil for the transaction itself.
    package let token: Token?
    /// nil if no limit was for each recipient. The entry then counts for every recipient.
    package let recipient: Name?
    /// The sum of the payments in the smallest unit; `UInt64.max` for a greater one, which no limit
    /// allows.
    package let amount: UInt64
    /// The number of payments, or 1 for the transaction.
    package let count: UInt32

    package init(
        time: UInt32, transaction: ArraySlice<UInt8>, token: Token?, recipient: Name?, amount: UInt64, count: UInt32
    ) {
        (self.time, self.transaction, self.token) = (time, transaction, token)
        (self.recipient, self.amount, self.count) = (recipient, amount, count)
    }

    /// Whether the entry counts in a window that ends now. It does up to the second before its time
    /// and the length of the window.
    func counts(in window: UInt32, at now: UInt32) -> Bool { Int(time) + Int(window) > Int(now) }
}
