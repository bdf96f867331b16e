import Codecs

/// The output of a `Decoder`: JSON text, or a `TypedValue`.
protocol DecoderOutput {
    /// The length of the JSON text so far.
    var count: Int { get }

    /// The state that a function `open…` returns for the matching function `close…`.
    associatedtype Mark
    mutating func openStruct() -> Mark
    mutating func openArray() -> Mark
    mutating func openVariant(_ alternative: AlternativeNode, of layout: Layout) -> Mark
    mutating func closeStruct(_ mark: Mark, _ node: StructNode, of layout: Layout) throws(ABIError)
    mutating func closeArray(_ mark: Mark) throws(ABIError)
    mutating func closeVariant(_ mark: Mark, _ alternative: AlternativeNode, of layout: Layout)
        throws(ABIError)

    /// Precedes the value of each field.
    mutating func write(_ label: Label, of layout: Layout)
    /// An optional without a value.
    mutating func writeAbsent() throws(ABIError)
    /// Decodes a value of any built-in type.
    /// - Returns: True if it is the all-zero public key.
    mutating func decode(_ type: Builtin, from reader: inout ByteReader) throws(ABIError) -> Bool
}

/// Walks a type and bytes together. It builds no tree and allocates nothing per field; its output
/// may.
///
/// The JSON text encodes to the bytes that were read; otherwise the decoder throws. Each output
/// refuses the same bytes.
struct Decoder<Output: DecoderOutput>: ~Copyable {
    private let layout: Layout
    /// How many bytes the text may grow by, and the output's count at the start. The limit is
    /// checked where a value opens, and by the caller at the end. Between two checks at most the
    /// keys of one struct are written, and their number is limited.
    private let limit: Int
    private let start: Int
    private var depth = 0
    /// The number of all-zero public keys so far.
    private(set) var nullKeyCount = 0

    init(_ layout: Layout, limit: Int, after start: Int) {
        self.layout = layout
        self.limit = limit
        self.start = start
    }

    /// - Parameter isLast: True if nothing follows the value, so that binary extensions at its end
    ///   may be absent.
    mutating func decode(
        _ node: Int, isLast: Bool, from reader: inout ByteReader, into output: inout Output
    ) throws(ABIError) {
        switch layout.nodes[node] {
        case .builtin(let type):
            if try output.decode(type, from: &reader) { nullKeyCount &+= 1 }
            return
        case .structure(let index):
            try enter(output)
            try decodeStruct(layout.structs[index], isLast: isLast, from: &reader, into: &output)
        case .array(let element):
            try enter(output)
            let count = Int(try converting(ABIError.bytes, reader.readVaruint32()))
            try decodeArray(of: element, count: count, from: &reader, into: &output)
        case .fixedArray(let element, let count):
            try enter(output)
            try decodeArray(of: element, count: count, from: &reader, into: &output)
        case .optional(let wrapped):
            try enter(output)
            try decodeOptional(of: wrapped, isLast: isLast, from: &reader, into: &output)
        case .variant(let index):
            try enter(output)
            try decodeVariant(layout.variants[index], isLast: isLast, from: &reader, into: &output)
        }
        depth &-= 1
    }

    /// Increments the depth for a struct, array, optional or variant. The caller decrements it only
    /// when the value ends without an error, because an error ends the walk.
    @inline(__always)
    private mutating func enter(_ output: borrowing Output) throws(ABIError) {
        guard output.count &- start <= limit else { throw ABIError(.outputTooLong(limit: limit)) }
        guard depth < Layout.depthLimit else { throw ABIError(.depthExceeded(limit: Layout.depthLimit)) }
        depth &+= 1
    }

    private mutating func decodeStruct(
        _ node: StructNode, isLast: Bool, from reader: inout ByteReader, into output: inout Output
    ) throws(ABIError) {
        let mark = output.openStruct()
        let end = node.first + node.count
        var index = node.first
        while index < end {
            let field = layout.fields[index]
            if field.isExtension, isLast, reader.isAtEnd {
                try expectOnlyExtensions(from: index, to: end)
                break
            }
            let label = field.label
            output.write(label, of: layout)
            do {
                try decode(field.type, isLast: isLast && index == end - 1, from: &reader, into: &output)
            } catch {
                throw error.inside(.field(layout.text(of: label)))
            }
            index &+= 1
        }
        try output.closeStruct(mark, node, of: layout)
    }

    /// Throws when a plain field follows the extension that is absent.
    private func expectOnlyExtensions(from first: Int, to end: Int) throws(ABIError) {
        guard let plain = layout.fields[first..<end].first(where: { !$0.isExtension }) else { return }
        throw ABIError(.missingField(layout.text(of: plain.label)))
    }

    private mutating func decodeArray(
        of element: Int, count: Int, from reader: inout ByteReader, into output: inout Output
    ) throws(ABIError) {
        let emptyWeight = layout.emptyWeight(of: element)
        if emptyWeight > 0 {
            guard count <= Layout.emptyElementLimit / emptyWeight else {
                throw ABIError(.tooManyEmptyElements(limit: Layout.emptyElementLimit))
            }
        } else if count > reader.remaining {
            // Each element takes at least one byte.
            throw ABIError(
                .bytes(.unexpectedEnd(offset: reader.offset, needed: count, remaining: reader.remaining)))
        }
        let mark = output.openArray()
        for index in 0..<count {
            do {
                try decode(element, isLast: false, from: &reader, into: &output)
            } catch {
                throw error.inside(.element(index))
            }
        }
        try output.closeArray(mark)
    }

    private mutating func decodeOptional(
        of wrapped: Int, isLast: Bool, from reader: inout ByteReader, into output: inout Output
    ) throws(ABIError) {
        switch try converting(ABIError.bytes, reader.readByte()) {
        case 0: try output.writeAbsent()
        case 1:
            if case .optional = layout.nodes[wrapped], reader.nextByte == 0 { throw ABIError(.nestedAbsence) }
            try decode(wrapped, isLast: isLast, from: &reader, into: &output)
        case let byte: throw ABIError(.invalidPresence(byte))
        }
    }

    private mutating func decodeVariant(
        _ variant: VariantNode, isLast: Bool, from reader: inout ByteReader, into output: inout Output
    ) throws(ABIError) {
        let index = try converting(ABIError.bytes, reader.readVaruint32())
        guard index < variant.count else {
            throw ABIError(.alternativeOutOfRange(index: index, count: variant.count))
        }
        let alternative = layout.alternatives[variant.first + Int(index)]
        let mark = output.openVariant(alternative, of: layout)
        try decode(alternative.type, isLast: isLast, from: &reader, into: &output)
        try output.closeVariant(mark, alternative, of: layout)
    }
}
