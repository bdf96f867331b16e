import ABICodec
import Transactions

/// The ABI that `setabi` gives to an account.
package struct NewABI: Sendable {
    /// SHA-256 of the bytes. Nodes call it `abi_hash`.
    package let hash: ABIHash
    /// The names of the actions, sorted, and of the tables, in the order of the definitions.
    package let actions: [Name]
    package let tables: [Name]
}

extension ReviewedAction {
    /// The ABI in the data of `setabi`; nil for any other action, and for bytes that are not an ABI.
    package var newABI: NewABI? {
        guard SystemContract.has(action.account), action.name.text == "setabi", let bytes = value?["abi"]?.bytes,
            let definition = try? ABIDefinition(raw: bytes)
        else { return nil }
        return NewABI(hash: ABIHash(raw: bytes), actions: definition.actionNames, tables: definition.tableNames)
    }
}
