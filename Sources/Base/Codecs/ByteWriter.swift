/// Bytes for the wire, appended in little-endian order.
public struct ByteWriter: Sendable {
    /// The written bytes, then unused ones: storing an integer takes a third of the time of
    /// appending its bytes.
    @usableFromInline var storage: [UInt8] = []
    @usableFromInline var used = 0

    public init() {}

    /// A copy of the written bytes.
    public var bytes: [UInt8] { Array(storage[..<used]) }
    /// The number of written bytes.
    @inlinable public var count: Int { used }

    @inlinable @inline(__always)
    public mutating func write(byte: UInt8) { write(integer: byte) }

    public mutating func write(bytes more: some Collection<UInt8>) {
        storage.replaceSubrange(used..<min(used + more.count, storage.count), with: more)
        used += more.count
    }

    /// A little-endian integer of any fixed width.
    @inlinable @inline(__always)
    public mutating func write<Value: FixedWidthInteger & BitwiseCopyable>(integer: Value) {
        makeRoom(for: MemoryLayout<Value>.size)
        unsafe storage.withUnsafeMutableBytes { bytes in
            unsafe bytes.storeBytes(of: integer.littleEndian, toByteOffset: used, as: Value.self)
        }
        used &+= MemoryLayout<Value>.size
    }

    @inlinable
    public mutating func write(bytes more: Span<UInt8>) {
        makeRoom(for: more.count)
        unsafe storage.withUnsafeMutableBytes { bytes in
            unsafe more.withUnsafeBytes { unsafe bytes[used...].copyBytes(from: $0) }
        }
        used &+= more.count
    }

    /// Forgets all bytes and keeps the memory, which is not wiped.
    public mutating func removeAll() { used = 0 }

    @inlinable @inline(__always)
    mutating func makeRoom(for more: Int) {
        if storage.count &- used < more { grow(by: more) }
    }

    @usableFromInline @inline(never)
    mutating func grow(by more: Int) {
        storage.append(contentsOf: repeatElement(0, count: max(more, storage.count, 64)))
    }

    /// LEB128, in its shortest form.
    @inlinable
    public mutating func write(varuint32 value: UInt32) {
        var rest = value
        while rest >= 0x80 {
            write(byte: UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        write(byte: UInt8(truncatingIfNeeded: rest))
    }

    /// A varuint32 count, followed by the bytes. There must be at most 2^32 - 1 bytes.
    public mutating func write(prefixed more: [UInt8]) {
        write(varuint32: UInt32(more.count))
        write(bytes: more.span)
    }

    // MARK: - counts known afterwards

    /// Reserves a byte for a count that is known only after the counted elements are written.
    /// - Returns: The offset, for `fill`.
    public mutating func reserveCount() -> Int {
        write(byte: 0)
        return used - 1
    }

    /// Writes a count as a varuint32 at the offset from `reserveCount`. Moves the bytes after it
    /// when the count needs more than one byte.
    public mutating func fill(_ place: Int, with count: UInt32) {
        guard place < used else { return }
        guard count >= 0x80 else {
            storage[place] = UInt8(truncatingIfNeeded: count)
            return
        }
        var encoded = ByteWriter()
        encoded.write(varuint32: count)
        makeRoom(for: encoded.count - 1)
        // Only the written bytes are moved, not the unused ones.
        unsafe storage.withUnsafeMutableBytes { bytes in
            unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[(place + encoded.count)...])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[place + 1..<used]))
        }
        for (offset, byte) in encoded.bytes.enumerated() { storage[place + offset] = byte }
        used += encoded.count - 1
    }
}
