import Codecs
import JSON

/// Walks a type and JSON text together and writes the bytes. It builds no tree and allocates
/// nothing per field.
struct Encoder: ~Copyable {
    private let layout: Layout
    /// How many bytes may be written, and the writer's count at the start. The limit is checked
    /// where fields are absent, and by the caller at the end. All other values have their own text,
    /// which limits their bytes.
    private let limit: Int
    private let start: Int
    private var depth = 0
    /// The positions of fields of structs whose fields are in another order. The entries of an
    /// inner struct follow the entries of the outer one.
    private var places: [JSONReader.Position?] = []
    /// How often a name in the text was compared with the name of a field or an alternative. Tests
    /// use it to check that a name is not compared with all names, one after the other.
    private(set) var comparisonCount = 0

    init(_ layout: Layout, limit: Int, after start: Int) {
        self.layout = layout
        self.limit = limit
        self.start = start
    }

    /// - Parameter isLast: True if nothing follows the value, so that binary extensions at its end
    ///   may be omitted.
    mutating func encode(
        _ node: Int, isLast: Bool, from reader: inout JSONReader, into writer: inout ByteWriter
    ) throws(ABIError) {
        switch layout.nodes[node] {
        case .builtin(let type): return try Self.encode(type, from: &reader, into: &writer)
        case .structure(let index):
            try enter()
            try encodeStruct(layout.structs[index], isLast: isLast, from: &reader, into: &writer)
        case .array(let element):
            try enter()
            try encodeArray(of: element, from: &reader, into: &writer)
        case .fixedArray(let element, let count):
            try enter()
            try encodeFixedArray(of: element, count: count, from: &reader, into: &writer)
        case .optional(let wrapped):
            try enter()
            if try converting(ABIError.json, reader.peek()) == .null {
                try converting(ABIError.json, reader.readNull())
                writer.write(byte: 0)
            } else {
                writer.write(byte: 1)
                try encode(wrapped, isLast: isLast, from: &reader, into: &writer)
            }
        case .variant(let index):
            try enter()
            try encodeVariant(layout.variants[index], isLast: isLast, from: &reader, into: &writer)
        }
        depth &-= 1
    }

    /// Increments the depth for a struct, array, optional or variant. The caller decrements it only
    /// when the value ends without an error, because an error ends the walk.
    @inline(__always)
    private mutating func enter() throws(ABIError) {
        guard depth < Layout.depthLimit else { throw ABIError(.depthExceeded(limit: Layout.depthLimit)) }
        depth &+= 1
    }

    /// Throws unless the next value has this kind.
    @inline(__always)
    static func expect(
        _ kind: JSONKind, as expectation: ABIError.Expectation, from reader: inout JSONReader
    ) throws(ABIError) {
        let found = try converting(ABIError.json, reader.peek())
        guard found == kind else { throw ABIError(.expected(expectation, found: found)) }
    }

    // MARK: - arrays and variants

    private mutating func encodeArray(
        of element: Int, from reader: inout JSONReader, into writer: inout ByteWriter
    ) throws(ABIError) {
        try Self.expect(.array, as: .array, from: &reader)
        try converting(ABIError.json, reader.beginArray())
        let place = writer.reserveCount()
        let emptyWeight = layout.emptyWeight(of: element)
        let most = emptyWeight > 0 ? Layout.emptyElementLimit / emptyWeight : Int(UInt32.max)
        let count = try encodeElements(of: element, atMost: most, from: &reader, into: &writer) {
            ABIError(
                emptyWeight > 0 ? .tooManyEmptyElements(limit: Layout.emptyElementLimit) : .tooManyElements)
        }
        writer.fill(place, with: UInt32(truncatingIfNeeded: count))
    }

    /// Encodes exactly as many elements as the type requires, without a count before them.
    private mutating func encodeFixedArray(
        of element: Int, count: Int, from reader: inout JSONReader, into writer: inout ByteWriter
    ) throws(ABIError) {
        try Self.expect(.array, as: .array, from: &reader)
        guard layout.emptyWeight(of: element) * count <= Layout.emptyElementLimit else {
            throw ABIError(.tooManyEmptyElements(limit: Layout.emptyElementLimit))
        }
        try converting(ABIError.json, reader.beginArray())
        let found = try encodeElements(of: element, atMost: count, from: &reader, into: &writer) {
            ABIError(.wrongElementCount(expected: count, found: nil))
        }
        guard found == count else { throw ABIError(.wrongElementCount(expected: count, found: found)) }
    }

    /// Encodes elements up to the end of an array whose start was read. Returns how many there
    /// were.
    private mutating func encodeElements(
        of element: Int, atMost limit: Int, from reader: inout JSONReader, into writer: inout ByteWriter,
        orThrow tooMany: () -> ABIError
    ) throws(ABIError) -> Int {
        var count = 0
        while try converting(ABIError.json, reader.nextElement()) {
            guard count < limit else { throw tooMany() }
            do {
                try encode(element, isLast: false, from: &reader, into: &writer)
            } catch {
                throw error.inside(.element(count))
            }
            count &+= 1
        }
        return count
    }

    /// `["type", value]`
    private mutating func encodeVariant(
        _ variant: VariantNode, isLast: Bool, from reader: inout JSONReader, into writer: inout ByteWriter
    ) throws(ABIError) {
        try Self.expect(.array, as: .variant, from: &reader)
        try converting(ABIError.json, reader.beginArray())
        guard try converting(ABIError.json, reader.nextElement()) else {
            throw ABIError(.expected(.variant, found: .array))
        }
        try Self.expect(.string, as: .variant, from: &reader)
        let tag = try converting(ABIError.json, reader.readString())
        let index = try reader.withBytes(of: tag) { name throws(ABIError) in
            guard let index = layout.alternative(named: name, in: variant, counting: &comparisonCount) else {
                throw ABIError(.unknownAlternative(Self.text(of: name)))
            }
            return index - variant.first
        }
        writer.write(varuint32: UInt32(truncatingIfNeeded: index))
        guard try converting(ABIError.json, reader.nextElement()) else {
            throw ABIError(.expected(.variant, found: .array))
        }
        let alternative = layout.alternatives[variant.first + index]
        try encode(alternative.type, isLast: isLast, from: &reader, into: &writer)
        guard try !converting(ABIError.json, reader.nextElement()) else {
            throw ABIError(.expected(.variant, found: .array))
        }
    }

    // MARK: - structs

    private mutating func encodeStruct(
        _ node: StructNode, isLast: Bool, from reader: inout JSONReader, into writer: inout ByteWriter
    ) throws(ABIError) {
        try Self.expect(.object, as: .object, from: &reader)
        try converting(ABIError.json, reader.beginObject())
        let end = node.first + node.count
        var index = node.first
        while index < end {
            let field = layout.fields[index]
            let label = field.label
            guard
                reader.skipKey(
                    quoted: layout.labels, from: label.quotedStart, count: label.quotedCount,
                    head: label.quotedHead)
            else {
                // A field is omitted, or the fields are in another order.
                return try encodeRest(of: node, from: index, isLast: isLast, from: &reader, into: &writer)
            }
            do {
                try encode(field.type, isLast: isLast && index == end - 1, from: &reader, into: &writer)
            } catch {
                throw error.inside(.field(layout.text(of: label)))
            }
            index &+= 1
        }
        guard let key = try converting(ABIError.json, reader.nextKey()) else { return }
        throw refusal(of: key, in: node, from: &reader)
    }

    /// Encodes the fields from `next` on, which may be in any order. It first finds their
    /// positions, then encodes them in the ABI's order.
    private mutating func encodeRest(
        of node: StructNode, from next: Int, isLast: Bool, from reader: inout JSONReader,
        into writer: inout ByteWriter
    ) throws(ABIError) {
        let end = node.first + node.count
        let base = places.count
        for _ in next..<end { places.append(nil) }
        var guess = next
        while let key = try converting(ABIError.json, reader.nextKey()) {
            guard let index = find(key, in: node, from: &reader, guess: guess), index >= next,
                places[base + index - next] == nil
            else {
                throw refusal(of: key, in: node, from: &reader)
            }
            places[base + index - next] = reader.position
            try converting(ABIError.json, reader.skipValueForLater())
            guess = index + 1
        }
        let after = reader.position
        var missingExtension: String?
        for index in next..<end {
            let field = layout.fields[index]
            if let place = places[base + index - next] {
                if let missingExtension { throw ABIError(.fieldAfterMissingExtension(missingExtension)) }
                reader.go(to: place)
                do {
                    try encode(field.type, isLast: isLast && index == end - 1, from: &reader, into: &writer)
                } catch {
                    throw error.inside(.field(layout.text(of: field.label)))
                }
            } else if field.isExtension && isLast {
                missingExtension = missingExtension ?? layout.text(of: field.label)
            } else if let missingExtension {
                throw ABIError(.fieldAfterMissingExtension(missingExtension))
            } else if field.isOptional && !field.isExtension {
                writer.write(byte: 0)
            } else {
                throw ABIError(.missingField(layout.text(of: field.label)))
            }
        }
        guard writer.count - start <= limit else { throw ABIError(.outputTooLong(limit: limit)) }
        reader.go(to: after)
        places.removeLast(end - next)
    }

    /// The field with a key's name: most often the one after the key before.
    private mutating func find(
        _ key: JSONToken, in node: StructNode, from reader: inout JSONReader, guess: Int
    ) -> Int? {
        reader.withBytes(of: key) { name in
            if guess < node.first + node.count, matches(layout.fields[guess].label, name) { return guess }
            return layout.field(named: name, in: node, counting: &comparisonCount)
        }
    }

    /// The error for a key that is no field, or one that was there before.
    private mutating func refusal(of key: JSONToken, in node: StructNode, from reader: inout JSONReader)
        -> ABIError
    {
        let unknown = reader.withBytes(of: key) { name in
            layout.field(named: name, in: node, counting: &comparisonCount) == nil ? Self.text(of: name) : nil
        }
        return unknown.map { ABIError(.unknownField($0)) } ?? ABIError(.json(reader.duplicateKey(key)))
    }

    private mutating func matches(_ label: Label, _ name: Span<UInt8>) -> Bool {
        comparisonCount &+= 1
        return Layout.difference(of: label, in: layout.labels, and: name) == 0
    }

    static func text(of bytes: Span<UInt8>) -> String {
        unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
