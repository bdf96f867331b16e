/// The types of an ABI, compiled: indices replace names, so that walking a value needs no look-up
/// of text.
///
/// All nodes are plain values in arrays; a type is its index in `nodes`.
final class Layout: Sendable {
    /// The maximum nesting of structs, arrays, optionals and variants, for encoding and decoding.
    /// Each level counts as one. nodeos has the same limit (AntelopeIO/spring,
    /// abi_serializer::max_recursion_depth).
    static let depthLimit = 32
    /// The maximum number of elements of an array whose elements take no bytes.
    static let emptyElementLimit = 1_024
    /// The maximum number of fields of one struct, including fields of its bases. The text `{}` may
    /// omit this many fields.
    static let fieldLimit = 1_024
    /// The maximum number of entries of each list of an ABI, of fields in all, and of alternatives
    /// in all. The fields of a base count again for each struct that is derived from it.
    static let definitionLimit = 65_536
    /// The maximum number of bytes of a name or a type. Compilers join the names of template
    /// arguments, so some names are longer than a hundred bytes.
    static let definitionLengthLimit = 1_024

    /// The maximum number of output bytes for an input of `count` bytes. One byte can produce a
    /// name, and two characters of text can produce a thousand absent fields. 256 times the input
    /// is more than real values need, and the maximum is also the maximum for reading text back.
    /// Each value reads or writes at least one byte, so this limits the time too.
    static func outputLimit(forInput count: Int) -> Int {
        let greatest = 16 << 20
        return min(greatest, 16 << 10 + 256 * min(count, greatest))
    }

    let nodes: [TypeNode]
    let structs: [StructNode]
    let fields: [FieldNode]
    let variants: [VariantNode]
    let alternatives: [AlternativeNode]
    /// For each struct, its field indices sorted by name, in the struct's range.
    let fieldOrder: [Int]
    /// For each variant, its alternative indices sorted by name, in the variant's range.
    let alternativeOrder: [Int]
    /// The text of all labels.
    let labels: [UInt8]
    /// The names of `fields`, which all decoded values share.
    let fieldNames: [String]
    /// The reasons why values can't be encoded or decoded.
    let flaws: TypeFlaws
    /// The reasons why values must not be shown as the data of an action.
    let actionFlaws: TypeFlaws

    init(
        nodes: [TypeNode], structs: [StructNode], fields: [FieldNode], variants: [VariantNode],
        alternatives: [AlternativeNode], fieldOrder: [Int], alternativeOrder: [Int], labels: [UInt8],
        flaws: TypeFlaws, actionFlaws: TypeFlaws, fieldNames: [String]? = nil
    ) {
        self.nodes = nodes
        self.structs = structs
        self.fields = fields
        self.variants = variants
        self.alternatives = alternatives
        self.fieldOrder = fieldOrder
        self.alternativeOrder = alternativeOrder
        self.labels = labels
        self.fieldNames = fieldNames ?? Self.names(of: fields, labels)
        self.flaws = flaws
        self.actionFlaws = actionFlaws
    }

    /// The same definitions, with types that were composed of them later.
    convenience init(_ other: Layout, nodes: [TypeNode]) {
        self.init(
            nodes: nodes, structs: other.structs, fields: other.fields, variants: other.variants,
            alternatives: other.alternatives, fieldOrder: other.fieldOrder,
            alternativeOrder: other.alternativeOrder,
            labels: other.labels, flaws: other.flaws, actionFlaws: other.actionFlaws,
            fieldNames: other.fieldNames)
    }

    /// The names of fields. The fields of a base struct are in each derived struct, with the same
    /// label: their names share memory.
    private static func names(of fields: [FieldNode], _ labels: [UInt8]) -> [String] {
        var names: [Range<Int>: String] = [:]
        return fields.map { field in
            let range = field.label.range
            if let name = names[range] { return name }
            let name = String(decoding: labels[range], as: UTF8.self)
            names[range] = name
            return name
        }
    }

    /// The reason why values of a type can't be encoded or decoded; nil for a usable type.
    func flaw(of node: Int) -> ABIError? { flaws[Self.innermost(node, in: nodes)] }

    /// The reason why values of a type must not be shown as the data of an action; nil if they may.
    func actionFlaw(of node: Int) -> ABIError? { actionFlaws[Self.innermost(node, in: nodes)] }

    /// The innermost type, without suffixes.
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
        String(decoding: labels[label.range], as: UTF8.self)
    }

    /// The number of values in a value that takes no bytes, itself included; 0 when values of the
    /// type take bytes.
    func emptyWeight(of node: Int) -> Int { Self.emptyWeight(of: node, nodes: nodes, structs: structs) }

    /// The number of values in a value that takes no bytes, for types whose layout is not finished.
    /// The structs in them must have their weight.
    static func emptyWeight(of node: Int, nodes: [TypeNode], structs: [StructNode]) -> Int {
        switch nodes[node] {
        case .structure(let index): return structs[index].emptyWeight
        case .fixedArray(let element, let count):
            guard count > 0 else { return 1 }
            let weight = emptyWeight(of: element, nodes: nodes, structs: structs)
            // Both factors are below 2^32, so the product can't overflow. Above the limit the exact
            // value is irrelevant.
            return weight == 0 ? 0 : min(1 + count * weight, emptyElementLimit + 1)
        case .builtin, .variant, .array, .optional: return 0
        }
    }
}

// MARK: - names

extension Layout {
    /// The index of a struct's field.
    /// - Parameter comparisons: is increased by the number of names that are compared.
    func field(named name: Span<UInt8>, in node: StructNode, counting comparisons: inout Int) -> Int? {
        find(name, in: fieldOrder, from: node.first, count: node.count, &comparisons) { fields[$0].label }
    }

    /// The index of a variant's alternative.
    /// - Parameter comparisons: as for a field.
    func alternative(named name: Span<UInt8>, in node: VariantNode, counting comparisons: inout Int) -> Int? {
        find(name, in: alternativeOrder, from: node.first, count: node.count, &comparisons) {
            alternatives[$0].label
        }
    }

    /// Binary search, so that the time does not depend on the order of the keys in the text.
    @inline(__always)
    private func find(
        _ name: Span<UInt8>, in order: [Int], from first: Int, count: Int, _ comparisons: inout Int,
        label: (Int) -> Label
    ) -> Int? {
        var low = first
        var high = first + count
        while low < high {
            let middle = low + (high - low) / 2
            comparisons &+= 1
            let difference = Self.difference(of: label(order[middle]), in: labels, and: name)
            if difference == 0 { return order[middle] }
            if difference < 0 { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// Compares names: negative, 0 or positive. Any total order is sufficient; lengths are compared
    /// first because that is faster.
    static func difference(of label: Label, in labels: [UInt8], and name: Span<UInt8>) -> Int {
        guard label.count == name.count else { return label.count - name.count }
        for index in name.indices where labels[label.start + index] != name[index] {
            return Int(labels[label.start + index]) - Int(name[index])
        }
        return 0
    }
}

/// A type. Aliases are resolved.
enum TypeNode: Sendable {
    case builtin(Builtin)
    /// An index in `structs`.
    case structure(Int)
    /// An index in `variants`.
    case variant(Int)
    /// The node of the elements.
    case array(Int)
    /// The node of the elements, and the number of elements.
    case fixedArray(Int, count: Int)
    /// The node of the wrapped type.
    case optional(Int)
}

/// A name of a field or an alternative, stored twice: as plain text, and as quoted JSON text
/// between a comma and a colon.
struct Label: Sendable {
    let start: Int
    let count: Int
    let quotedStart: Int
    let quotedCount: Int
    /// The first eight bytes of the quoted text, in little-endian order and padded with zeros.
    let quotedHead: UInt64

    /// The range of the plain name in `labels`.
    var range: Range<Int> { start..<start + count }
}

/// A struct with the fields of its bases before its own: `fields[first..<first + count]`.
struct StructNode: Sendable {
    let first: Int
    let count: Int
    /// For a struct whose value takes no bytes: the number of structs in it, itself included.
    /// Otherwise 0.
    var emptyWeight = 0
}

struct FieldNode: Sendable {
    let label: Label
    let type: Int
    /// `$`: may be omitted at the end.
    let isExtension: Bool
    /// The type ends in `?`, or is an alias of such a type.
    let isOptional: Bool
}

/// `alternatives[first..<first + count]`
struct VariantNode: Sendable {
    let first: Int
    let count: Int
}

struct AlternativeNode: Sendable {
    /// The type as the ABI spells it. Values use this spelling.
    let label: Label
    let type: Int
}
