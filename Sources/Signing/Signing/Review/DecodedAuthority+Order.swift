import ABICodec
import Keys
import Transactions

extension DecodedAuthority {
    /// The most parts that nodeos accepts.
    private static let maximumParts = 1 << 16

    /// True if the parts are in the order that nodeos requires, each once, and no wait is 0
    /// (AntelopeIO/spring, libraries/chain/include/eosio/chain/authority.hpp, `validate`).
    var isOrdered: Bool {
        partCount <= Self.maximumParts
            && zip(keys, keys.dropFirst()).allSatisfy { Self.isOrdered($0.text, before: $1.text) }
            && zip(accounts, accounts.dropFirst()).allSatisfy { $0.level < $1.level }
            && zip(waits, waits.dropFirst()).allSatisfy { $0.seconds < $1.seconds }
            && waits.first?.seconds != 0
    }

    private static func isOrdered(_ left: String, before right: String) -> Bool {
        // The all-zero key is a K1 key. The bytes of all other K1 keys are greater.
        if NullKey.isText(left) || NullKey.isText(right) { return !NullKey.isText(right) }
        guard let left = try? PublicKey(left), let right = try? PublicKey(right) else { return false }
        return PublicKey.isOrdered(left, before: right)
    }
}
