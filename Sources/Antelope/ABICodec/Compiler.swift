import JSON

/// Compiles the definitions of an ABI into a layout. Refuses what nodeos refuses
/// (AntelopeIO/spring, abi_serializer::set_abi and ::validate). Errors state the definition.
struct Compiler {
    private let definition: ABIDefinition
    private(set) var table: TypeTable
    private(set) var warnings: [ABIWarning] = []
    private(set) var structs: [StructNode] = []
    private(set) var fields: [FieldNode] = []
    private(set) var variants: [VariantNode] = []
    private(set) var alternatives: [AlternativeNode] = []
    private var fieldOrder: [Int] = []
    private var alternativeOrder: [Int] = []
    private var labels: [UInt8] = []
    /// The reasons why values can't be encoded or decoded.
    private var flaws = TypeFlaws()
    /// The reasons why values must not be shown as the data of an action.
    private var actionFlaws = TypeFlaws()

    /// The only built-in type that is encoded as a struct.
    private static let extendedAsset = ABIDefinition.Struct(
        name: "extended_asset", base: "",
        fields: [.init(name: "quantity", type: "asset"), .init(name: "contract", type: "name")])

    /// All structs. The built-in one is first, so that structs and nodes have the same indices.
    let definitions: [ABIDefinition.Struct]
    /// For each struct that is laid out: its number of bases, its base, and the name of its first
    /// extension. A base is laid out once, before the structs derived from it.
    private var laidOut: [(bases: Int, base: Int?, extensionName: String?)?]

    init(_ definition: ABIDefinition) throws(ABIError) {
        self.definition = definition
        definitions = [Self.extendedAsset] + definition.structs
        table = TypeTable(extendedAsset: 0, hasBitset: definition.hasBuiltInBitset)
        laidOut = Array(repeating: nil, count: definitions.count)
        structs = Array(repeating: StructNode(first: 0, count: 0), count: definitions.count)
        try define()
        try inside("structs") { () throws(ABIError) in
            for index in definitions.indices { try layOut(struct: index) }
        }
        try inside("variants") { () throws(ABIError) in
            for (index, variant) in (definition.variants ?? []).enumerated() { try layOut(variant, index) }
        }
        try inside("types") { () throws(ABIError) in
            for alias in definition.aliases { try resolve(alias) }
        }
        try computeEmptyWeights()
        flaws = spread(flaws)
        actionFlaws = spread(ownActionFlaws(variants: definition.variants ?? []))
    }

    /// The base of a struct.
    func base(ofLaidOut index: Int) -> Int? { laidOut[index]?.base }

    var layout: Layout {
        Layout(
            nodes: table.nodes, structs: structs, fields: fields, variants: variants,
            alternatives: alternatives,
            fieldOrder: fieldOrder, alternativeOrder: alternativeOrder, labels: labels, flaws: flaws,
            actionFlaws: actionFlaws)
    }

    // MARK: - names

    /// Defines the names in the order of nodeos (abi_serializer::set_abi): structs, aliases,
    /// variants. Of equal names, a built-in type has precedence over a struct or variant, an alias
    /// over a variant, and a variant over a struct.
    private mutating func define() throws(ABIError) {
        for (index, entry) in definitions.enumerated().dropFirst() {
            guard try table.define(struct: entry.name, index: index) else {
                warnings.append(.notUsed(.structure, name: entry.name, instead: .builtIn))
                continue
            }
        }
        for alias in definition.aliases { try table.define(alias.name, aliasOf: alias.type) }
        var names: Set<[UInt8]> = []
        for (index, variant) in (definition.variants ?? []).enumerated() {
            guard names.insert(Array(variant.name.utf8)).inserted else {
                throw ABIError(.duplicateDefinition(.type, variant.name))
            }
            switch table.define(variant: variant.name, index: index) {
            case .own: break
            case .replacesStruct: warnings.append(.notUsed(.structure, name: variant.name, instead: .variant))
            case .builtin: warnings.append(.notUsed(.variant, name: variant.name, instead: .builtIn))
            case .alias: warnings.append(.notUsed(.variant, name: variant.name, instead: .alias))
            }
        }
        if !definition.hasBuiltInBitset { warnings.append(.ownBitset(version: definition.version)) }
    }

    private mutating func label(_ name: String) -> Label {
        let start = labels.count
        labels += Array(name.utf8)
        var writer = JSONWriter()
        writer.write(string: name)
        labels += [UInt8(ascii: ",")] + writer.bytes + [UInt8(ascii: ":")]
        let count = name.utf8.count
        let head = writer.bytes.prefix(8).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        return Label(
            start: start, count: count, quotedStart: start + count + 1, quotedCount: writer.count,
            quotedHead: head)
    }

    /// Sorts indices by their labels.
    /// - Returns: The later of two indices with the same label; nil when the labels are unique.
    private func sort(_ order: inout [Int], by label: (Int) -> Label) -> Int? {
        func difference(_ one: Int, _ other: Int) -> Int {
            Layout.difference(of: label(one), in: labels, and: labels.span.extracting(label(other).range))
        }
        order.sort { difference($0, $1) < 0 }
        return zip(order, order.dropFirst()).first { difference($0, $1) == 0 }.map { max($0, $1) }
    }

    private mutating func resolve(_ alias: ABIDefinition.Alias) throws(ABIError) {
        try inside(alias.name) { () throws(ABIError) in
            _ = try table.node(of: alias.type)
            try table.resolve(alias: alias.name)
        }
    }

    // MARK: - structs

    private mutating func layOut(struct index: Int) throws(ABIError) {
        var chain: [Int] = []
        var next: Int? = index
        while let current = next, laidOut[current] == nil {
            guard !chain.contains(current) else { throw ABIError(.circularBase(definitions[index].name)) }
            guard chain.count < Layout.depthLimit else { throw tooDeep(index) }
            chain.append(current)
            next = try base(of: current)
        }
        // The innermost base is laid out first.
        while let current = chain.popLast() {
            try layOut(struct: current, on: next)
            next = current
        }
    }

    private func tooDeep(_ index: Int) -> ABIError {
        ABIError(.typeTooDeep(limit: Layout.depthLimit)).inside(.field(definitions[index].name))
    }

    private mutating func base(of index: Int) throws(ABIError) -> Int? {
        let definition = definitions[index]
        guard !definition.base.isEmpty else { return nil }
        return try inside(definition.name) { () throws(ABIError) in
            try table.structIndex(ofBase: definition.base)
        }
    }

    /// Lays out a struct after its base: the base's fields, then its own.
    private mutating func layOut(struct index: Int, on base: Int?) throws(ABIError) {
        let definition = definitions[index]
        let first = fields.count
        var bases = 0
        var extensionName: String?
        var inherited = 0..<0
        if let base, let known = laidOut[base] {
            bases = known.bases + 1
            extensionName = known.extensionName
            inherited = structs[base].first..<structs[base].first + structs[base].count
        }
        guard bases < Layout.depthLimit else { throw tooDeep(index) }
        let count = inherited.count + definition.fields.count
        guard count <= Layout.fieldLimit else {
            throw ABIError(.tooManyFields(limit: Layout.fieldLimit)).inside(.field(definition.name))
        }
        guard first + count <= Layout.definitionLimit else {
            throw ABIError(.tooManyDefinitions(limit: Layout.definitionLimit))
        }
        fields += Array(fields[inherited])
        for field in definition.fields {
            let node: FieldNode
            do { node = try lay(field) } catch {
                throw error.inside(.field(field.name)).inside(.field(definition.name))
            }
            fields.append(node)
            if node.isExtension {
                extensionName = extensionName ?? field.name
            } else if let extensionName {
                warnings.append(
                    .fieldAfterExtension(type: definition.name, field: field.name, extension: extensionName))
            }
        }
        // The base's fields are already sorted, and the sort makes use of that: comparing long
        // names takes time.
        var order =
            fieldOrder[inherited].map { $0 - inherited.lowerBound + first }
            + Array(first + inherited.count..<fields.count)
        let duplicate = sort(&order, by: { fields[$0].label })
        if let base, let flaw = flaws.structs[base] {
            flaws.structs[index] = flaw
        } else if let duplicate {
            let field = definition.fields[duplicate - first - inherited.count]
            let flaw = ABIError(.duplicateField(field.name)).inside(.field(definition.name)).inside(
                .field("structs"))
            flaws.structs[index] = flaw
            warnings.append(.unusable(flaw))
        }
        fieldOrder += order
        structs[index] = StructNode(first: first, count: count)
        laidOut[index] = (bases, base, extensionName)
    }

    private mutating func lay(_ field: ABIDefinition.Field) throws(ABIError) -> FieldNode {
        let isExtension = field.type.utf8.last == UInt8(ascii: "$")
        let type = try table.node(
            of: isExtension ? String(Substring(field.type.utf8.dropLast())) : field.type)
        var isOptional = false
        if case .optional = table.nodes[type] { isOptional = true }
        return FieldNode(
            label: label(field.name), type: type, isExtension: isExtension, isOptional: isOptional)
    }

    // MARK: - variants

    private mutating func layOut(_ variant: ABIDefinition.Variant, _ index: Int) throws(ABIError) {
        let first = alternatives.count
        guard first + variant.types.count <= Layout.definitionLimit else {
            throw ABIError(.tooManyDefinitions(limit: Layout.definitionLimit))
        }
        for type in variant.types {
            let node = try inside(variant.name) { () throws(ABIError) in try table.node(of: type) }
            alternatives.append(AlternativeNode(label: label(type), type: node))
        }
        var order = Array(first..<alternatives.count)
        if let duplicate = sort(&order, by: { alternatives[$0].label }) {
            let flaw = ABIError(.duplicateDefinition(.alternative, variant.types[duplicate - first]))
                .inside(.field(variant.name)).inside(.field("variants"))
            flaws.variants[index] = flaw
            warnings.append(.unusable(flaw))
        }
        alternativeOrder += order
        variants.append(VariantNode(first: first, count: variant.types.count))
    }

    // MARK: - structs of no bytes

    /// Finds the structs whose values take no bytes, starting with structs without fields.
    /// Otherwise a few bytes of a hostile definition could represent billions of values.
    private mutating func computeEmptyWeights() throws(ABIError) {
        /// For each struct: one entry for each field that contains it, with the index of the outer
        /// struct and the type of the field.
        var users = [[(index: Int, type: Int)]](repeating: [], count: structs.count)
        var left = structs.map(\.count)
        for (index, node) in structs.enumerated() {
            for field in fields[node.first..<node.first + node.count] {
                switch innermost(field.type) {
                case .structure(let used): users[used].append((index, field.type))
                case .fixedArray:
                    structs[index].emptyWeight += emptyWeight(of: field.type)
                    left[index] -= 1
                default: break
                }
            }
        }
        var ready = structs.indices.filter { left[$0] == 0 }
        while let index = ready.popLast() {
            structs[index].emptyWeight += 1
            let weight = structs[index].emptyWeight
            guard weight <= Layout.emptyElementLimit else {
                throw ABIError(.tooManyEmptyFields(definitions[index].name))
            }
            for user in users[index] {
                structs[user.index].emptyWeight += emptyWeight(of: user.type)
                left[user.index] -= 1
                if left[user.index] == 0 { ready.append(user.index) }
            }
        }
        // A struct that still waits for a field contains a field that takes bytes, so it takes
        // bytes too.
        for index in structs.indices where left[index] > 0 { structs[index].emptyWeight = 0 }
    }

    /// The innermost element of nested arrays of fixed length. An array without elements is
    /// returned itself.
    private func innermost(_ node: Int) -> TypeNode {
        var node = node
        while case .fixedArray(let element, let count) = table.nodes[node], count > 0 { node = element }
        return table.nodes[node]
    }

    func emptyWeight(of node: Int) -> Int {
        Layout.emptyWeight(of: node, nodes: table.nodes, structs: structs)
    }
}
