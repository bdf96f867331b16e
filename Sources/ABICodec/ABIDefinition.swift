/// An ABI as its author states it, before it is compiled into an ``ABI``: all of an `abi_def`
/// (AntelopeIO/spring, libraries/chain/include/eosio/chain/abi_def.hpp), in JSON or in the raw form
/// that a chain stores.
///
/// It holds whatever it is made of; ``ABI`` checks that the definitions make sense.
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
        /// Empty for none.
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

    /// A function that other contracts call within an action, since ABI 1.3.
    struct Call: Equatable {
        let name: String
        let type: String
        let id: UInt64
        /// Empty for none.
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
    // What came after version 1.0 stands at the end of the raw form, or is not there: nil is not
    // the same bytes as none.
    var variants: [Variant]? = []
    var actionResults: [ActionResult]? = []
    var calls: [Call]?

    init(version: String) { self.version = version }

    /// Whether `bitset` is built in: since ABI 1.3, and in earlier ones where it is not defined.
    /// nodeos knows the type since Spring 2; an earlier ABI that defines it was made for what it
    /// defines.
    var hasBuiltInBitset: Bool {
        let name = Builtin.bitset.rawValue
        return version == "eosio::abi/1.3"
            || !(structs.contains { $0.name == name } || aliases.contains { $0.name == name }
                || (variants ?? []).contains { $0.name == name })
    }
}
