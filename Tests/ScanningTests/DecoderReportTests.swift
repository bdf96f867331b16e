import Pictures
import Testing

@testable import Scanning

/// What the process of a picture reports. The picture may have taken control of it.
struct DecoderReportTests {
    private static let codes: [[UInt8]] = [[], [1], Array(repeating: 7, count: 5000)]
    private static let report = codes.flatMap(DecoderReport.code) + DecoderReport.end(nil)

    @Test func roundTrip() throws {
        #expect(try DecoderReport.read(Self.report, .png) == Self.codes)
        #expect(try DecoderReport.read(DecoderReport.end(nil), .png) == [])
    }

    @Test(
        arguments: [
            .unknownFormat, .damaged(.png), .damaged(.jpeg), .tooManyFrames(limit: 8192),
            .tooManyPixels(width: 1, height: 4_000_000_000, limit: GreyPicture.maximumPixels),
            .shortFrame(bytes: 1, expected: 2),
        ] as [PictureError])
    func errors(error: PictureError) {
        let format: PictureFormat = error == .damaged(.jpeg) ? .jpeg : .png
        #expect(throws: error) { try DecoderReport.read(DecoderReport.end(error), format) }
    }

    @Test func incompleteReportsAreNoReports() throws {
        for count in 0..<Self.report.count where count % 97 == 0 || count < 40 || count > Self.report.count - 20 {
            #expect(try DecoderReport.read(Array(Self.report.prefix(count)), .png) == nil, "\(count) bytes")
        }
        #expect(try DecoderReport.read(Self.report + [0], .png) == nil)
        // A length beyond the end.
        #expect(try DecoderReport.read([0xff, 0xff, 0xff, 0xfe] + Self.report, .png) == nil)
    }
}
