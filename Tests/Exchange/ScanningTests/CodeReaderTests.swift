import AirGap
import Codecs
import TestSupport
import Testing

@testable import Scanning

struct CodeReaderTests {
    private static func code(_ text: String) throws -> QRCode { try QRCode(Array(text.utf8), level: .low) }

    private static func read(_ bytes: [UInt8], _ format: PictureFormat) throws -> [String] {
        var texts: [String] = []
        try CodeReader().read(bytes, format) { texts.append(String(decoding: $0, as: UTF8.self)) }
        return texts
    }

    private static func read(file bytes: [UInt8]) throws -> [String] {
        try read(bytes, try PictureFormat(of: bytes))
    }

    /// One pixel for each module and its quiet zone, 255 for white.
    private static func grey(_ code: QRCode) -> GreyPicture {
        let side = code.size + 2 * QRCode.quietZone
        let pixels = (0..<side * side).map { index -> UInt8 in
            let (row, column) = (index / side - QRCode.quietZone, index % side - QRCode.quietZone)
            let isInside = (0..<code.size).contains(row) && (0..<code.size).contains(column)
            return isInside && code[row, column] ? 0 : 255
        }
        return GreyPicture(width: side, height: side, pixels: pixels)
    }

    @Test(arguments: [1, 2, 3, 8])
    func readsPNGOfEachScale(scale: Int) throws {
        #expect(
            try Self.read(file: Self.code("UR:X-EOS-TRANSACTION/ABC").png(scale: scale)) == [
                "UR:X-EOS-TRANSACTION/ABC"
            ]
        )
    }

    /// The bytes are not converted to another character set.
    @Test(arguments: ["héllo ✓", "\u{1}\u{2}", "a\nb", "Ж", "\u{ff}"])
    func bytesStayAsTheyAre(text: String) throws {
        #expect(try Self.read(file: Self.code(text).png(scale: 4)) == [text])
    }

    @Test func allFramesOfAnimationAreRead() throws {
        let texts = (0..<40).map { "PART \(1000 + $0)" }
        let file = try QRAnimation(texts.map(Self.code)).png(scale: 3, milliseconds: 100)
        #expect(try Self.read(file: file) == texts)
        // Without the last chunks.
        #expect(try Self.read(file: Array(file.dropLast(200))).count == 39)
    }

    @Test func animationIsLimited() throws {
        let frame =
            PNGFile.chunk("fcTL", [UInt8](repeating: 0, count: 26)) + PNGFile.chunk("fdAT", [0, 0, 0, 0, 1])
        let head =
            PNGFile.signature + PNGFile.chunk("IHDR", [UInt8](repeating: 1, count: 13))
            + PNGFile.chunk("IDAT", [1])
        func count(_ frames: Int) throws -> Int {
            var count = 0
            let file = head + Array(repeating: frame, count: frames).flatMap(\.self)
            try PNGChunks.frames(of: file) { _ in count += 1 }
            return count
        }
        #expect(try count(PNGChunks.maximumFrames - 1) == PNGChunks.maximumFrames)
        #expect(throws: PictureError.tooManyFrames(limit: PNGChunks.maximumFrames)) {
            try count(PNGChunks.maximumFrames)
        }
    }

    @Test func invertedCodeIsRead() throws {
        let picture = Self.grey(try Self.code("INVERTED")).doubled.doubled
        let inverted = GreyPicture(
            width: picture.width, height: picture.height, pixels: picture.pixels.map { 255 - $0 })
        #expect(CodeReader().codes(in: inverted) == [Array("INVERTED".utf8)])
    }

    // MARK: frames of a camera

    private static let frame = RawFrame(.brightnessFirst, width: 6, height: 2, stride: 16)

    @Test func brightnessIsTakenFromEachLayout() throws {
        // Two rows with a gap of four bytes.
        let yuyv: [UInt8] = [
            1, 91, 2, 92, 3, 93, 4, 94, 5, 95, 6, 96, 0, 0, 0, 0, 7, 91, 8, 92, 9, 93, 10, 94, 11, 95, 12, 96,
        ]
        #expect(try Self.frame.picture(yuyv).pixels == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
        let uyvy = RawFrame(.colourFirst, width: 6, height: 2, stride: 16)
        #expect(try uyvy.picture(yuyv).pixels == [91, 92, 93, 94, 95, 96, 91, 92, 93, 94, 95, 96])
        let grey = RawFrame(.brightnessPlane, width: 3, height: 2, stride: 4)
        #expect(try grey.picture([1, 2, 3, 0, 4, 5, 6, 0, 128, 128]).pixels == [1, 2, 3, 4, 5, 6])
    }

    @Test(
        arguments: [
            (frame, 27, PictureError.shortFrame(bytes: 27, expected: 28)),
            (
                RawFrame(.brightnessFirst, width: 6, height: 2, stride: 11), 100,
                .shortFrame(bytes: 100, expected: 24)
            ),
            (
                RawFrame(.brightnessPlane, width: 6, height: 2, stride: -6), 100,
                .shortFrame(bytes: 100, expected: 12)
            ),
            (RawFrame(.brightnessPlane, width: 0, height: 2, stride: 8), 100, tooMany(0, 2)),
            (RawFrame(.brightnessPlane, width: .max, height: 2, stride: 8), 100, tooMany(.max, 2)),
            (RawFrame(.brightnessPlane, width: 8, height: -1, stride: 8), 100, tooMany(8, -1)),
            (
                RawFrame(.brightnessPlane, width: 8, height: 8, stride: .max), 100,
                .shortFrame(bytes: 100, expected: .max)
            ),
        ])
    func framesAreChecked(frame: RawFrame, count: Int, error: PictureError) {
        #expect(throws: error) { try Self.read([UInt8](repeating: 0, count: count), .raw(frame)) }
    }

    private static func tooMany(_ width: Int, _ height: Int) -> PictureError {
        .tooManyPixels(width: width, height: height, limit: GreyPicture.maximumPixels)
    }

    /// Frames as a camera delivers them: see Vectors/frames.
    @Test func recordedFramesAreRead() throws {
        let text = "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"
        let yuyv = try repositoryFile("Vectors/frames/code-320x240.yuyv")
        let frame = RawFrame(.brightnessFirst, width: 320, height: 240, stride: 640)
        #expect(try Self.read(yuyv, .raw(frame)) == [text])
        let mjpeg = try repositoryFile("Vectors/frames/code-640x480.mjpeg")
        #expect(try Self.read(mjpeg, .jpeg) == [text])
        // A frame that is cut off before the code.
        #expect(throws: PictureError.damaged(.jpeg)) { try Self.read(Array(mjpeg.prefix(3000)), .jpeg) }
    }

    @Test func formatsHaveNames() {
        #expect([PictureFormat.png, .jpeg, .raw(Self.frame)].map(\.name) == ["PNG", "JPEG", "video"])
    }

    /// Only the markers of the picture count: not those in a segment, or in a video behind its end.
    @Test func scansAreLimited() throws {
        let file = try repositoryFile("Vectors/frames/code-640x480.mjpeg")
        let scan: [UInt8] = [0xff, 0xda, 0, 2]
        let scans = Array(repeating: scan, count: 100).flatMap(\.self)
        #expect(JPEGPicture.scanCount(file) == 1)
        #expect(JPEGPicture.scanCount(file + scans) == 1)
        #expect(JPEGPicture.scanCount(Array(file.dropLast(2)) + scans + file.suffix(2)) == 101)
        let segment: [UInt8] = [0xff, 0xd8, 0xff, 0xe1, 0x01, 0x92]
        #expect(JPEGPicture.scanCount(segment + scans + file.dropFirst(2)) == 1)
        for count in 0..<40 { #expect(JPEGPicture.scanCount(file.prefix(count)) == 0) }
        #expect(throws: PictureError.damaged(.jpeg)) {
            try Self.read(file: file.dropLast(2) + scans + [0xff, 0xd9])
        }
        #expect(try Self.read(file: file + scans).count == 1)
    }

    // MARK: refusals

    @Test(
        arguments: [
            [], [0x89], Array("GIF89a".utf8), Array("RIFF....WEBP".utf8), Array("<svg ".utf8), [0xff, 0xd8],
            [0x89, 0x50, 0x4e, 0x47],
        ] as [[UInt8]])
    func otherFormatsAreRefused(bytes: [UInt8]) {
        #expect(throws: PictureError.unknownFormat) { try PictureFormat(of: bytes) }
    }

    @Test func damagedPicturesAreRefused() throws {
        let file = try Self.code("DAMAGED").png(scale: 4)
        let mjpeg = try repositoryFile("Vectors/frames/code-640x480.mjpeg")
        for step in 0..<60 {
            #expect(throws: PictureError.damaged(.png)) {
                try Self.read(file: Array(file.prefix(9 + step * file.count / 80)))
            }
            // Before the first pixels.
            #expect(throws: PictureError.damaged(.jpeg)) {
                try Self.read(file: Array(mjpeg.prefix(4 + step * 3)))
            }
        }
    }

    /// A picture that claims 100 megapixels needs no memory for them.
    @Test func pixelsAreLimited() throws {
        let header = PNGFile.chunk("IHDR", [0, 0, 0x27, 0x10, 0, 0, 0x27, 0x10, 8, 0, 0, 0, 0])
        let row = [UInt8](repeating: 0, count: 10_001)
        let data = Deflate.compress(Array(repeating: row, count: 100).flatMap(\.self), .zlib)
        let file = PNGFile.signature + header + PNGFile.chunk("IDAT", data) + PNGFile.chunk("IEND", [])
        #expect(throws: Self.tooMany(10_000, 10_000)) { try Self.read(file: file) }
    }

    @Test func pictureWithoutCodeHasNone() throws {
        let noise = (0..<200 * 200).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 2_654_435_761 >> 13) }
        #expect(CodeReader().codes(in: GreyPicture(width: 200, height: 200, pixels: noise)) == [])
        for (width, height) in [(1, 1), (1, 500), (500, 1), (3, 3)] {
            let picture = GreyPicture(
                width: width, height: height, pixels: Array(repeating: 255, count: width * height))
            #expect(CodeReader().codes(in: picture) == [])
        }
    }

    @Test func halvesAreMeans() throws {
        let picture = GreyPicture(width: 5, height: 3, pixels: [0, 4, 8, 8, 1, 4, 8, 8, 8, 1, 9, 9, 9, 9, 9])
        let half = try #require(picture.halved)
        #expect((half.width, half.height) == (2, 1))
        #expect(half.pixels == [4, 8])
        #expect(GreyPicture(width: 1, height: 3, pixels: [1, 2, 3]).halved == nil)
        #expect(half.doubled.pixels == [4, 6, 8, 8, 4, 6, 8, 8])
    }
}
