extension Compiler {
    /// Marks each struct and variant that contains a flawed type with the same flaw. nodeos loads
    /// an ABI with two fields of the same name and prints only one of them, so a value of such a
    /// type can't be shown. Types that do not need it stay usable.
    mutating func spreadFlaws() {
        guard !structFlaws.isEmpty || !variantFlaws.isEmpty else { return }
        var users: [Member: [Member]] = [:]
        for (index, node) in structs.enumerated() {
            for field in fields[node.first..<node.first + node.count] {
                if let member = member(of: field.type) { users[member, default: []].append(.structure(index)) }
            }
        }
        for (index, node) in variants.enumerated() {
            for alternative in alternatives[node.first..<node.first + node.count] {
                if let member = member(of: alternative.type) { users[member, default: []].append(.variant(index)) }
            }
        }
        var waiting = structFlaws.keys.sorted().map(Member.structure) + variantFlaws.keys.sorted().map(Member.variant)
        while let flawed = waiting.popLast() {
            guard let flaw = flaw(of: flawed) else { continue }
            for user in users[flawed] ?? [] where self.flaw(of: user) == nil {
                switch user {
                case .structure(let index): structFlaws[index] = flaw
                case .variant(let index): variantFlaws[index] = flaw
                }
                waiting.append(user)
            }
        }
    }

    /// A type that contains other types.
    private enum Member: Hashable {
        case structure(Int)
        case variant(Int)
    }

    private func flaw(of member: Member) -> ABIError? {
        switch member {
        case .structure(let index): structFlaws[index]
        case .variant(let index): variantFlaws[index]
        }
    }

    /// The struct or variant of a type without its suffixes.
    private func member(of node: Int) -> Member? {
        switch Layout.innermost(node, in: table.nodes) {
        case .structure(let index): .structure(index)
        case .variant(let index): .variant(index)
        case .builtin, .array, .fixedArray, .optional: nil
        }
    }
}
