/// An ABI as its author wrote it, before it is compiled into an ``ABI``: all of an `abi_def`
/// (AntelopeIO/spring, libraries/chain/include/eosio/chain/abi_def.hpp), in JSON or in the raw form
/// that a chain stores.
///
/// It stores the definitions unchecked; ``ABI`` checks them.
package struct ABIDefinition: Equatable, Sendable {
    struct Alias: Equatable {
        let name: String
        let type: String
    }

    struct Field: Equatable {
        let name: String
        let type: String
    }

    struct Struct: Equatable {
        let name: String
        /// Empty when the struct has no base.
        let base: String
        let fields: [Field]
    }

    struct Action: Equatable {
        let name: Name
        let type: String
        let ricardianContract: Prose
    }

    struct Table: Equatable {
        let name: Name
        let indexType: Prose
        let keyNames: [Prose]
        let keyTypes: [Prose]
        let type: String
    }

    struct Clause: Equatable {
        let id: Prose
        let body: Prose
    }

    struct ErrorMessage: Equatable {
        let code: UInt64
        let text: Prose
    }

    struct Extension: Equatable {
        let tag: UInt16
        /// Hex.
        let value: String
    }

    struct Variant: Equatable {
        let name: String
        let types: [String]
    }

    struct ActionResult: Equatable {
        let name: Name
        let type: String
    }

    /// A function that other contracts call within an action; since ABI 1.3.
    struct Call: Equatable {
        let name: String
        let type: String
        let id: UInt64
        /// Empty when the call has no result.
        let resultType: String
    }

    let version: String
    var aliases: [Alias] = []
    var structs: [Struct] = []
    var actions: [Action] = []
    var tables: [Table] = []
    var clauses: [Clause] = []
    var errorMessages: [ErrorMessage] = []
    var extensions: [Extension] = []
    // These lists were added after version 1.0, at the end of the raw form. nil means that the list
    // is absent from the bytes; an empty list takes one byte.
    var variants: [Variant]? = []
    var actionResults: [ActionResult]? = []
    var calls: [Call]?

    init(version: String) { self.version = version }

    /// The names of the actions, sorted by their text.
    package var actionNames: [Name] { actions.map(\.name).sorted { $0.text < $1.text } }
    /// The names of the tables, in the order of the definitions.
    package var tableNames: [Name] { tables.map(\.name) }

    /// Whether `bitset` is built in: always in ABI 1.3, and in earlier versions unless the ABI
    /// defines the name. nodeos has the type since Spring 2. An earlier ABI that defines `bitset`
    /// means its own definition.
    var hasBuiltInBitset: Bool {
        let name = Builtin.bitset.rawValue
        return version == "eosio::abi/1.3"
            || !(structs.contains { $0.name == name } || aliases.contains { $0.name == name }
                || (variants ?? []).contains { $0.name == name })
    }
}
