import Scanning

/// A report of the process that decodes a picture, whole or not, gives the same codes in whatever
/// pieces it arrives. A whole report prints back.
public enum ScanReportLaw: Law {
    public static let name = "ScanReport"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let errors: [PictureError?] = [
            nil, .unknownFormat, .damaged(.png), .damaged(.jpeg), .tooManyFrames(limit: 8192),
            .tooManyPixels(width: 10_000, height: 10_000, limit: GreyPicture.maximumPixels),
            .shortFrame(bytes: 1, expected: 2),
        ]
        return errors.flatMap { error in
            [[], DecoderReport.code([]), DecoderReport.code([1, 2, 3]) + DecoderReport.code([4])]
                .map { $0 + DecoderReport.end(error) }
        }
    }

    private static func read(_ input: [UInt8], by size: Int) -> ([[UInt8]], Bool?) {
        var reader = DecoderReport.Reader()
        var codes: [[UInt8]] = []
        for start in stride(from: 0, to: input.count, by: size) {
            reader.add(input[start..<min(input.count, start + size)]) { codes.append($0) }
        }
        return (codes, try? reader.end(.png))
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        let (codes, isWhole) = read(input, by: max(1, input.count))
        for size in [1, 3, 7] { try law(read(input, by: size) == (codes, isWhole), "\(size) bytes at once") }
        guard isWhole == true else { return }
        let printed = codes.flatMap { DecoderReport.code($0) } + DecoderReport.end(nil)
        try law(input.prefix(printed.count - 8) == printed.dropLast(8), "a whole report prints back")
    }
}
