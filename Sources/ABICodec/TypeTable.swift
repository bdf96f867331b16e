/// What the names of an ABI's types stand for, and the nodes of all types composed of them so far.
struct TypeTable {
    /// What a name without suffixes stands for.
    enum Meaning {
        /// A node, and how many aliases lead to it.
        case node(Int, links: Int)
        /// The text of another type, until it is looked up for the first time.
        case alias(String)
    }

    private(set) var nodes: [TypeNode] = []
    /// How many suffixes each node is made with.
    private var suffixCounts: [Int] = []
    /// By the bytes of the name: strings that Swift holds equal may differ in them.
    private var meanings: [[UInt8]: Meaning] = [:]
    /// Nodes of composed types, so that each is made once.
    private var composed: [Composition: Int] = [:]

    init() {
        for builtin in Builtin.allCases {
            meanings[Array(builtin.rawValue.utf8)] = .node(nodes.count, links: 0)
            append(.builtin(builtin), suffixes: 0)
        }
    }

    /// - Throws: `.duplicateDefinition` when the name is taken, by a built-in type too
    mutating func define(_ name: String, as node: TypeNode) throws(ABIError) {
        try define(name, meaning: .node(nodes.count, links: 0))
        append(node, suffixes: 0)
    }

    private mutating func append(_ node: TypeNode, suffixes: Int) {
        nodes.append(node)
        suffixCounts.append(suffixes)
    }

    /// - Throws: `.duplicateDefinition` when the name is taken, by a built-in type too
    mutating func define(_ name: String, aliasOf type: String) throws(ABIError) {
        try define(name, meaning: .alias(type))
    }

    private mutating func define(_ name: String, meaning: Meaning) throws(ABIError) {
        guard meanings.updateValue(meaning, forKey: Array(name.utf8)) == nil else {
            throw ABIError(.duplicateDefinition(.type, name))
        }
    }

    /// The node of a type: a name, and any number of `[]`, `[N]` and `?` behind it.
    /// - Throws: `.unknownType`, `.circularAlias`, `.misplacedExtension`, `.typeTooDeep`, `.tooManyDefinitions`
    mutating func node(of type: String) throws(ABIError) -> Int {
        var names: [[UInt8]] = []
        return try resolve(type, through: &names).node
    }

    /// Follows an alias that is defined, so that it is known from now on.
    /// - Throws: as `node(of:)`
    mutating func settle(alias name: String) throws(ABIError) {
        var names: [[UInt8]] = []
        _ = try follow(name, in: name, through: &names)
    }

    /// The node of a type, and how many aliases lead to it.
    /// - Parameter names: Those of the aliases that are being followed. Their number caps the recursion.
    private mutating func resolve(_ type: String, through names: inout [[UInt8]]) throws(ABIError) -> (node: Int, links: Int) {
        var suffixes: [Suffix] = []
        let rest = Self.strip(type, into: &suffixes)
        guard suffixes.count <= Layout.depthLimit else { throw ABIError(.typeTooDeep(limit: Layout.depthLimit)) }
        let (node, links) = try follow(rest, in: type, through: &names)
        guard suffixCounts[node] + suffixes.count <= Layout.depthLimit else { throw ABIError(.typeTooDeep(limit: Layout.depthLimit)) }
        var whole = node
        for suffix in suffixes.reversed() { whole = try compose(suffix, of: whole) }
        return (whole, links)
    }

    /// The node of a name without suffixes, and how many aliases lead to it. Each alias is followed once.
    private mutating func follow(
        _ text: String, in type: String, through names: inout [[UInt8]]
    ) throws(ABIError) -> (node: Int, links: Int) {
        let name = Array(text.utf8)
        let links: Int
        let node: Int
        switch meanings[name] {
        case nil: throw ABIError(name.last == UInt8(ascii: "$") ? .misplacedExtension(type) : .unknownType(text))
        case .node(let known, let count): (node, links) = (known, count)
        case .alias(let other):
            guard !names.contains(name) else { throw ABIError(.circularAlias(text)) }
            names.append(name)
            guard names.count < Layout.depthLimit else { throw ABIError(.typeTooDeep(limit: Layout.depthLimit)) }
            let target = try resolve(other, through: &names)
            names.removeLast()
            (node, links) = (target.node, target.links + 1)
            meanings[name] = .node(node, links: links)
        }
        // nodeos gives up at the same depth.
        guard links < Layout.depthLimit else { throw ABIError(.typeTooDeep(limit: Layout.depthLimit)) }
        return (node, links)
    }

    /// Whether a name is that of a known type with suffixes behind it.
    func isComposed(_ name: String) -> Bool {
        var suffixes: [Suffix] = []
        let rest = Self.strip(name, into: &suffixes)
        return !suffixes.isEmpty && meanings[Array(rest.utf8)] != nil
    }

    /// How a type is made of the one before its suffix.
    fileprivate enum Suffix: Hashable {
        /// `[]`
        case array
        /// `[N]`: so many elements and no count of them
        case fixedArray(count: Int)
        /// `?`
        case optional
    }

    private struct Composition: Hashable {
        let suffix: Suffix
        let node: Int
    }

    /// Appends the suffixes of a type, the outermost first, and gives what is before them.
    private static func strip(_ type: String, into suffixes: inout [Suffix]) -> String {
        var rest = type[...].utf8
        while suffixes.count <= Layout.depthLimit {
            if rest.last == UInt8(ascii: "?") {
                rest = rest.dropLast()
                suffixes.append(.optional)
            } else if rest.last == UInt8(ascii: "]"), let bracket = rest.lastIndex(of: UInt8(ascii: "[")),
                let suffix = Suffix(inBrackets: Substring(rest[rest.index(after: bracket)...].dropLast()))
            {
                rest = rest[..<bracket]
                suffixes.append(suffix)
            } else {
                break
            }
        }
        return String(Substring(rest))
    }

    private mutating func compose(_ suffix: Suffix, of node: Int) throws(ABIError) -> Int {
        let composition = Composition(suffix: suffix, node: node)
        if let known = composed[composition] { return known }
        guard composed.count < Layout.definitionLimit else { throw ABIError(.tooManyDefinitions(limit: Layout.definitionLimit)) }
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
    /// What stands between brackets: nothing, or digits of a number of 32 bits, as nodeos reads them
    /// (AntelopeIO/spring, abi_serializer::is_szarray).
    fileprivate init?(inBrackets digits: Substring) {
        if digits.isEmpty {
            self = .array
        } else if digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let count = UInt32(digits) {
            self = .fixedArray(count: Int(count))
        } else {
            return nil
        }
    }
}
