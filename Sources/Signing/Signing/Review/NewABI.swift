import ABICodec
import Transactions

/// The ABI that `setabi` gives to an account, and its difference from the known one. It is a class
/// because few of many actions have one.
package final class NewABI: Sendable {
    /// SHA-256 of the bytes. Nodes call it `abi_hash`.
    package let hash: ABIHash
    package let actions: Names
    package let tables: Names

    private init(hash: ABIHash, actions: Names, tables: Names) {
        (self.hash, self.actions, self.tables) = (hash, actions, tables)
    }

    /// The names of a kind of definition.
    package struct Names: Sendable {
        package let all: [Name]
        /// The difference from the ABI that is pinned, given or built in for the account; nil if
        /// there is none, or if its names are not known.
        package let change: Change?
    }

    package struct Change: Equatable, Sendable {
        package let added: [Name]
        package let removed: [Name]
        /// Names of both ABIs whose data is decoded differently.
        package let changed: [Name]

        fileprivate init(from old: [Name], to new: [Name], different: [Name]) {
            let (before, after) = (Set(old), Set(new))
            added = new.filter { !before.contains($0) }
            removed = old.filter { !after.contains($0) }.sorted { $0.text < $1.text }
            changed = different.filter { after.contains($0) }
        }
    }

    /// - Returns: nil for an action that is not `setabi`, and for bytes that are not an ABI.
    static func find(in action: Action, _ value: TypedValue, _ abis: ContractABIs) -> NewABI? {
        guard SystemContract.has(action.account), action.name.text == "setabi",
            let account = value["account"]?.name,
            let bytes = value["abi"]?.bytes, let definition = try? ABIDefinition(raw: bytes),
            let abi = try? ABI(definition)
        else { return nil }
        let known = abis.known(for: account)
        let (actions, tables) = (definition.actionNames, definition.tableNames)
        return NewABI(
            hash: ABIHash(raw: bytes),
            actions: Names(
                all: actions,
                change: known.map { known in
                    let different = known.abi.actions(decodedDifferentlyBy: abi)
                    return Change(from: known.abi.actionNames, to: actions, different: different)
                }),
            // The types of tables decode no action, so only their names are compared.
            tables: Names(
                all: tables, change: known?.tables.map { Change(from: $0, to: tables, different: []) }))
    }
}
