/// What the process of a picture writes to its pipe: each code with its length, and at the end the
/// result. The reader checks all of it.
package enum DecoderReport {
    /// In bytes: more than the codes of a message of the greatest length.
    static let maximumLength = 40 << 20
    /// The length that begins the result.
    private static let end: UInt32 = .max

    package static func code(_ bytes: [UInt8]) -> [UInt8] { number(UInt32(clamping: bytes.count)) + bytes }

    /// The result: no error, or one.
    package static func end(_ error: PictureError?) -> [UInt8] {
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
            case .animationTooLarge(let limit)?: (8, limit, 0)
            case .printColours?: (9, 0, 0)
            }
        return number(end) + number(kind) + number(UInt32(clamping: first)) + number(UInt32(clamping: second))
    }

    /// Reads a report while it arrives.
    package struct Reader {
        private var rest: ArraySlice<UInt8> = []
        private(set) var count = 0
        private var result: (kind: UInt32, first: UInt32, second: UInt32)?
        private var isInvalid = false

        package init() {}

        /// Adds bytes of the report.
        /// - Parameter body: gets the content of each code that is complete.
        package mutating func add(_ bytes: ArraySlice<UInt8>, _ body: ([UInt8]) -> Void) {
            count += bytes.count
            rest += bytes
            while !isInvalid, let length = DecoderReport.number(in: rest, at: 0) {
                if length == DecoderReport.end {
                    guard let kind = DecoderReport.number(in: rest, at: 1),
                        let first = DecoderReport.number(in: rest, at: 2),
                        let second = DecoderReport.number(in: rest, at: 3)
                    else { return }
                    isInvalid = rest.count > 16
                    result = (kind, first, second)
                    return
                }
                guard rest.count - 4 >= Int(length) else { return }
                body(Array(rest.dropFirst(4).prefix(Int(length))))
                rest = rest.dropFirst(4 + Int(length))
            }
        }

        /// Whether the report is whole.
        /// - Parameter format: that of the picture.
        /// - Throws: the error in the report.
        package func end(_ format: PictureFormat) throws(PictureError) -> Bool {
            guard let result, !isInvalid else { return false }
            if let error = DecoderReport.error(result.kind, Int(result.first), Int(result.second), format) {
                throw error
            }
            return true
        }
    }

    private static func error(
        _ kind: UInt32, _ first: Int, _ second: Int, _ format: PictureFormat
    ) -> PictureError? {
        switch kind {
        case 0: nil
        case 1: .unknownFormat
        case 5: .tooManyPixels(width: first, height: second, limit: GreyPicture.maximumPixels)
        case 6: .tooManyFrames(limit: first)
        case 7: .shortFrame(bytes: first, expected: second)
        case 8: .animationTooLarge(limit: first)
        case 9: .printColours
        default: .damaged(format)
        }
    }

    private static func number(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func number(in bytes: ArraySlice<UInt8>, at index: Int) -> UInt32? {
        let part = bytes.dropFirst(4 * index).prefix(4)
        return part.count == 4 ? part.reduce(0) { $0 << 8 | UInt32($1) } : nil
    }
}
