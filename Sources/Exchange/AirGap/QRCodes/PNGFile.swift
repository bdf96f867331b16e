import Codecs

/// A square grey PNG picture of one bit per pixel (ISO/IEC 15948:2004).
package struct PNGFile {
    package static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    private(set) var bytes = signature

    /// - Parameter rows: for each row, the number of its filter and its pixels. 1 is white.
    init(side: UInt32, rows: [UInt8]) {
        // The last five: bit depth 1, grey, and the only methods of compression and filtering; not
        // interlaced.
        append("IHDR", side.bigEndianBytes + side.bigEndianBytes + [1, 0, 0, 0, 0])
        append("IDAT", Deflate.compress(rows, .zlib))
        append("IEND", [])
    }

    /// An animation that loops.
    /// - Parameter frames: at least one; the rows of each.
    init(side: UInt32, frames: [[UInt8]], milliseconds: UInt16) {
        append("IHDR", side.bigEndianBytes + side.bigEndianBytes + [1, 0, 0, 0, 0])
        // The number of frames, and 0 for an animation without end.
        append("acTL", UInt32(clamping: frames.count).bigEndianBytes + [0, 0, 0, 0])
        var sequence: UInt32 = 0
        for (index, rows) in frames.enumerated() {
            // The size, the offset, the time as a fraction, and 0 to replace the whole picture.
            let time = milliseconds.bigEndianBytes + [0x03, 0xe8, 0, 0]
            let place = side.bigEndianBytes + side.bigEndianBytes + [UInt8](repeating: 0, count: 8)
            append("fcTL", sequence.bigEndianBytes + place + time)
            sequence += 1
            if index == 0 {
                append("IDAT", Deflate.compress(rows, .zlib))
            } else {
                append("fdAT", sequence.bigEndianBytes + Deflate.compress(rows, .zlib))
                sequence += 1
            }
        }
        append("IEND", [])
    }

    private mutating func append(_ type: String, _ data: [UInt8]) { bytes += Self.chunk(type, data) }

    /// The length, the type, the data and their checksum.
    package static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let content = Array(type.utf8) + data
        return UInt32(clamping: data.count).bigEndianBytes + content + CRC32.of(content).bigEndianBytes
    }
}
