/// Bytes for the wire, appended in little-endian order.
package struct ByteWriter: Sendable {
    @usableFromInline var storage: [UInt8] = []

    package init() {}

    @inlinable package var bytes: [UInt8] { storage }
    @inlinable package var count: Int { storage.count }

    @inlinable @inline(__always)
    package mutating func write(byte: UInt8) { storage.append(byte) }

    package mutating func write(bytes more: some Collection<UInt8>) { storage.append(contentsOf: more) }

    /// A little-endian integer of any fixed width.
    @inlinable @inline(__always)
    package mutating func write<Value: FixedWidthInteger & BitwiseCopyable>(integer: Value) {
        unsafe Swift.withUnsafeBytes(of: integer.littleEndian) { unsafe storage.append(contentsOf: $0) }
    }

    /// Forgets what was written and keeps the room for it.
    package mutating func removeAll() { storage.removeAll(keepingCapacity: true) }

    @inlinable
    package mutating func write(bytes more: Span<UInt8>) {
        unsafe more.withUnsafeBufferPointer { unsafe storage.append(contentsOf: $0) }
    }

    /// LEB128, as short as can be.
    @inlinable
    package mutating func write(varuint32 value: UInt32) {
        var rest = value
        while rest >= 0x80 {
            storage.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        storage.append(UInt8(truncatingIfNeeded: rest))
    }

    /// A varuint32 count and the bytes, of which there are at most 2^32 - 1.
    package mutating func write(prefixed more: [UInt8]) {
        write(varuint32: UInt32(more.count))
        storage.append(contentsOf: more)
    }

    // MARK: - counts known afterwards

    /// Leaves room for a count that is known when what it counts was written.
    /// - Returns: The place, for `fill`.
    package mutating func reserveCount() -> Int {
        storage.append(0)
        return storage.count - 1
    }

    /// Writes a count as a varuint32 to its place, from `reserveCount`, and moves what follows when
    /// it needs more bytes than one.
    package mutating func fill(_ place: Int, with count: UInt32) {
        guard place < storage.count else { return }
        guard count >= 0x80 else {
            storage[place] = UInt8(truncatingIfNeeded: count)
            return
        }
        var number = ByteWriter()
        number.write(varuint32: count)
        storage.replaceSubrange(place...place, with: number.bytes)
    }
}
