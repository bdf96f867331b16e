import Codecs

/// The report that the process of a picture writes to its pipe: each code with its length, and at
/// the end the result. The reader checks all of it.
package enum DecoderReport {
    /// In bytes: more than the codes of a message of the greatest length.
    static let maximumLength = 40 << 20
    /// The length that begins the result.
    private static let end: UInt32 = .max

    package static func code(_ bytes: [UInt8]) -> [UInt8] {
        UInt32(clamping: bytes.count).bigEndianBytes + bytes
    }

    /// The errors without numbers of a picture.
    private static let plain: [PictureError] = [
        .unknownFormat, .damaged(.png), .damaged(.jpeg), .printColours,
        .tooManyFrames(limit: PNGChunks.maximumFrames),
        .animationTooLarge(limit: PNGPicture.maximumAnimationPixels),
    ]

    /// The result: no error, or one.
    package static func end(_ error: PictureError?) -> [UInt8] {
        let numbers =
            switch error {
            case nil: [0, 0, 0]
            case .tooManyPixels(let width, let height, _)?: [1, width, height]
            case .shortFrame(let bytes, let expected)?: [2, bytes, expected]
            case let error?: [3, plain.firstIndex(of: error) ?? plain.count, 0]
            }
        return end.bigEndianBytes + numbers.flatMap { UInt32(clamping: $0).bigEndianBytes }
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

        /// True if the report is whole.
        /// - Parameter format: the format of the picture.
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
        case 1: .tooManyPixels(width: first, height: second, limit: GreyPicture.maximumPixels)
        case 2: .shortFrame(bytes: first, expected: second)
        default: plain.indices.contains(first) ? plain[first] : .damaged(format)
        }
    }

    private static func number(in bytes: ArraySlice<UInt8>, at index: Int) -> UInt32? {
        let part = bytes.dropFirst(4 * index).prefix(4)
        return part.count == 4 ? part.reduce(0) { $0 << 8 | UInt32($1) } : nil
    }
}
