extension ABI {
    /// True if the contract has an action of this name.
    package func hasAction(_ name: Name) -> Bool { actions[name] != nil }

    /// The first action, in the order of names, that `other` lacks or decodes differently: into
    /// other text, or from other bytes. Nil when `other` decodes each action of this ABI the same
    /// way.
    package func firstAction(decodedDifferentlyBy other: ABI) -> Name? {
        actions.keys.sorted { $0.text < $1.text }.first { decodes($0, differentlyFrom: other) }
    }

    /// All such actions, in the order of their names.
    package func actions(decodedDifferentlyBy other: ABI) -> [Name] {
        actions.keys.filter { decodes($0, differentlyFrom: other) }.sorted { $0.text < $1.text }
    }

    private func decodes(_ name: Name, differentlyFrom other: ABI) -> Bool {
        // A type that can't be used decodes nothing, so it is not the same.
        guard let own = try? actionType(for: name), let others = try? other.actionType(for: name) else {
            return true
        }
        return !own.isEquivalent(to: others)
    }
}

extension ABIType {
    /// True if both types are written as the same bytes and printed as the same text, for each
    /// value.
    ///
    /// The compiled layouts are compared: the names of structs and aliases do not matter, the names
    /// and the order of fields and alternatives do. Types may be recursive, and an ABI from outside
    /// may nest them deeply, so a list contains the pairs to compare, and each pair is compared
    /// once.
    func isEquivalent(to other: ABIType) -> Bool {
        var seen: Set<NodePair> = []
        var waiting = [NodePair(one: node, other: other.node)]
        while let pair = waiting.popLast() {
            guard seen.insert(pair).inserted else { continue }
            guard let parts = Layout.parts(of: pair, in: layout, other.layout) else { return false }
            waiting += parts
        }
        return true
    }
}

/// A type of one layout, paired with a type of another layout.
private struct NodePair: Hashable {
    let one: Int
    let other: Int
}

extension Layout {
    /// The pairs of types that two types of the same shape consist of; nil when their shapes
    /// differ.
    fileprivate static func parts(of pair: NodePair, in one: Layout, _ other: Layout) -> [NodePair]? {
        switch (one.nodes[pair.one], other.nodes[pair.other]) {
        case (.builtin(let type), .builtin(let otherType)): return type == otherType ? [] : nil
        case (.array(let element), .array(let otherElement)),
            (.optional(let element), .optional(let otherElement)):
            return [NodePair(one: element, other: otherElement)]
        case (.fixedArray(let element, let count), .fixedArray(let otherElement, let otherCount)):
            return count == otherCount ? [NodePair(one: element, other: otherElement)] : nil
        case (.structure(let index), .structure(let otherIndex)):
            return pairs(
                one.fields(of: one.structs[index]), other.fields(of: other.structs[otherIndex]), type: \.type
            ) { field, otherField in
                field.isExtension == otherField.isExtension
                    && one.bytes(of: field.label) == other.bytes(of: otherField.label)
            }
        case (.variant(let index), .variant(let otherIndex)):
            return pairs(
                one.alternatives(of: one.variants[index]), other.alternatives(of: other.variants[otherIndex]),
                type: \.type
            ) { one.bytes(of: $0.label) == other.bytes(of: $1.label) }
        case (.builtin, _), (.array, _), (.optional, _), (.fixedArray, _), (.structure, _), (.variant, _):
            return nil
        }
    }

    private static func pairs<Member>(
        _ members: ArraySlice<Member>, _ others: ArraySlice<Member>, type: (Member) -> Int,
        _ isAlike: (Member, Member) -> Bool
    ) -> [NodePair]? {
        guard members.count == others.count, zip(members, others).allSatisfy(isAlike) else { return nil }
        return zip(members, others).map { NodePair(one: type($0), other: type($1)) }
    }

    private func fields(of node: StructNode) -> ArraySlice<FieldNode> {
        fields[node.first..<node.first + node.count]
    }

    private func alternatives(of node: VariantNode) -> ArraySlice<AlternativeNode> {
        alternatives[node.first..<node.first + node.count]
    }

    private func bytes(of label: Label) -> ArraySlice<UInt8> { labels[label.range] }
}
