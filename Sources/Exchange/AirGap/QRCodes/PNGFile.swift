import Codecs

/// A square grey PNG picture of one bit per pixel (ISO/IEC 15948:2004).
struct PNGFile {
    private(set) var bytes: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    /// - Parameter rows: for each row, the number of its filter and its pixels. 1 is white.
    init(side: UInt32, rows: [UInt8]) {
        // The last five: bit depth 1, grey, and the only methods of compression and filtering; not
        // interlaced.
        append("IHDR", Self.bigEndian(side) + Self.bigEndian(side) + [1, 0, 0, 0, 0])
        append("IDAT", Deflate.compress(rows, .zlib))
        append("IEND", [])
    }

    /// An animation that loops.
    /// - Parameter frames: at least one; the rows of each.
    init(side: UInt32, frames: [[UInt8]], milliseconds: UInt16) {
        append("IHDR", Self.bigEndian(side) + Self.bigEndian(side) + [1, 0, 0, 0, 0])
        // The number of frames, and 0 for an animation without end.
        append("acTL", Self.bigEndian(UInt32(clamping: frames.count)) + Self.bigEndian(0))
        var sequence: UInt32 = 0
        for (index, rows) in frames.enumerated() {
            // The size, the offset, the time as a fraction, and 0 to replace the whole picture.
            let time = [UInt8(milliseconds >> 8), UInt8(milliseconds & 0xff), 0x03, 0xe8, 0, 0]
            let place = Self.bigEndian(side) + Self.bigEndian(side) + Self.bigEndian(0) + Self.bigEndian(0)
            append("fcTL", Self.bigEndian(sequence) + place + time)
            sequence += 1
            if index == 0 {
                append("IDAT", Deflate.compress(rows, .zlib))
            } else {
                append("fdAT", Self.bigEndian(sequence) + Deflate.compress(rows, .zlib))
                sequence += 1
            }
        }
        append("IEND", [])
    }

    private mutating func append(_ type: StaticString, _ data: [UInt8]) {
        let content = Array("\(type)".utf8) + data
        bytes += Self.bigEndian(UInt32(data.count)) + content + Self.bigEndian(CRC32.of(content))
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
