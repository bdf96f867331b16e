/// A grey picture of eight bits per pixel, row by row, without gaps. 255 is white.
package struct GreyPicture: Equatable, Sendable {
    /// The most pixels of a picture. The reader of codes needs about four bytes for each, so a
    /// picture stays below 200 MB.
    package static let maximumPixels = 40_000_000

    package let width: Int
    package let height: Int
    package let pixels: [UInt8]

    /// - Precondition: there is one byte for each pixel.
    package init(width: Int, height: Int, pixels: [UInt8]) {
        precondition(width > 0 && height > 0 && pixels.count == width * height)
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    /// Reads a picture, or each frame of an animated PNG picture.
    /// - Parameter body: gets one frame after the other, and returns whether it found a code. The
    ///   whole animation is never in memory.
    /// - Throws: `damaged` also for a JPEG picture that is cut off and has no code.
    static func read(_ bytes: [UInt8], _ format: PictureFormat, _ body: (GreyPicture) -> Bool)
        throws(PictureError)
    {
        switch format {
        case .png: try PNGPicture.read(bytes) { _ = body($0) }
        case .jpeg:
            let (picture, isWhole) = try JPEGPicture.read(bytes)
            guard body(picture) || isWhole else { throw .damaged(.jpeg) }
        case .raw(let frame): _ = body(try frame.picture(bytes))
        }
    }

    /// The number of pixels, if the picture may have so many.
    static func expect(width: Int, height: Int) throws(PictureError) -> Int {
        let (count, overflows) = width.multipliedReportingOverflow(by: height)
        guard width > 0, height > 0, !overflows, count <= maximumPixels else {
            throw .tooManyPixels(width: width, height: height, limit: maximumPixels)
        }
        return count
    }

    /// Half the width and half the height: each pixel is the mean of four. Noise and stripes from
    /// the pixels of a photographed screen are weaker.
    var halved: GreyPicture? {
        let (columns, rows) = (width / 2, height / 2)
        guard columns > 0, rows > 0 else { return nil }
        return made(columns, rows) { column, row in
            let upper = 2 * row * width + 2 * column
            let sum =
                UInt16(pixels[upper]) + UInt16(pixels[upper + 1]) + UInt16(pixels[upper + width])
                + UInt16(pixels[upper + width + 1])
            return UInt8(sum / 4)
        }
    }

    /// Twice the width and twice the height, with the means between the pixels: modules of one or
    /// two pixels are too small for the reader.
    var doubled: GreyPicture {
        made(2 * width, 2 * height) { column, row in
            let (x, y) = (column / 2, row / 2)
            let (right, below) = (min(x + column % 2, width - 1), min(y + row % 2, height - 1))
            let sum =
                UInt16(pixels[y * width + x]) + UInt16(pixels[y * width + right])
                + UInt16(pixels[below * width + x])
                + UInt16(pixels[below * width + right])
            return UInt8(sum / 4)
        }
    }

    /// The differences to the surroundings are four times as strong (unsharp mask): a photograph
    /// that is out of focus often becomes readable.
    var sharpened: GreyPicture {
        let blurred = blurredRows.transposed.blurredRows.transposed.pixels
        let pixels = zip(pixels, blurred).map { pixel, mean in
            UInt8(clamping: Int(pixel) + 3 * (Int(pixel) - Int(mean)))
        }
        return GreyPicture(width: width, height: height, pixels: pixels)
    }

    /// Each pixel is the mean of the pixels around it in its row.
    private var blurredRows: GreyPicture {
        let radius = 4
        var result: [UInt8] = []
        result.reserveCapacity(pixels.count)
        for start in stride(from: 0, to: pixels.count, by: width) {
            var (sum, count) = (0, 0)
            for column in 0..<min(radius, width) {
                (sum, count) = (sum + Int(pixels[start + column]), count + 1)
            }
            for column in 0..<width {
                if column + radius < width {
                    (sum, count) = (sum + Int(pixels[start + column + radius]), count + 1)
                }
                if column > radius {
                    (sum, count) = (sum - Int(pixels[start + column - radius - 1]), count - 1)
                }
                result.append(UInt8(sum / count))
            }
        }
        return GreyPicture(width: width, height: height, pixels: result)
    }

    private var transposed: GreyPicture {
        made(height, width) { column, row in pixels[column * width + row] }
    }

    private func made(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> UInt8) -> GreyPicture {
        let pixels = unsafe [UInt8](unsafeUninitializedCapacity: width * height) { buffer, count in
            var offset = 0
            for row in 0..<height {
                for column in 0..<width {
                    unsafe buffer[offset] = pixel(column, row)
                    offset += 1
                }
            }
            count = offset
        }
        return GreyPicture(width: width, height: height, pixels: pixels)
    }
}
