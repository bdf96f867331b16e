import AirGap
import Testing

/// Refusals of BBQr that the vectors do not have: other implementations accept most of them.
struct BBQrTests {
    typealias Failure = CodeSequenceError.BBQr

    private static func message(_ texts: [String]) throws(CodeSequenceError) -> [UInt8]? {
        var assembly: BBQrAssembly?
        for text in texts {
            let part = try BBQrPart(text.utf8)
            if assembly == nil { assembly = BBQrAssembly(part) } else { try assembly?.add(part) }
        }
        return try assembly?.message()
    }

    @Test(
        arguments: [
            (["B$HB0100"], .invalidBody), (["B$HB010"], .notBBQr), (["b$HB0100E5"], .notBBQr),
            (["B$HB0100e5"], .invalidBody), (["B$HB0100E"], .invalidBody), (["B$ZB0100!A"], .invalidBody),
            (["B$hB0100E5"], .unknownEncoding), (["B$H10100E5"], .invalidFileType), (["B$HB0000E5"], .invalidCount),
            (["B$HB0a00E5"], .invalidCount), (["B$HB0101E5"], .invalidIndex), (["B$HB01-1E5"], .invalidIndex),
            // The last character of "2R" has bits that are not part of the byte.
            (["B$2B01002R"], .invalidBody), (["B$HB0200E5", "B$HB02010102"], .unequalParts),
            (["B$HB030001", "B$HB03010203", "B$HB030203"], .unequalParts),
            (["B$HB0200E5", "B$HJ0201E5"], .otherMessage), (["B$HB0200E5", "B$HB0200E6"], .conflictingPart(0)),
            // A stored block of 1 byte without its end, and one with a byte after it.
            (["B$ZB0100AAAQA7X7"], .invalidDeflate), (["B$ZB0100AEAQB7X7KUAA"], .invalidDeflate),
        ] as [([String], Failure)])
    func refusals(texts: [String], failure: Failure) {
        #expect(throws: CodeSequenceError.bbqr(failure)) { try Self.message(texts) }
    }

    @Test func aPartOfTheGreatestLengthIsRead() throws {
        let text = "B$HB0100" + String(repeating: "E5", count: 2144)
        #expect(try BBQrPart(text.utf8).body.count == 4288)
        #expect(throws: CodeSequenceError.bbqr(.notBBQr)) { try BBQrPart((text + "E5").utf8) }
    }

    /// The stream claims 10 MB.
    @Test func inflatingIsLimited() throws {
        let zeros = [UInt8](repeating: 0, count: BBQrAssembly.maximumLength)
        let parts = try BBQrEncoder.parts(zeros, fileType: 0x42, versions: .smallest ... .largest).parts
        #expect(parts.count == 1)
        #expect(try Self.message(parts.map(\.text)) == zeros)
        #expect(throws: CodeSequenceError.bbqr(.messageTooLong(limit: BBQrAssembly.maximumLength))) {
            try BBQrEncoder.parts(zeros + [0], fileType: 0x42, versions: .smallest ... .largest)
        }
    }

    @Test func dataThatDoesNotFitIsRefused() {
        let data = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
        #expect(throws: CodeSequenceError.bbqr(.doesNotFit)) {
            try BBQrEncoder.parts(data, fileType: 0x42, encoding: .hex, versions: .smallest ... .smallest)
        }
        #expect(throws: CodeSequenceError.bbqr(.emptyMessage)) {
            try BBQrEncoder.parts([], fileType: 0x42, versions: .smallest ... .largest)
        }
    }
}
