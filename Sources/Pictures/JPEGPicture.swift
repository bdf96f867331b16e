import CTurboJPEG

/// Reads JPEG pictures with libjpeg-turbo. A photograph with too many pixels is read at half its
/// size, or less.
enum JPEGPicture {
    /// 1/1, 1/2, 1/4, 1/8.
    private static let divisors = [1, 2, 4, 8]

    /// - Returns: the picture, and whether it is whole. The part that is cut off or damaged is
    ///   grey; a code may be in the rest.
    static func read(_ bytes: [UInt8]) throws(PictureError) -> (GreyPicture, isWhole: Bool) {
        guard let decoder = unsafe tjInitDecompress() else { throw .damaged(.jpeg) }
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
            guard unsafe scanCount(bytes) <= maximumScans else { throw .damaged(.jpeg) }
            let (whole, divisor) = try scale(width: Int(width), height: Int(height))
            // The size that the library computes for this scale.
            let columns = (Int(width) + divisor - 1) / divisor
            let rows = (Int(height) + divisor - 1) / divisor
            var pixels = [UInt8](repeating: 0, count: whole)
            let isRead = unsafe pixels.withUnsafeMutableBufferPointer { pixels in
                unsafe tjDecompress2(
                    decoder, bytes.baseAddress, UInt(bytes.count), pixels.baseAddress, Int32(columns), 0, Int32(rows),
                    Int32(TJPF_GRAY.rawValue), TJFLAG_LIMITSCANS | TJFLAG_ACCURATEDCT) == 0
            }
            let picture = GreyPicture(width: columns, height: rows, pixels: pixels)
            guard !isRead else { return (picture, isWhole: true) }
            guard unsafe tjGetErrorCode(decoder) == Int32(TJERR_WARNING.rawValue) else {
                // A progressive picture is in memory as a whole, at its full size.
                if unsafe divisor > 1 || isOutOfMemory(decoder) {
                    throw .tooManyPixels(width: Int(width), height: Int(height), limit: GreyPicture.maximumPixels)
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

    /// The markers SOS. Other bytes 255 in the data are followed by 0.
    private static func scanCount(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        unsafe zip(bytes, bytes.dropFirst()).count { $0 == 0xff && $1 == 0xda }
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
