/// Bytes for the wire, appended in little-endian order.
public struct ByteWriter: Sendable {
    @usableFromInline var storage: [UInt8] = []

    public init() {}

    @inlinable public var bytes: [UInt8] { storage }
    @inlinable public var count: Int { storage.count }

    @inlinable @inline(__always)
    public mutating func write(byte: UInt8) { storage.append(byte) }

    public mutating func write(bytes more: some Collection<UInt8>) { storage.append(contentsOf: more) }

    /// A little-endian integer of any fixed width.
    @inlinable @inline(__always)
    public mutating func write<Value: FixedWidthInteger & BitwiseCopyable>(integer: Value) {
        unsafe Swift.withUnsafeBytes(of: integer.littleEndian) { unsafe storage.append(contentsOf: $0) }
    }

    /// Removes all bytes and keeps the allocated memory.
    public mutating func removeAll() { storage.removeAll(keepingCapacity: true) }

    @inlinable
    public mutating func write(bytes more: Span<UInt8>) {
        unsafe more.withUnsafeBufferPointer { unsafe storage.append(contentsOf: $0) }
    }

    /// LEB128, in its shortest form.
    @inlinable
    public mutating func write(varuint32 value: UInt32) {
        var rest = value
        while rest >= 0x80 {
            storage.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        storage.append(UInt8(truncatingIfNeeded: rest))
    }

    /// A varuint32 count, followed by the bytes. There must be at most 2^32 - 1 bytes.
    public mutating func write(prefixed more: [UInt8]) {
        write(varuint32: UInt32(more.count))
        storage.append(contentsOf: more)
    }

    // MARK: - counts known afterwards

    /// Reserves a byte for a count that is known only after the counted elements are written.
    /// - Returns: The offset, for `fill`.
    public mutating func reserveCount() -> Int {
        storage.append(0)
        return storage.count - 1
    }

    /// Writes a count as a varuint32 at the offset from `reserveCount`. Moves the bytes after it
    /// when the count needs more than one byte.
    public mutating func fill(_ place: Int, with count: UInt32) {
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
