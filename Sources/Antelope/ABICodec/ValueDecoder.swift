import Codecs
import JSON

/// Decodes bytes to values with their types. It keeps its memory for the next value.
package struct ValueDecoder: Sendable {
    /// The cost of a value in bytes, without its text: its memory, and a line of a review.
    package static let valueCost = 80

    /// The maximum cost of the next values: the length of their compact JSON text, and `valueCost`
    /// for each value that is no struct, array or variant. The cost of a decoded value is
    /// subtracted.
    package var budget: Int
    /// The number of all-zero public keys in the last value.
    package private(set) var nullKeyCount = 0
    /// The values whose struct, array or variant is not finished.
    private var pending: [TypedValue] = []
    /// The length of the text of the value so far.
    private(set) var count = 0
    /// The cost of the value so far, without its text.
    private var valuesCost = 0
    private var isOverBudget = false
    /// The text of one part of the value.
    private var text = JSONWriter()

    package init(budget: Int) { self.budget = budget }

    /// Decodes a value of a type. Refuses the same bytes as `ABIType.decode`.
    /// - Parameter bytes: must contain the value and nothing else.
    /// - Returns: nil if the value costs more than the budget, which also limits its memory.
    package mutating func decode(_ bytes: [UInt8], as type: ABIType) throws(ABIError) -> TypedValue? {
        try ByteReader.read(bytes) { reader throws(ABIError) in
            let value = try decode(&reader, as: type)
            if value == nil {
                // Bytes that are no value of the type are refused as such, whatever they cost.
                _ = try type.decode(bytes)
            } else {
                try converting(ABIError.bytes, reader.expectEnd())
            }
            return value
        }
    }

    /// Decodes the reader's next value.
    package mutating func decode(_ reader: inout ByteReader, as type: ABIType) throws(ABIError) -> TypedValue?
    {
        if !pending.isEmpty { pending.removeAll(keepingCapacity: true) }
        (count, valuesCost, isOverBudget) = (0, 0, false)
        do { nullKeyCount = try type.decode(&reader, to: &self) } catch {
            if isOverBudget { return nil }
            throw error
        }
        budget -= count + valuesCost
        // The decoder leaves exactly one value.
        return pending.popLast()
    }
}

extension ValueDecoder: DecoderOutput {
    /// Adds a value without parts.
    /// - Parameter length: of its text.
    private mutating func add(_ value: TypedValue, length: Int) throws(ABIError) {
        try spend(values: 1, length: length)
        pending.append(value)
    }

    private mutating func spend(values: Int, length: Int) throws(ABIError) {
        count += length
        valuesCost += values * Self.valueCost
        guard count + valuesCost <= budget else {
            isOverBudget = true
            throw ABIError(.outputTooLong(limit: budget))
        }
    }

    /// The length of brackets, and of commas between parts. A value without parts costs a line.
    private mutating func spendOnBrackets(parts: Int) throws(ABIError) {
        try spend(values: parts == 0 ? 1 : 0, length: 2 + max(0, parts - 1))
    }

    mutating func openStruct() -> Int { pending.count }
    mutating func openArray() -> Int { pending.count }
    mutating func openVariant(_ alternative: AlternativeNode, of layout: Layout) -> Int { pending.count }

    mutating func write(_ label: Label, of layout: Layout) { count += label.quotedCount + 1 }

    mutating func closeStruct(_ mark: Int, _ node: StructNode, of layout: Layout) throws(ABIError) {
        try spendOnBrackets(parts: pending.count - mark)
        var fields: [TypedField] = []
        fields.reserveCapacity(pending.count - mark)
        for index in mark..<pending.count {
            // Moved and not copied, because each struct of each action comes here.
            var value = TypedValue.absent
            swap(&value, &pending[index])
            fields.append(TypedField(name: layout.fieldNames[node.first + index - mark], value: value))
        }
        while pending.count > mark { pending.removeLast() }
        pending.append(.fields(fields))
    }

    mutating func closeArray(_ mark: Int) throws(ABIError) {
        try spendOnBrackets(parts: pending.count - mark)
        let list = Array(pending[mark...])
        pending.removeLast(list.count)
        pending.append(.list(list))
    }

    mutating func closeVariant(_ mark: Int, _ alternative: AlternativeNode, of layout: Layout)
        throws(ABIError)
    {
        guard let value = pending.popLast() else { return }
        try spend(values: 1, length: alternative.label.quotedCount + 3)
        pending.append(.alternative(type: layout.text(of: alternative.label), value))
    }

    mutating func writeAbsent() throws(ABIError) { try add(.absent, length: 4) }

    mutating func decode(_ type: Builtin, from reader: inout ByteReader) throws(ABIError) -> Bool {
        switch type {
        case .name:
            let name = try BuiltinText.readName(&reader)
            try add(.name(name), length: name.count + 2)
        case .asset:
            let asset = try BuiltinText.readAsset(&reader)
            try add(.asset(asset), length: asset.count + 2)
        case .bytes:
            let bytes = try converting(ABIError.bytes, reader.readPrefixedBytes())
            try add(.bytes(bytes), length: 2 * bytes.count + 2)
        case .string:
            let count = try BuiltinText.readCount(&reader)
            var length = count + 2
            let string = try reader.withBytes(count, orThrow: { ABIError(.bytes($0)) }) {
                bytes throws(ABIError) in
                if !JSONWriter.isPlain(bytes) {
                    // The writer checks the text and finds its length with escapes.
                    text.removeAll()
                    guard text.write(utf8: bytes) else { throw ABIError(.invalidUTF8) }
                    length = text.count
                }
                return Encoder.text(of: bytes)
            }
            try add(.text(string), length: length)
        default: return try decodeText(type, from: &reader)
        }
        return false
    }

    /// Keeps the text of other values. It has no escapes.
    private mutating func decodeText(_ type: Builtin, from reader: inout ByteReader) throws(ABIError) -> Bool
    {
        text.removeAll()
        let isNullKey = try text.decode(type, from: &reader)
        let bytes = text.bytes
        guard bytes.first == UInt8(ascii: "\"") else {
            try add(.unquoted(String(decoding: bytes, as: UTF8.self)), length: bytes.count)
            return false
        }
        let string = String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
        try add(type == .publicKey ? .publicKey(string) : .plain(string), length: bytes.count)
        return isNullKey
    }
}
