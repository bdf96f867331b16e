import JSON

/// A contract's ABI: which type each action has, and how values of each type are written as bytes.
///
/// The definitions are checked and compiled once, here. `type(named:)` and `actionType(for:)` give handles that encode
/// and decode without looking up a name again.
public struct ABI: Sendable {
    /// What loads all the same, and may surprise.
    public let warnings: [ABIWarning]
    private let table: TypeTable
    private let layout: Layout
    private let actions: [Name: String]

    /// Compiles the ABI of a JSON file.
    /// - Throws: `.json`, or what is wrong with a definition, with its name in the path
    public init(json: [UInt8], limits: JSONLimits = JSONLimits()) throws(ABIError) {
        let value: JSONValue
        do { value = try JSONValue.parse(json, limits: limits) } catch { throw ABIError(.json(error)) }
        try self.init(value)
    }

    /// Compiles the ABI that a JSON tree states.
    public init(_ json: JSONValue) throws(ABIError) {
        let definition = try ABIDefinition(json)
        let compiler = try Compiler(definition)
        var table = compiler.table
        actions = try Self.check(definition.actions, .action, in: &table)
        _ = try Self.check(definition.tables, .table, in: &table)
        _ = try Self.check(definition.actionResults, .actionResult, in: &table)
        warnings = compiler.warnings
        layout = Layout(compiler.layout, nodes: table.nodes)
        self.table = table
    }

    /// The types by name; each name stands once and each type is known.
    private static func check(
        _ entries: [ABIDefinition.Entry], _ kind: ABIError.Definition, in table: inout TypeTable
    ) throws(ABIError) -> [Name: String] {
        var types: [Name: String] = [:]
        for entry in entries {
            guard types.updateValue(entry.type, forKey: entry.name) == nil else {
                throw ABIError(.duplicateDefinition(kind, entry.name.text))
            }
            do { _ = try table.node(of: entry.type) } catch { throw error.inside(.field(entry.name.text)) }
        }
        return types
    }

    /// The type of an action's data; nil when the contract has no such action.
    public func actionType(for action: Name) throws(ABIError) -> ABIType? {
        guard let type = actions[action] else { return nil }
        return try self.type(named: type)
    }

    /// The type with a name, with any number of `[]` and `?` behind it.
    /// - Throws: `.unknownType`, `.misplacedExtension`, `.typeTooDeep`
    public func type(named name: String) throws(ABIError) -> ABIType {
        var table = self.table
        let node = try table.node(of: name)
        // A type that no definition mentions is a new node.
        let layout = table.nodes.count == self.table.nodes.count ? self.layout : Layout(self.layout, nodes: table.nodes)
        return ABIType(name: name, layout: layout, node: node)
    }
}

/// What is odd in an ABI that loads.
public enum ABIWarning: Equatable, Sendable {
    /// A plain field stands behind a binary extension, which therefore can't be left out.
    case fieldAfterExtension(type: String, field: String, extension: String)
}
