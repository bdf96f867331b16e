import AirGap

/// The chunks of a PNG file (ISO/IEC 15948:2004, 5.3). libpng reads only the first frame of an
/// animation, so each frame becomes a file of its own.
package struct PNGChunks {
    struct Chunk {
        let type: ArraySlice<UInt8>
        let data: ArraySlice<UInt8>
    }

    /// The frames of an animation are at most as many as the parts of a message.
    package static let maximumFrames = 8192
    private static let headerSize = 13
    /// The sequence number, the size, and more in a chunk fcTL.
    private static let frameControlSize = 26

    private var bytes: ArraySlice<UInt8>

    init(_ file: [UInt8]) { bytes = file.dropFirst(PNGFile.signature.count) }

    /// The next chunk; nil at the end, and where the file is cut off.
    mutating func next() -> Chunk? {
        guard bytes.count >= 12 else { return nil }
        let length = Int(Self.number(bytes.prefix(4)))
        guard bytes.count - 12 >= length else { return nil }
        let type = bytes.dropFirst(4).prefix(4)
        let data = bytes.dropFirst(8).prefix(length)
        bytes = bytes.dropFirst(12 + length)
        return Chunk(type: type, data: data)
    }

    /// The pixels of all frames of an animation, as the file states them.
    static func pixelsOfFrames(in file: [UInt8]) -> UInt64 {
        var chunks = PNGChunks(file)
        var sum: UInt64 = 0
        while let chunk = chunks.next() {
            guard chunk.type.elementsEqual("fcTL".utf8), chunk.data.count == frameControlSize else {
                continue
            }
            let (width, height) = (chunk.data.dropFirst(4).prefix(4), chunk.data.dropFirst(8).prefix(4))
            // Both are 32 bits.
            let (next, overflows) = sum.addingReportingOverflow(
                UInt64(number(width)) * UInt64(number(height)))
            sum = overflows ? .max : next
        }
        return sum
    }

    /// The picture and the further frames of an animation, each as a PNG file with nothing but what
    /// its pixels need: the library would inflate texts and profiles of any length.
    /// - Parameter body: gets one file after the other.
    /// - Throws: the errors of `body`, `damaged` for a file without a picture, and `tooManyFrames`.
    package static func frames(
        of file: [UInt8], _ body: ([UInt8]) throws(PictureError) -> Void
    ) throws(PictureError) {
        var chunks = PNGChunks(file)
        var (header, shared): ([UInt8], [UInt8]) = ([], [])
        var size: ArraySlice<UInt8> = []
        var data: [UInt8] = []
        var (isFirst, count) = (true, 0)
        func end() throws(PictureError) {
            guard !data.isEmpty else { return }
            count += 1
            guard count <= maximumFrames else { throw .tooManyFrames(limit: maximumFrames) }
            let frameHeader = Array(size) + header.dropFirst(size.count)
            try body(
                PNGFile.signature + PNGFile.chunk("IHDR", frameHeader) + shared + PNGFile.chunk("IDAT", data)
                    + PNGFile.chunk("IEND", []))
            data = []
        }
        while let chunk = chunks.next() {
            switch String(decoding: chunk.type, as: UTF8.self) {
            case "IHDR" where chunk.data.count == headerSize: header = Array(chunk.data)
            case "PLTE", "tRNS":
                if isFirst {
                    shared += PNGFile.chunk(String(decoding: chunk.type, as: UTF8.self), Array(chunk.data))
                }
            case "IDAT" where !header.isEmpty && count == 0:
                isFirst = false
                data += chunk.data
            case "fcTL" where chunk.data.count == frameControlSize:
                // The first one can come before the picture.
                if !isFirst { try end() }
                size = chunk.data.dropFirst(4).prefix(8)
            case "fdAT" where size.count == 8 && !isFirst: data += chunk.data.dropFirst(4)
            default: break
            }
        }
        try end()
        guard count > 0 else { throw .damaged(.png) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}
