import Messages

/// By the indices of structs and variants: why values of the type, or of a type in it, are refused.
struct TypeFlaws: Sendable {
    var structs: [Int: ABIError] = [:]
    var variants: [Int: ABIError] = [:]

    subscript(node: TypeNode) -> ABIError? {
        switch node {
        case .structure(let index): structs[index]
        case .variant(let index): variants[index]
        case .builtin, .array, .fixedArray, .optional: nil
        }
    }
}

extension Compiler {
    /// Marks each struct and variant that contains a flawed type with the same flaw. nodeos loads
    /// an ABI with two fields of the same name and prints only one of them, so a value of such a
    /// type can't be shown. Types that do not need it stay usable.
    func spread(_ own: TypeFlaws) -> TypeFlaws {
        guard !own.structs.isEmpty || !own.variants.isEmpty else { return own }
        var flaws = own
        var users: [Member: [Member]] = [:]
        for (index, node) in structs.enumerated() {
            if let base = base(ofLaidOut: index) {
                users[.structure(base), default: []].append(.structure(index))
            }
            for field in fields[node.first..<node.first + node.count] {
                if let member = member(of: field.type) {
                    users[member, default: []].append(.structure(index))
                }
            }
        }
        for (index, node) in variants.enumerated() {
            for alternative in alternatives[node.first..<node.first + node.count] {
                if let member = member(of: alternative.type) {
                    users[member, default: []].append(.variant(index))
                }
            }
        }
        var waiting =
            own.structs.keys.sorted().map(Member.structure) + own.variants.keys.sorted().map(Member.variant)
        while let flawed = waiting.popLast() {
            guard let flaw = flaws[flawed] else { continue }
            for user in users[flawed] ?? [] where flaws[user] == nil {
                flaws[user] = flaw
                waiting.append(user)
            }
        }
        return flaws
    }

    /// The struct or variant of a type without its suffixes.
    private func member(of node: Int) -> Member? {
        switch Layout.innermost(node, in: table.nodes) {
        case .structure(let index): .structure(index)
        case .variant(let index): .variant(index)
        case .builtin, .array, .fixedArray, .optional: nil
        }
    }

    // MARK: - what an action must not be decoded with

    /// The structs and variants whose values would show text of the ABI as if it were data of the
    /// action. nodeos accepts them; no compiler makes them.
    func ownActionFlaws(variants definitions: [ABIDefinition.Variant]) -> TypeFlaws {
        var flaws = TypeFlaws()
        let names = Set(self.definitions.map(\.name))
        for (index, definition) in self.definitions.enumerated() {
            let node = structs[index]
            let flaw =
                Self.misleading([definition.name])
                ?? redefined(fields[node.first..<node.first + node.count].map(\.type), by: names)
                ?? Self.unprintable(definition.fields.map(\.name))
                ?? definition.fields.enumerated().first { offset, _ in
                    // The fields of the base come first; they are flaws of the base.
                    emptyWeight(of: fields[node.first + node.count - definition.fields.count + offset].type)
                        > 0
                }.map { ABIError(.fieldTakesNoBytes($0.element.name)) }
            flaws.structs[index] = flaw?.inside(.field(definition.name)).inside(.field("structs"))
        }
        for (index, definition) in definitions.enumerated() {
            let node = variants[index]
            let flaw =
                Self.misleading(definition.types)
                ?? redefined(alternatives[node.first..<node.first + node.count].map(\.type), by: names)
            flaws.variants[index] = flaw?.inside(.field(definition.name)).inside(.field("variants"))
        }
        return flaws
    }

    /// The flaw of a built-in type that the ABI also defines as a struct. nodeos uses the built-in
    /// type, and other tools use the struct, so the data has two meanings.
    /// - Parameter names: the structs that the ABI defines.
    private func redefined(_ types: [Int], by names: Set<String>) -> ABIError? {
        for type in types {
            guard case .builtin(let builtin) = Layout.innermost(type, in: table.nodes),
                names.contains(builtin.rawValue)
            else { continue }
            return ABIError(.redefinedType(builtin.rawValue))
        }
        return nil
    }

    /// Names with spaces could look like several words of the review. No compiler makes them.
    private static func unprintable(_ names: [String]) -> ABIError? {
        names.first { name in name.isEmpty || !name.utf8.allSatisfy { (0x21..<0x7f).contains($0) } }
            .map { ABIError(.unprintableDefinition($0)) }
    }

    /// A review shows the name of a type before its value, so it must not look like an amount.
    /// Compilers make spaces after commas: `B_pair<name, asset>_E`.
    private static func misleading(_ types: [String]) -> ABIError? {
        if let name = types.first(where: { unprintable([$0.replacing(", ", with: ",")]) != nil }) {
            return ABIError(.unprintableDefinition(name))
        }
        return types.first { name in name.utf8.first.map { (0x2b...0x39).contains($0) } ?? false }
            .map { ABIError(.numericDefinition($0)) }
    }
}

/// A type that contains other types.
private enum Member: Hashable {
    case structure(Int)
    case variant(Int)
}

extension TypeFlaws {
    fileprivate subscript(member: Member) -> ABIError? {
        get {
            switch member {
            case .structure(let index): structs[index]
            case .variant(let index): variants[index]
            }
        }
        set {
            switch member {
            case .structure(let index): structs[index] = newValue
            case .variant(let index): variants[index] = newValue
            }
        }
    }
}
