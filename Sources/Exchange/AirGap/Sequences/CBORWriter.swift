import Codecs

/// Writes deterministic CBOR (RFC 8949, 4.2.1). The caller writes the items of an array or a map
/// after its head, and the keys of a map in ascending order.
package struct CBORWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func unsigned(_ value: UInt64) { head(.unsigned, value) }

    package mutating func tag(_ value: UInt64) { head(.tag, value) }

    package mutating func array(_ count: Int) { head(.array, UInt64(count)) }

    package mutating func map(_ count: Int) { head(.map, UInt64(count)) }

    package mutating func byteString(_ value: [UInt8]) { content(.byteString, value) }

    package mutating func textString(_ value: String) { content(.textString, Array(value.utf8)) }

    private mutating func content(_ type: CBORType, _ value: [UInt8]) {
        head(type, UInt64(value.count))
        bytes += value
    }

    private mutating func head(_ type: CBORType, _ value: UInt64) {
        guard value >= 24 else { return bytes.append(type.rawValue << 5 | UInt8(value)) }
        let size = (0..<3).first { value < CBORType.smallest(length: 2 << $0) } ?? 3
        bytes.append(type.rawValue << 5 | UInt8(24 + size))
        bytes += value.bigEndianBytes.suffix(1 << size)
    }
}
