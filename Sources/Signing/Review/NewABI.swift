import ABICodec
import Transactions

/// The ABI that `setabi` gives to an account.
package struct NewABI: Sendable {
    /// SHA-256 of the bytes. Nodes call it `abi_hash`.
    package let hash: ABIHash
    /// The names of the actions and tables, in the ABI's order.
    package let actions: [String]
    package let tables: [String]
}

extension ReviewedAction {
    /// The ABI in the data of `setabi`; nil for any other action, and for bytes that are not an ABI.
    package var newABI: NewABI? {
        guard SystemContract.has(action.account), action.name.text == "setabi", let bytes = value?["abi"]?.bytes,
            let definition = try? ABIDefinition(raw: bytes)
        else { return nil }
        return NewABI(
            hash: ABIHash(raw: bytes), actions: definition.actions.map(\.name.text),
            tables: definition.tables.map { "\($0.name)" })
    }
}
