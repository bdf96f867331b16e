import QRCodes
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
}
