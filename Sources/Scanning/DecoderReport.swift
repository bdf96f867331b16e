import Pictures

/// What the process of a picture writes to its pipe: each code with its length, and at the end the
/// result. The reader trusts none of it.
enum DecoderReport {
    /// In bytes: more than the codes of a message of the greatest length.
    static let maximumLength = 40 << 20
    /// The length that begins the result.
    private static let end: UInt32 = .max

    static func code(_ bytes: [UInt8]) -> [UInt8] { number(UInt32(clamping: bytes.count)) + bytes }

    /// The result: no error, or one.
    static func end(_ error: PictureError?) -> [UInt8] {
        let (kind, first, second): (UInt32, Int, Int) =
            switch error {
            case nil: (0, 0, 0)
            case .unknownFormat?: (1, 0, 0)
            case .damaged(.png)?: (2, 0, 0)
            case .damaged(.jpeg)?: (3, 0, 0)
            case .damaged(.raw)?: (4, 0, 0)
            case .tooManyPixels(let width, let height, _)?: (5, width, height)
            case .tooManyFrames(let limit)?: (6, limit, 0)
            case .shortFrame(let bytes, let expected)?: (7, bytes, expected)
            }
        return number(end) + number(kind) + number(UInt32(clamping: first)) + number(UInt32(clamping: second))
    }

    /// - Parameter format: that of the picture.
    /// - Returns: the codes; nil for a report that is not whole.
    /// - Throws: the error in the report.
    static func read(_ bytes: [UInt8], _ format: PictureFormat) throws(PictureError) -> [[UInt8]]? {
        var rest = bytes[...]
        var codes: [[UInt8]] = []
        while let length = take(&rest) {
            if length == end {
                guard let kind = take(&rest), let first = take(&rest), let second = take(&rest), rest.isEmpty else {
                    return nil
                }
                if let error = try error(kind, Int(first), Int(second), format) { throw error }
                return codes
            }
            guard Int(length) <= rest.count else { return nil }
            codes.append(Array(rest.prefix(Int(length))))
            rest = rest.dropFirst(Int(length))
        }
        return nil
    }

    private static func error(
        _ kind: UInt32, _ first: Int, _ second: Int, _ format: PictureFormat
    ) throws(PictureError) -> PictureError? {
        switch kind {
        case 0: nil
        case 1: .unknownFormat
        case 5: .tooManyPixels(width: first, height: second, limit: GreyPicture.maximumPixels)
        case 6: .tooManyFrames(limit: first)
        case 7: .shortFrame(bytes: first, expected: second)
        default: .damaged(format)
        }
    }

    private static func number(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func take(_ rest: inout ArraySlice<UInt8>) -> UInt32? {
        guard rest.count >= 4 else { return nil }
        defer { rest = rest.dropFirst(4) }
        return rest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}
