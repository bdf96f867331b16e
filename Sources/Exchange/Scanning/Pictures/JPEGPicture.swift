import CPictures
import Messages

/// Reads JPEG pictures with libjpeg-turbo. A photograph with too many pixels is read at half its
/// size, or less.
enum JPEGPicture {
    /// 1/1, 1/2, 1/4, 1/8.
    private static let divisors = [1, 2, 4, 8]

    /// - Returns: the picture, and whether it is whole. The part that is cut off or damaged is
    ///   grey; a code may be in the rest.
    static func read(_ bytes: [UInt8]) throws(PictureError) -> (GreyPicture, isWhole: Bool) {
        guard scanCount(bytes) <= maximumScans, let decoder = unsafe tjInitDecompress() else {
            throw .damaged(.jpeg)
        }
        defer { unsafe tjDestroy(decoder) }
        return try unsafe bytes.withUnsafeBufferPointer { bytes throws(PictureError) in
            var (width, height, sampling, colours): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
            guard
                unsafe tjDecompressHeader3(
                    decoder, bytes.baseAddress, UInt(bytes.count), &width, &height, &sampling, &colours) == 0
            else { throw .damaged(.jpeg) }
            // A file that ends before its size has none.
            guard width > 0, height > 0 else { throw .damaged(.jpeg) }
            guard colours != Int32(TJCS_CMYK.rawValue), colours != Int32(TJCS_YCCK.rawValue) else {
                throw .printColours
            }
            let (whole, divisor) = try scale(width: Int(width), height: Int(height))
            // The size that the library computes for this scale.
            let columns = (Int(width) + divisor - 1) / divisor
            let rows = (Int(height) + divisor - 1) / divisor
            var pixels = [UInt8](repeating: 0, count: whole)
            let isRead = unsafe pixels.withUnsafeMutableBufferPointer { pixels in
                unsafe tjDecompress2(
                    decoder, bytes.baseAddress, UInt(bytes.count), pixels.baseAddress, Int32(columns), 0,
                    Int32(rows),
                    Int32(TJPF_GRAY.rawValue), TJFLAG_LIMITSCANS | TJFLAG_ACCURATEDCT) == 0
            }
            let picture = GreyPicture(width: columns, height: rows, pixels: pixels)
            guard !isRead else { return (picture, isWhole: true) }
            guard unsafe tjGetErrorCode(decoder) == Int32(TJERR_WARNING.rawValue) else {
                // A progressive picture is in memory as a whole, at its full size.
                if unsafe divisor > 1 || isOutOfMemory(decoder) {
                    throw .tooManyPixels(
                        width: Int(width), height: Int(height), limit: GreyPicture.maximumPixels)
                }
                throw .damaged(.jpeg)
            }
            return (picture, isWhole: false)
        }
    }

    private static func isOutOfMemory(_ decoder: tjhandle) -> Bool {
        guard let text = unsafe tjGetErrorStr2(decoder) else { return false }
        return unsafe String(cString: text).contains("memory")
    }

    /// The passes over the whole picture: encoders write about ten, and each takes time.
    private static let maximumScans = 100

    /// The markers SOS up to the end of the picture (ITU-T T.81, B.1). A telephone may append a
    /// video after it, and a segment before it may contain another picture.
    static func scanCount(_ bytes: some RandomAccessCollection<UInt8>) -> Int {
        var (count, rest) = (0, bytes.dropFirst(2))
        while let start = rest.firstIndex(of: 0xff) {
            rest = rest[start...].dropFirst()
            guard let marker = rest.first, marker != 0xd9 else { return count }
            switch marker {
            // A fill byte, a byte of the data, and the markers without a segment.
            case 0xff: continue
            case 0, 1, 0xd0...0xd8: rest = rest.dropFirst()
            default:
                if marker == 0xda { count += 1 }
                let length = rest.dropFirst().prefix(2).reduce(0) { $0 << 8 | Int($1) }
                rest = rest.dropFirst(1 + max(length, 2))
            }
        }
        return count
    }

    /// The number of pixels at the largest scale that is small enough, and its divisor.
    private static func scale(width: Int, height: Int) throws(PictureError) -> (pixels: Int, divisor: Int) {
        for divisor in divisors {
            let count = ((width + divisor - 1) / divisor) * ((height + divisor - 1) / divisor)
            if count <= GreyPicture.maximumPixels { return (count, divisor) }
        }
        throw .tooManyPixels(width: width, height: height, limit: GreyPicture.maximumPixels)
    }
}
