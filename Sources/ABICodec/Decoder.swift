import Codecs
import JSON

/// Walks a type and bytes together and writes JSON text. It builds no tree and allocates nothing
/// per field.
///
/// The text encodes to the bytes that were read; otherwise the decoder throws.
struct Decoder: ~Copyable {
    private let layout: Layout
    /// How many bytes the text may grow by, and the writer's count at the start. The limit is
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

    /// - Parameter isLast: Whether nothing follows the value, so that binary extensions at its end
    ///   may be absent.
    mutating func decode(
        _ node: Int, isLast: Bool, from reader: inout ByteReader, into writer: inout JSONWriter
    ) throws(ABIError) {
        switch layout.nodes[node] {
        case .builtin(.publicKey):
            if try Self.decodePublicKey(from: &reader, into: &writer) { nullKeyCount &+= 1 }
            return
        case .builtin(let type): return try Self.decode(type, from: &reader, into: &writer)
        case .structure(let index):
            try enter(writer)
            try decodeStruct(layout.structs[index], isLast: isLast, from: &reader, into: &writer)
        case .array(let element):
            try enter(writer)
            let count = Int(try converting(ABIError.bytes, reader.readVaruint32()))
            try decodeArray(of: element, count: count, from: &reader, into: &writer)
        case .fixedArray(let element, let count):
            try enter(writer)
            try decodeArray(of: element, count: count, from: &reader, into: &writer)
        case .optional(let wrapped):
            try enter(writer)
            try decodeOptional(of: wrapped, isLast: isLast, from: &reader, into: &writer)
        case .variant(let index):
            try enter(writer)
            try decodeVariant(layout.variants[index], isLast: isLast, from: &reader, into: &writer)
        }
        depth &-= 1
    }

    /// Increments the depth for a struct, array, optional or variant. The caller decrements it only
    /// when the value ends without an error, because an error ends the walk.
    @inline(__always)
    private mutating func enter(_ writer: borrowing JSONWriter) throws(ABIError) {
        guard writer.count &- start <= limit else { throw ABIError(.outputTooLong(limit: limit)) }
        guard depth < Layout.depthLimit else { throw ABIError(.depthExceeded(limit: Layout.depthLimit)) }
        depth &+= 1
    }

    private mutating func decodeStruct(
        _ node: StructNode, isLast: Bool, from reader: inout ByteReader, into writer: inout JSONWriter
    ) throws(ABIError) {
        writer.beginObject()
        let end = node.first + node.count
        var index = node.first
        while index < end {
            let field = layout.fields[index]
            if field.isExtension, isLast, reader.isAtEnd {
                try expectOnlyExtensions(from: index, to: end)
                break
            }
            let label = field.label
            writer.write(quotedKey: layout.labels, from: label.quotedStart, count: label.quotedCount)
            do {
                try decode(field.type, isLast: isLast && index == end - 1, from: &reader, into: &writer)
            } catch {
                throw error.inside(.field(layout.text(of: label)))
            }
            index &+= 1
        }
        writer.endObject()
    }

    /// Throws when a plain field follows the extension that is absent.
    private func expectOnlyExtensions(from first: Int, to end: Int) throws(ABIError) {
        guard let plain = layout.fields[first..<end].first(where: { !$0.isExtension }) else { return }
        throw ABIError(.missingField(layout.text(of: plain.label)))
    }

    private mutating func decodeArray(
        of element: Int, count: Int, from reader: inout ByteReader, into writer: inout JSONWriter
    ) throws(ABIError) {
        let emptyWeight = layout.emptyWeight(of: element)
        if emptyWeight > 0 {
            guard count <= Layout.emptyElementLimit / emptyWeight else {
                throw ABIError(.tooManyEmptyElements(limit: Layout.emptyElementLimit))
            }
        } else if count > reader.remaining {
            // Each element takes at least one byte.
            throw ABIError(.bytes(.unexpectedEnd(offset: reader.offset, needed: count, remaining: reader.remaining)))
        }
        writer.beginArray()
        for index in 0..<count {
            do {
                try decode(element, isLast: false, from: &reader, into: &writer)
            } catch {
                throw error.inside(.element(index))
            }
        }
        writer.endArray()
    }

    private mutating func decodeOptional(
        of wrapped: Int, isLast: Bool, from reader: inout ByteReader, into writer: inout JSONWriter
    ) throws(ABIError) {
        switch try converting(ABIError.bytes, reader.readByte()) {
        case 0: writer.writeNull()
        case 1:
            if case .optional = layout.nodes[wrapped], reader.nextByte == 0 { throw ABIError(.nestedAbsence) }
            try decode(wrapped, isLast: isLast, from: &reader, into: &writer)
        case let byte: throw ABIError(.invalidPresence(byte))
        }
    }

    private mutating func decodeVariant(
        _ variant: VariantNode, isLast: Bool, from reader: inout ByteReader, into writer: inout JSONWriter
    ) throws(ABIError) {
        let index = try converting(ABIError.bytes, reader.readVaruint32())
        guard index < variant.count else { throw ABIError(.alternativeOutOfRange(index: index, count: variant.count)) }
        let alternative = layout.alternatives[variant.first + Int(index)]
        writer.beginArray()
        writer.write(
            quotedText: layout.labels, from: alternative.label.quotedStart, count: alternative.label.quotedCount)
        try decode(alternative.type, isLast: isLast, from: &reader, into: &writer)
        writer.endArray()
    }
}
