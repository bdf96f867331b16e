import Testing

@testable import Scanning

/// What the process of a picture reports. The picture may have taken control of it.
struct DecoderReportTests {
    private static let codes: [[UInt8]] = [[], [1], Array(repeating: 7, count: 5000)]
    private static let report = codes.flatMap(DecoderReport.code) + DecoderReport.end(nil)

    /// - Parameter size: the bytes that arrive at once.
    /// - Returns: the codes, and whether the report is whole.
    private static func read(
        _ report: [UInt8], _ format: PictureFormat = .png, size: Int = 100_000
    ) throws -> ([[UInt8]], Bool) {
        var reader = DecoderReport.Reader()
        var codes: [[UInt8]] = []
        for start in stride(from: 0, to: report.count, by: size) {
            reader.add(report[start..<min(report.count, start + size)]) {
                codes.append($0)
            }
        }
        return (codes, try reader.end(format))
    }

    @Test(arguments: [1, 3, 4, 1000, 100_000])
    func roundTrip(size: Int) throws {
        let (codes, isWhole) = try Self.read(Self.report, size: size)
        #expect(codes == Self.codes)
        #expect(isWhole)
        #expect(try Self.read(DecoderReport.end(nil), size: size).0 == [])
    }

    @Test(
        arguments: [
            .unknownFormat, .damaged(.png), .damaged(.jpeg), .tooManyFrames(limit: 8192),
            .animationTooLarge(limit: 600_000_000), .printColours,
            .tooManyPixels(width: 1, height: 4_000_000_000, limit: GreyPicture.maximumPixels),
            .shortFrame(bytes: 1, expected: 2),
        ] as [PictureError])
    func errors(error: PictureError) {
        let format: PictureFormat = error == .damaged(.jpeg) ? .jpeg : .png
        #expect(throws: error) { try Self.read(DecoderReport.end(error), format, size: 5) }
    }

    @Test func incompleteReportsAreNoReports() throws {
        for count in 0..<Self.report.count
        where count % 97 == 0 || count < 40 || count > Self.report.count - 20 {
            #expect(try !Self.read(Array(Self.report.prefix(count)), size: 100_000).1, "\(count) bytes")
        }
        #expect(try !Self.read(Self.report + [0], size: 100_000).1)
        // A length beyond the end.
        #expect(try !Self.read([0xff, 0xff, 0xff, 0xfe] + Self.report, size: 100_000).1)
    }
}
