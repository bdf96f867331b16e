import Codecs
import JSON

extension JSONWriter: DecoderOutput {
    mutating func openStruct() -> Int {
        beginObject()
        return 0
    }

    mutating func openArray() -> Int {
        beginArray()
        return 0
    }

    /// `["type", value]`
    mutating func openVariant(_ alternative: AlternativeNode, of layout: Layout) -> Int {
        beginArray()
        write(quotedText: layout.labels, from: alternative.label.quotedStart, count: alternative.label.quotedCount)
        return 0
    }

    mutating func closeStruct(_ mark: Int, _ node: StructNode, of layout: Layout) { endObject() }
    mutating func closeArray(_ mark: Int) { endArray() }
    mutating func closeVariant(_ mark: Int, _ alternative: AlternativeNode, of layout: Layout) { endArray() }

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
