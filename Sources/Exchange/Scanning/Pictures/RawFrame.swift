/// The layout of a camera's frame without compression.
package struct RawFrame: Equatable, Sendable {
    package enum Layout: Equatable, Sendable {
        /// One byte of brightness per pixel: GREY, and the first plane of NV12, YU12 and others.
        case brightnessPlane
        /// Alternating bytes of brightness and colour: YUYV.
        case brightnessFirst
        /// Alternating bytes of colour and brightness: UYVY.
        case colourFirst
    }

    package let layout: Layout
    package let width: Int
    package let height: Int
    /// The bytes from the start of a row to the start of the next one.
    package let stride: Int

    package init(_ layout: Layout, width: Int, height: Int, stride: Int) {
        (self.layout, self.width, self.height, self.stride) = (layout, width, height, stride)
    }

    /// The brightness of each pixel.
    /// - Throws: `tooManyPixels`, `shortFrame`.
    func picture(_ bytes: [UInt8]) throws(PictureError) -> GreyPicture {
        let count = try GreyPicture.expect(width: width, height: height)
        let step = layout == .brightnessPlane ? 1 : 2
        let first = layout == .colourFirst ? 1 : 0
        let (rows, overflows) = max(stride, 0).multipliedReportingOverflow(by: height - 1)
        let expected = overflows ? Int.max : rows + width * step
        guard stride >= width * step, bytes.count >= expected else {
            throw .shortFrame(bytes: bytes.count, expected: max(expected, width * step * height))
        }
        var pixels: [UInt8] = []
        pixels.reserveCapacity(count)
        for row in 0..<height {
            for column in 0..<width { pixels.append(bytes[row * stride + column * step + first]) }
        }
        return GreyPicture(width: width, height: height, pixels: pixels)
    }
}
