import AirGap
import Testing

struct QRPictureTests {
    /// The header of ISO/IEC 15948: signature, then IHDR with the size and one grey bit per pixel.
    @Test func pngHeader() throws {
        let png = try QRCode(Array("ESR".utf8)).png(scale: 4)
        #expect(Array(png.prefix(8)) == [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])
        #expect(Array(png[8..<16]) == [0, 0, 0, 13] + Array("IHDR".utf8))
        #expect(Array(png[16..<29]) == [0, 0, 0, 116, 0, 0, 0, 116, 1, 0, 0, 0, 0])
        // The IEND chunk is the same in each picture.
        #expect(Array(png.suffix(12)) == [0, 0, 0, 0] + Array("IEND".utf8) + [0xae, 0x42, 0x60, 0x82])
    }

    @Test func svgDrawsEachRun() throws {
        let code = try QRCode(Array("ESR".utf8))
        #expect(code.svg.contains("viewBox=\"0 0 29 29\""))
        // The top of the finder patterns.
        #expect(code.svg.contains("d=\"M4 4h7v1h-7z"))
        var dark = 0
        for part in code.svg.split(separator: "h").dropFirst() {
            if let length = Int(part.prefix { $0.isNumber }), part.contains("v1h") || part.hasSuffix("v1") {
                dark += length
            }
        }
        let modules = (0..<21).flatMap { row in (0..<21).map { code[row, $0] } }
        #expect(dark == modules.count { $0 })
    }

    /// Each frame is the picture of its code, which other readers read.
    @Test func animationHasThePicturesOfItsCodes() throws {
        let codes = try ["ONE", "TWO", "THREE"].map { try QRCode(Array($0.utf8)) }
        let png = try QRAnimation(codes).png(scale: 3, milliseconds: 200)
        let chunks = Self.chunks(png)
        #expect(
            chunks.map(\.type) == ["IHDR", "acTL", "fcTL", "IDAT", "fcTL", "fdAT", "fcTL", "fdAT", "IEND"])
        #expect(chunks[1].data == [0, 0, 0, 3, 0, 0, 0, 0])
        #expect(
            chunks[2].data == [0, 0, 0, 0, 0, 0, 0, 87, 0, 0, 0, 87] + Array(repeating: 0, count: 8) + [
                0, 200, 3, 232, 0, 0,
            ])
        #expect(chunks[4].data.prefix(4) == [0, 0, 0, 1])
        #expect(chunks[6].data.prefix(4) == [0, 0, 0, 3])
        let pictures = [
            chunks[3].data, Array(chunks[5].data.dropFirst(4)), Array(chunks[7].data.dropFirst(4)),
        ]
        #expect(try pictures == codes.map { Self.chunks(try $0.png(scale: 3))[1].data })
        #expect(chunks[5].data.prefix(4) == [0, 0, 0, 2])
    }

    @Test func animationRefusals() throws {
        #expect(throws: QRError.noData) { try QRAnimation([]) }
        let codes = try [QRCode(Array("A".utf8)), QRCode(Array(repeating: 0x41, count: 60))]
        #expect(throws: QRError.otherVersion(codes[1].version, first: codes[0].version)) {
            try QRAnimation(codes)
        }
        #expect(throws: QRError.scaleOutOfRange(65, limit: 64)) {
            try QRAnimation([codes[0]]).png(scale: 65, milliseconds: 1)
        }
    }

    /// The chunks of a PNG file, without their checksums.
    private static func chunks(_ png: [UInt8]) -> [(type: String, data: [UInt8])] {
        var rest = png.dropFirst(8)
        var chunks: [(type: String, data: [UInt8])] = []
        while rest.count >= 12 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            let type = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
            chunks.append((type, Array(rest.dropFirst(8).prefix(length))))
            rest = rest.dropFirst(12 + length)
        }
        return chunks
    }
}
