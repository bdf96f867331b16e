extension FixedWidthInteger where Self: BitwiseCopyable {
    /// The bytes, the lowest first.
    @inlinable package var littleEndianBytes: [UInt8] {
        unsafe withUnsafeBytes(of: littleEndian) { unsafe [UInt8]($0) }
    }

    /// The bytes, the highest first.
    @inlinable package var bigEndianBytes: [UInt8] {
        unsafe withUnsafeBytes(of: bigEndian) { unsafe [UInt8]($0) }
    }
}
