/// The meanings of an ABI's type names, and the nodes of all types composed of them so far.
struct TypeTable {
    /// The meaning of a name without suffixes.
    enum Meaning {
        /// A node, and the number of aliases that lead to it.
        case node(Int, links: Int)
        /// The text of another type, which is not resolved yet.
        case alias(String)
    }

    private(set) var nodes: [TypeNode] = []
    /// For each node, its number of suffixes.
    private var suffixCounts: [Int] = []
    /// The meaning of a name as the type of a value. The key is the name's bytes, because strings
    /// that Swift compares as equal may have different bytes.
    private var meanings: [[UInt8]: Meaning] = [:]
    /// The structs by name, for looking up bases: there a struct has precedence over a built-in
    /// type and a variant.
    private var structs: [[UInt8]: Int] = [:]
    /// The type that each alias means.
    private var aliases: [[UInt8]: String] = [:]
    /// The aliases whose names end with a suffix of a composed type, such as `[]`.
    private var composedAliases: Set<[UInt8]> = []
    /// How often an alias was followed to its target. Tests show by it that each is followed once.
    private(set) var followedAliasCount = 0
    /// Nodes of composed types, so that each is made once.
    private var composed: [Composition: Int] = [:]

    /// - Parameter extendedAsset: The index of the built-in struct `extended_asset`.
    /// - Parameter hasBitset: True if `bitset` is built in.
    init(extendedAsset: Int, hasBitset: Bool) {
        for builtin in Builtin.allCases where builtin != .bitset || hasBitset {
            meanings[Array(builtin.rawValue.utf8)] = .node(nodes.count, links: 0)
            append(.builtin(builtin), suffixes: 0)
        }
        meanings[Array("extended_asset".utf8)] = .node(nodes.count, links: 0)
        append(.structure(extendedAsset), suffixes: 0)
    }

    private mutating func append(_ node: TypeNode, suffixes: Int) {
        nodes.append(node)
        suffixCounts.append(suffixes)
    }

    /// Defines a struct. A built-in type of the same name has precedence, except as a base.
    /// - Returns: True if values have this struct as the type of the name.
    /// - Throws: `.duplicateDefinition` when another struct has the name
    mutating func define(struct name: String, index: Int) throws(ABIError) -> Bool {
        let key = Array(name.utf8)
        guard structs.updateValue(index, forKey: key) == nil else {
            throw ABIError(.duplicateDefinition(.type, name))
        }
        guard meanings[key] == nil else { return false }
        meanings[key] = .node(nodes.count, links: 0)
        append(.structure(index), suffixes: 0)
        return true
    }

    /// Defines an alias. All structs must be defined before, and variants after.
    /// - Throws: `.duplicateDefinition` when a struct or another alias has the name; `.typeExists`
    ///   when it is the name of a built-in type, or of a composed type whose base is defined
    mutating func define(_ name: String, aliasOf type: String) throws(ABIError) {
        let key = Array(name.utf8)
        guard aliases[key] == nil, !isStruct(key) else { throw ABIError(.duplicateDefinition(.type, name)) }
        guard meanings[key] == nil else { throw ABIError(.typeExists(name)) }
        if let (_, rest) = Self.outermostSuffix(of: name[...]) {
            guard !isKnown(String(rest), depth: 0) else { throw ABIError(.typeExists(name)) }
            composedAliases.insert(key)
        }
        aliases[key] = type
        meanings[key] = .alias(type)
    }

    /// True if nodeos accepts a type while it reads the aliases (abi_serializer::_is_type). It does
    /// when the type has a single suffix and its aliases lead to a type that is already defined.
    private func isKnown(_ type: String, depth: Int) -> Bool {
        // nodeos refuses an ABI with types nested this deeply.
        guard depth < Layout.depthLimit else { return true }
        let fundamental = depth == 0 ? type[...] : Self.outermostSuffix(of: type[...])?.rest ?? type[...]
        let key = Array(fundamental.utf8)
        if let other = aliases[key] { return isKnown(other, depth: depth + 1) }
        return meanings[key] != nil
    }

    /// The relation of a variant's name to earlier definitions.
    enum VariantMeaning { case own, replacesStruct, builtin, alias }

    /// Defines a variant. Of equal names, a built-in type and an alias have precedence over a
    /// variant, and a variant over a struct.
    mutating func define(variant name: String, index: Int) -> VariantMeaning {
        let key = Array(name.utf8)
        guard aliases[key] == nil else { return .alias }
        let replaces = isStruct(key)
        guard replaces || meanings[key] == nil else { return .builtin }
        meanings[key] = .node(nodes.count, links: 0)
        append(.variant(index), suffixes: 0)
        return replaces ? .replacesStruct : .own
    }

    /// True if values have the ABI's own struct as the type of a name.
    private func isStruct(_ key: [UInt8]) -> Bool {
        guard case .node(let node, _) = meanings[key], case .structure(let index) = nodes[node] else {
            return false
        }
        return structs[key] == index
    }

    /// The struct that a base refers to, directly or through aliases.
    /// - Throws: `.baseIsNotStruct`; for an undefined type, the errors of `node(of:)`
    mutating func structIndex(ofBase base: String) throws(ABIError) -> Int {
        var name = base
        for _ in 0..<Layout.depthLimit {
            guard let other = aliases[Array(name.utf8)] else { break }
            name = other
        }
        if let index = structs[Array(name.utf8)] { return index }
        _ = try node(of: base)
        throw ABIError(.baseIsNotStruct(base))
    }

    /// The node of a type: a name, followed by any number of `[]`, `[N]` and `?`.
    /// - Throws: `.unknownType`, `.circularAlias`, `.misplacedExtension`, `.typeTooDeep`,
    ///   `.tooManyDefinitions`
    mutating func node(of type: String) throws(ABIError) -> Int {
        var names: [[UInt8]] = []
        return try resolve(type, through: &names).node
    }

    /// Resolves an alias that is defined, so that later look-ups find its node.
    /// - Throws: The errors of `node(of:)`
    mutating func resolve(alias name: String) throws(ABIError) {
        var names: [[UInt8]] = []
        _ = try follow(name, in: name, through: &names)
    }

    /// The node of a type, and the number of aliases that lead to it.
    /// - Parameter names: The aliases that are being resolved. Their number limits the recursion.
    private mutating func resolve(_ type: String, through names: inout [[UInt8]]) throws(ABIError) -> (
        node: Int, links: Int
    ) {
        var suffixes: [Suffix] = []
        var rest = type[...]
        while suffixes.count <= Layout.depthLimit, !isComposedAlias(rest),
            let (suffix, inner) = Self.outermostSuffix(of: rest)
        {
            suffixes.append(suffix)
            rest = inner
        }
        guard suffixes.count <= Layout.depthLimit else {
            throw ABIError(.typeTooDeep(limit: Layout.depthLimit))
        }
        // nodeos accepts an alias named `b[]` if `b` is defined, and refuses the ABI otherwise
        // (abi_serializer::_is_type).
        if isComposedAlias(rest), let (_, inner) = Self.outermostSuffix(of: rest) {
            _ = try follow(String(inner), in: type, through: &names)
        }
        let (node, links) = try follow(String(rest), in: type, through: &names)
        guard suffixCounts[node] + suffixes.count <= Layout.depthLimit else {
            throw ABIError(.typeTooDeep(limit: Layout.depthLimit))
        }
        var whole = node
        for suffix in suffixes.reversed() { whole = try compose(suffix, of: whole) }
        return (whole, links)
    }

    /// The node of a name without suffixes, and the number of aliases that lead to it. Each alias
    /// is resolved once.
    private mutating func follow(
        _ text: String, in type: String, through names: inout [[UInt8]]
    ) throws(ABIError) -> (node: Int, links: Int) {
        let name = Array(text.utf8)
        let links: Int
        let node: Int
        switch meanings[name] {
        case nil:
            throw ABIError(name.last == UInt8(ascii: "$") ? .misplacedExtension(type) : .unknownType(text))
        case .node(let known, let count): (node, links) = (known, count)
        case .alias(let other):
            guard !names.contains(name) else { throw ABIError(.circularAlias(text)) }
            names.append(name)
            followedAliasCount += 1
            guard names.count < Layout.depthLimit else {
                throw ABIError(.typeTooDeep(limit: Layout.depthLimit))
            }
            let target = try resolve(other, through: &names)
            names.removeLast()
            (node, links) = (target.node, target.links + 1)
            meanings[name] = .node(node, links: links)
        }
        // nodeos has the same depth limit.
        guard links < Layout.depthLimit else { throw ABIError(.typeTooDeep(limit: Layout.depthLimit)) }
        return (node, links)
    }

    /// True if an alias has this name, which may end with a suffix of a composed type.
    private func isComposedAlias(_ name: Substring) -> Bool {
        !composedAliases.isEmpty && composedAliases.contains(Array(name.utf8))
    }

    /// A suffix that makes a composed type.
    fileprivate enum Suffix: Hashable {
        /// `[]`
        case array
        /// `[N]`: exactly N elements, without a count
        case fixedArray(count: Int)
        /// `?`
        case optional
    }

    private struct Composition: Hashable {
        let suffix: Suffix
        let node: Int
    }

    /// The last suffix of a type and the part before it; nil for a plain name.
    private static func outermostSuffix(of type: Substring) -> (suffix: Suffix, rest: Substring)? {
        let text = type.utf8
        if text.last == UInt8(ascii: "?") { return (.optional, Substring(text.dropLast())) }
        guard text.last == UInt8(ascii: "]"), let bracket = text.lastIndex(of: UInt8(ascii: "[")),
            let suffix = Suffix(inBrackets: Substring(text[text.index(after: bracket)...].dropLast()))
        else { return nil }
        return (suffix, Substring(text[..<bracket]))
    }

    private mutating func compose(_ suffix: Suffix, of node: Int) throws(ABIError) -> Int {
        let composition = Composition(suffix: suffix, node: node)
        if let known = composed[composition] { return known }
        guard composed.count < Layout.definitionLimit else {
            throw ABIError(.tooManyDefinitions(limit: Layout.definitionLimit))
        }
        composed[composition] = nodes.count
        switch suffix {
        case .array: append(.array(node), suffixes: suffixCounts[node] + 1)
        case .fixedArray(let count): append(.fixedArray(node, count: count), suffixes: suffixCounts[node] + 1)
        case .optional: append(.optional(node), suffixes: suffixCounts[node] + 1)
        }
        return nodes.count - 1
    }
}

extension TypeTable.Suffix {
    /// The text between brackets is empty or the digits of a 32-bit number, as nodeos reads it
    /// (AntelopeIO/spring, abi_serializer::is_szarray).
    fileprivate init?(inBrackets digits: Substring) {
        if digits.isEmpty {
            self = .array
        } else if digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let count = UInt32(digits)
        {
            self = .fixedArray(count: Int(count))
        } else {
            return nil
        }
    }
}
