extension [UInt8] {
    /// The big-endian number at an offset, as SQLite's file formats have it. The caller has checked
    /// that the bytes are there.
    func bigEndian<Number: FixedWidthInteger>(at offset: Int, count: Int = 4) -> Number {
        self[offset..<(offset + count)].reduce(0) { $0 << 8 | Number($1) }
    }
}
