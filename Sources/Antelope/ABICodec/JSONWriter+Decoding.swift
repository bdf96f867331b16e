import Codecs
import JSON

extension JSONWriter: DecoderOutput {
    mutating func openStruct() { beginObject() }
    mutating func openArray() { beginArray() }

    /// `["type", value]`
    mutating func openVariant(_ alternative: AlternativeNode, of layout: Layout) {
        beginArray()
        write(
            quotedText: layout.labels, from: alternative.label.quotedStart,
            count: alternative.label.quotedCount)
    }

    mutating func closeStruct(_ mark: Void, _ node: StructNode, of layout: Layout) { endObject() }
    mutating func closeArray(_ mark: Void) { endArray() }
    mutating func closeVariant(_ mark: Void, _ alternative: AlternativeNode, of layout: Layout) { endArray() }

    mutating func write(_ label: Label, of layout: Layout) {
        write(quotedKey: layout.labels, from: label.quotedStart, count: label.quotedCount)
    }

    mutating func writeAbsent() { writeNull() }

    mutating func decode(_ type: Builtin, from reader: inout ByteReader) throws(ABIError) -> Bool {
        if type == .publicKey { return try BuiltinText.decodePublicKey(from: &reader, into: &self) }
        try BuiltinText.decode(type, from: &reader, into: &self)
        return false
    }
}
