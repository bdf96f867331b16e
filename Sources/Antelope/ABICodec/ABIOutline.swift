import JSON

/// The actions of an ABI, and the types that they need, as its author wrote them: what a person
/// compares of two ABIs. Tables and Ricardian contracts are left out.
package struct ABIOutline: Sendable {
    package enum Kind: Int, Sendable { case action, structure, variant, alias }

    /// A part of a definition. Texts are compared byte by byte: two spellings of one letter differ.
    package enum Part: Equatable, Sendable {
        /// The base of a struct.
        case base(String)
        case field(name: String, type: String)
        /// The type of an action or alias, or an alternative of a variant.
        case type(String)

        package static func == (left: Part, right: Part) -> Bool {
            switch (left, right) {
            case (.base(let one), .base(let other)), (.type(let one), .type(let other)):
                one.hasBytes(of: other)
            case (.field(let name, let type), .field(let otherName, let otherType)):
                name.hasBytes(of: otherName) && type.hasBytes(of: otherType)
            case (.base, _), (.field, _), (.type, _): false
            }
        }

        fileprivate var type: String {
            switch self {
            case .base(let type), .field(_, let type), .type(let type): type
            }
        }
    }

    package struct Definition: Sendable {
        package let kind: Kind
        package let name: String
        package let parts: [Part]

        fileprivate var key: Key { Key(kind: kind, name: Array(name.utf8)) }
    }

    fileprivate struct Key: Hashable {
        let kind: Kind
        let name: [UInt8]
    }

    /// The actions in the order of their names, then the types in the order of their use.
    package private(set) var definitions: [Definition] = []

    /// The outline of an ABI without actions.
    package init() {}

    package init(of abi: ABIDefinition) {
        var types = Types(of: abi)
        for action in abi.actions.sorted(by: { $0.name.text < $1.name.text }) {
            definitions.append(Definition(kind: .action, name: action.name.text, parts: [.type(action.type)]))
            types.need(action.type)
        }
        while let definition = types.next() { definitions.append(definition) }
    }
}

extension ABIOutline {
    /// A definition that two outlines do not have in common.
    package struct Difference: Sendable {
        package enum Change: Equatable, Sendable { case kept, added, removed }

        package let kind: Kind
        package let name: String
        /// `kept` for a definition that both have, with different parts.
        package let change: Change
        package let parts: [(change: Change, part: Part)]
    }

    /// The differences from an earlier outline: the definitions of this outline in their order,
    /// then the definitions that it lacks.
    package func differences(from earlier: ABIOutline) -> [Difference] {
        var old = Dictionary(earlier.definitions.map { ($0.key, $0) }) { first, _ in first }
        var differences: [Difference] = []
        for definition in definitions {
            guard let before = old.removeValue(forKey: definition.key) else {
                differences.append(Difference(definition, .added))
                continue
            }
            let parts = Self.compare(before.parts, definition.parts)
            guard parts.contains(where: { $0.change != .kept }) else { continue }
            differences.append(
                Difference(kind: definition.kind, name: definition.name, change: .kept, parts: parts))
        }
        return differences
            + earlier.definitions.filter { old[$0.key] != nil }.map { Difference($0, .removed) }
    }

    /// The parts of both lists in one list, with what was removed before what was added.
    private static func compare(_ old: [Part], _ new: [Part]) -> [(change: Difference.Change, part: Part)] {
        var (removed, added): (Set<Int>, Set<Int>) = ([], [])
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        var parts: [(change: Difference.Change, part: Part)] = []
        var next = 0
        for (index, part) in old.enumerated() {
            if removed.contains(index) {
                parts.append((.removed, part))
                continue
            }
            while added.contains(next) {
                parts.append((.added, new[next]))
                next += 1
            }
            parts.append((.kept, part))
            next += 1
        }
        return parts + new.dropFirst(next).map { (.added, $0) }
    }
}

extension ABIOutline.Difference {
    fileprivate init(_ definition: ABIOutline.Definition, _ change: Change) {
        self.init(
            kind: definition.kind, name: definition.name, change: change,
            parts: definition.parts.map { (change, $0) })
    }
}

/// The types of an ABI by name, and the types that are needed and not listed yet.
private struct Types {
    private var definitions: [[UInt8]: ABIOutline.Definition] = [:]
    private var waiting: [ABIOutline.Definition] = []

    /// Of equal names, the one is kept that values use (`Compiler.define`).
    init(of abi: ABIDefinition) {
        var defined: [ABIOutline.Definition] = []
        for entry in abi.structs {
            let base = entry.base.isEmpty ? [] : [ABIOutline.Part.base(entry.base)]
            let fields = entry.fields.map { ABIOutline.Part.field(name: $0.name, type: $0.type) }
            defined.append(.init(kind: .structure, name: entry.name, parts: base + fields))
        }
        for entry in abi.variants ?? [] {
            defined.append(.init(kind: .variant, name: entry.name, parts: entry.types.map { .type($0) }))
        }
        for entry in abi.aliases {
            defined.append(.init(kind: .alias, name: entry.name, parts: [.type(entry.type)]))
        }
        for definition in defined { definitions[Array(definition.name.utf8)] = definition }
    }

    /// Notes the type without its suffixes `[]`, `[N]`, `?` and `$`. An alias may have a suffix in
    /// its own name, so the whole text is tried first.
    mutating func need(_ type: String) {
        var rest = type[...]
        while true {
            if let definition = definitions.removeValue(forKey: Array(rest.utf8)) {
                waiting.append(definition)
                return
            }
            if rest.hasSuffix("?") || rest.hasSuffix("$") {
                rest = rest.dropLast()
            } else if rest.hasSuffix("]"), let open = rest.lastIndex(of: "[") {
                rest = rest[..<open]
            } else {
                return
            }
        }
    }

    /// The next needed type. Its parts are needed too.
    mutating func next() -> ABIOutline.Definition? {
        guard !waiting.isEmpty else { return nil }
        let definition = waiting.removeFirst()
        for part in definition.parts { need(part.type) }
        return definition
    }
}
