import JSON

/// A contract's ABI: which type each action has, and how values of each type are written as bytes.
///
/// The definitions are checked and compiled once, here. `type(named:)` and `actionType(for:)` give
/// handles that encode and decode without looking up a name again.
package struct ABI: Sendable {
    /// Oddities of the ABI that do not prevent its use.
    package let warnings: [ABIWarning]
    private let table: TypeTable
    private let layout: Layout
    let actions: [Name: String]

    /// Compiles the ABI in the contents of a file, in any of the forms that `ABIDefinition.read`
    /// accepts.
    /// - Throws: The error in the text, the bytes or a definition. The path states the definition.
    package init(contents: [UInt8]) throws(ABIError) {
        try self.init(ABIDefinition.read(contents).definition)
    }

    /// Compiles the ABI in a JSON tree.
    package init(_ json: JSONValue) throws(ABIError) { try self.init(ABIDefinition(json)) }

    /// Compiles an ABI.
    /// - Throws: The error in a definition. The path states the definition.
    package init(_ definition: ABIDefinition) throws(ABIError) {
        let compiler = try Compiler(definition)
        var table = compiler.table
        let (results, calls) = (definition.actionResults ?? [], definition.calls ?? [])
        actions = try inside("actions") { () throws(ABIError) in
            try Self.check(definition.actions.map { ($0.name, $0.type) }, .action, in: &table)
        }
        try inside("tables") { () throws(ABIError) in
            _ = try Self.check(definition.tables.map { ($0.name, $0.type) }, .table, in: &table)
        }
        try inside("action_results") { () throws(ABIError) in
            _ = try Self.check(results.map { ($0.name, $0.type) }, .actionResult, in: &table)
        }
        try inside("calls") { () throws(ABIError) in
            _ = try Self.check(calls.map { ($0.name, $0.type) }, .call, in: &table)
            let typed = calls.filter { !$0.resultType.isEmpty }
            _ = try Self.check(typed.map { ($0.name, $0.resultType) }, .call, in: &table)
        }
        var codes: Set<UInt64> = []
        for message in definition.errorMessages where !codes.insert(message.code).inserted {
            throw ABIError(.duplicateDefinition(.errorMessage, "\(message.code)"))
        }
        warnings = compiler.warnings + definition.unprintable.map { .notUTF8(place: $0) }
        layout = Layout(compiler.layout, nodes: table.nodes)
        self.table = table
    }

    /// Collects the types by name. Each name must be unique, and each type must be defined.
    private static func check<Key: Hashable & CustomStringConvertible>(
        _ entries: [(name: Key, type: String)], _ kind: ABIError.Definition, in table: inout TypeTable
    ) throws(ABIError) -> [Key: String] {
        var types: [Key: String] = [:]
        for (name, type) in entries {
            guard types.updateValue(type, forKey: name) == nil else {
                throw ABIError(.duplicateDefinition(kind, "\(name)"))
            }
            do { _ = try table.node(of: type) } catch { throw error.inside(.field("\(name)")) }
        }
        return types
    }

    /// The contract's actions, in no particular order.
    package var actionNames: [Name] { Array(actions.keys) }

    /// The type of an action's data; nil when the contract has no such action.
    /// - Throws: For a type that can't be used, the same errors as `type(named:)`.
    package func actionType(for action: Name) throws(ABIError) -> ABIType? {
        // nodeos treats an action with an empty type as unknown.
        guard let type = actions[action], !type.isEmpty else { return nil }
        return try self.type(named: type)
    }

    /// The type with a name, followed by any number of `[]`, `[N]` and `?`.
    /// - Throws: `.unknownType`, `.misplacedExtension`, `.typeTooDeep`, `.tooManyDefinitions`. For
    ///   a type that can't be used: `.duplicateField` and `.duplicateDefinition(.alternative, _)`.
    package func type(named name: String) throws(ABIError) -> ABIType {
        var table = self.table
        let node = try table.node(of: name)
        // A type that no definition mentions adds a node.
        let layout =
            table.nodes.count == self.table.nodes.count
            ? self.layout : Layout(self.layout, nodes: table.nodes)
        if let flaw = layout.flaw(of: node) { throw flaw }
        return ABIType(name: name, layout: layout, node: node)
    }
}

/// An oddity of an ABI that does not prevent its use. nodeos loads such ABIs too.
package enum ABIWarning: Equatable, Sendable {
    /// A plain field follows a binary extension, which therefore can't be omitted.
    case fieldAfterExtension(type: String, field: String, extension: String)
    /// A definition is not used for values, because the same name means something else, as in
    /// nodeos.
    case notUsed(NamedType, name: String, instead: NamedType)
    /// The ABI defines `bitset` itself, which its version does not have as a built-in type.
    case ownBitset(version: String)
    /// A name occurs twice in a type. Neither this type nor a type that contains it can be used.
    case unusable(ABIError)
    /// Text that is not UTF-8 in a raw form; no action needs it.
    case notUTF8(place: String)

    /// The kinds of types that a name can mean.
    package enum NamedType: Equatable, Sendable { case builtIn, alias, variant, structure }
}
