/// Bytes for the wire, appended in little-endian order.
public struct ByteWriter: Sendable {
    public internal(set) var bytes: [UInt8] = []

    public init() {}

    @inline(__always)
    public mutating func write(byte: UInt8) { bytes.append(byte) }

    public mutating func write(bytes more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

    /// A little-endian integer of any fixed width.
    @inline(__always)
    public mutating func write<Value: FixedWidthInteger & BitwiseCopyable>(integer: Value) {
        unsafe Swift.withUnsafeBytes(of: integer.littleEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    /// Forgets what was written and keeps the room for it.
    public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    public mutating func write(bytes more: Span<UInt8>) {
        unsafe more.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }

    /// LEB128, as short as can be.
    public mutating func write(varuint32 value: UInt32) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// A varuint32 count and the bytes, of which there are at most 2^32 - 1.
    public mutating func write(prefixed more: [UInt8]) {
        write(varuint32: UInt32(more.count))
        bytes.append(contentsOf: more)
    }

    // MARK: - counts known afterwards

    /// Leaves room for a count that is known when what it counts was written.
    /// - Returns: The place, for `fill`.
    public mutating func reserveCount() -> Int {
        bytes.append(0)
        return bytes.count - 1
    }

    /// Writes a count as a varuint32 to its place, from `reserveCount`, and moves what follows when it needs more bytes
    /// than one.
    public mutating func fill(_ place: Int, with count: UInt32) {
        guard place < bytes.count else { return }
        guard count >= 0x80 else {
            bytes[place] = UInt8(truncatingIfNeeded: count)
            return
        }
        var number = ByteWriter()
        number.write(varuint32: count)
        bytes.replaceSubrange(place...place, with: number.bytes)
    }
}
