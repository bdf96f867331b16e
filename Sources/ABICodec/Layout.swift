/// An ABI's types, compiled: numbers instead of names, so that no text is looked up while values
/// are walked.
///
/// All nodes are plain values in arrays; a type is its index in `nodes`.
final class Layout: Sendable {
    /// How deep structs, arrays, optionals and variants may stand in each other, each counting one,
    /// both ways. nodeos has the same limit (AntelopeIO/spring,
    /// abi_serializer::max_recursion_depth).
    static let depthLimit = 32
    /// How many elements that take no bytes one array may have.
    static let emptyElementLimit = 1_024
    /// The fields of one struct, those of its bases included: a `{}` may stand for as many absent
    /// ones.
    static let fieldLimit = 1_024
    /// Entries of each list of an ABI; fields in all, a base's once more for each struct on it;
    /// alternatives in all.
    static let definitionLimit = 65_536
    /// Bytes of a name or a type. Compilers join the names of a template's arguments, so some have
    /// over a hundred.
    static let definitionLengthLimit = 1_024

    /// How many bytes may be made of an input of `count` bytes. A byte can stand for a name, a text
    /// of two characters for a thousand absent fields; 256 times the input is beyond what real
    /// values come to, and the greatest text is the greatest that is read back. Each value that is
    /// walked reads or writes a byte, so this bounds the time too.
    static func outputLimit(forInput count: Int) -> Int {
        let greatest = 16 << 20
        return min(greatest, 16 << 10 + 256 * min(count, greatest))
    }

    let nodes: [TypeNode]
    let structs: [StructNode]
    let fields: [FieldNode]
    let variants: [VariantNode]
    let alternatives: [AlternativeNode]
    /// The fields of each struct in the order of their names, in the struct's range.
    let fieldOrder: [Int]
    /// The alternatives of each variant in the order of their names, in the variant's range.
    let alternativeOrder: [Int]
    /// The text of all labels.
    let labels: [UInt8]
    /// By the indices of structs and variants: why no value of the type, or of one in it, can be
    /// written or read.
    let structFlaws: [Int: ABIError]
    let variantFlaws: [Int: ABIError]

    init(
        nodes: [TypeNode], structs: [StructNode], fields: [FieldNode], variants: [VariantNode],
        alternatives: [AlternativeNode], fieldOrder: [Int], alternativeOrder: [Int], labels: [UInt8],
        structFlaws: [Int: ABIError], variantFlaws: [Int: ABIError]
    ) {
        self.nodes = nodes
        self.structs = structs
        self.fields = fields
        self.variants = variants
        self.alternatives = alternatives
        self.fieldOrder = fieldOrder
        self.alternativeOrder = alternativeOrder
        self.labels = labels
        self.structFlaws = structFlaws
        self.variantFlaws = variantFlaws
    }

    /// The same definitions with types that were composed of them later.
    convenience init(_ other: Layout, nodes: [TypeNode]) {
        self.init(
            nodes: nodes, structs: other.structs, fields: other.fields, variants: other.variants,
            alternatives: other.alternatives, fieldOrder: other.fieldOrder, alternativeOrder: other.alternativeOrder,
            labels: other.labels, structFlaws: other.structFlaws, variantFlaws: other.variantFlaws)
    }

    /// Why no value of a type can be written or read; nil for a type that is usable.
    func flaw(of node: Int) -> ABIError? {
        switch Self.innermost(node, in: nodes) {
        case .structure(let index): structFlaws[index]
        case .variant(let index): variantFlaws[index]
        case .builtin, .array, .fixedArray, .optional: nil
        }
    }

    /// What a type is in the end, without its suffixes.
    static func innermost(_ node: Int, in nodes: [TypeNode]) -> TypeNode {
        var node = node
        while true {
            switch nodes[node] {
            case .array(let element), .fixedArray(let element, _), .optional(let element): node = element
            case .builtin, .structure, .variant: return nodes[node]
            }
        }
    }

    func text(of label: Label) -> String {
        String(decoding: labels[label.start..<label.start + label.count], as: UTF8.self)
    }

    /// How many values a value of no bytes stands for, itself included; 0 when values of the type
    /// take bytes.
    func emptyWeight(of node: Int) -> Int { Self.emptyWeight(of: node, nodes: nodes, structs: structs) }

    /// The same of types whose layout is being made; the structs in them have their weight.
    static func emptyWeight(of node: Int, nodes: [TypeNode], structs: [StructNode]) -> Int {
        switch nodes[node] {
        case .structure(let index): return structs[index].emptyWeight
        case .fixedArray(let element, let count):
            guard count > 0 else { return 1 }
            let weight = emptyWeight(of: element, nodes: nodes, structs: structs)
            // Both are below 2^32, and beyond the limit it is too much anyhow.
            return weight == 0 ? 0 : min(1 + count * weight, emptyElementLimit + 1)
        case .builtin, .variant, .array, .optional: return 0
        }
    }
}

// MARK: - names

extension Layout {
    /// The index of a struct's field.
    func field(named name: Span<UInt8>, in node: StructNode) -> Int? {
        find(name, in: fieldOrder, from: node.first, count: node.count) { fields[$0].label }
    }

    /// The index of a variant's alternative.
    func alternative(named name: Span<UInt8>, in node: VariantNode) -> Int? {
        find(name, in: alternativeOrder, from: node.first, count: node.count) { alternatives[$0].label }
    }

    /// By halves, so that the order in which a text has its keys doesn't matter.
    @inline(__always)
    private func find(_ name: Span<UInt8>, in order: [Int], from first: Int, count: Int, label: (Int) -> Label) -> Int?
    {
        var low = first
        var high = first + count
        while low < high {
            let middle = low + (high - low) / 2
            let difference = Self.difference(of: label(order[middle]), in: labels, and: name)
            if difference == 0 { return order[middle] }
            if difference < 0 { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// The order of names, below, at or above 0: any will do, and lengths differ sooner than
    /// letters do.
    static func difference(of label: Label, in labels: [UInt8], and name: Span<UInt8>) -> Int {
        guard label.count == name.count else { return label.count - name.count }
        for index in name.indices where labels[label.start + index] != name[index] {
            return Int(labels[label.start + index]) - Int(name[index])
        }
        return 0
    }
}

/// A type. Aliases are gone: they are the type they stand for.
enum TypeNode: Sendable {
    case builtin(Builtin)
    /// An index in `structs`.
    case structure(Int)
    /// An index in `variants`.
    case variant(Int)
    /// The node of the elements.
    case array(Int)
    /// The node of the elements, and how many there are.
    case fixedArray(Int, count: Int)
    /// The node of what may be there.
    case optional(Int)
}

/// A name of a field or an alternative, twice: as it is, and as JSON writes it in quotes.
struct Label: Sendable {
    let start: Int
    let count: Int
    let quotedStart: Int
    let quotedCount: Int

    /// Where the name's bytes are.
    var range: Range<Int> { start..<start + count }
}

/// A struct with the fields of its bases before its own: `fields[first..<first + count]`.
struct StructNode: Sendable {
    let first: Int
    let count: Int
    /// For a struct whose value takes no bytes: how many structs it consists of, itself included.
    /// Else 0.
    var emptyWeight = 0
}

struct FieldNode: Sendable {
    let label: Label
    let type: Int
    /// `$`: may be left out at the end.
    let isExtension: Bool
    /// The type, or what it is an alias of, ends in `?`.
    let isOptional: Bool
}

/// `alternatives[first..<first + count]`
struct VariantNode: Sendable {
    let first: Int
    let count: Int
}

struct AlternativeNode: Sendable {
    /// The type as the ABI spells it, which is how values name it.
    let label: Label
    let type: Int
}
