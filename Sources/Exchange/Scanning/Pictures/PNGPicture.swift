import CPictures

/// Reads PNG pictures with libpng's simplified interface, which reports errors as results.
enum PNGPicture {
    /// The most pixels of all frames: more than the animation of a message of the greatest length.
    static let maximumAnimationPixels = 600_000_000

    /// Reads the picture and the further frames of an animation.
    static func read(_ bytes: [UInt8], _ body: (GreyPicture) -> Void) throws(PictureError) {
        guard PNGChunks.pixelsOfFrames(in: bytes) <= maximumAnimationPixels else {
            throw .animationTooLarge(limit: maximumAnimationPixels)
        }
        try PNGChunks.frames(of: bytes) { file throws(PictureError) in body(try read(file)) }
    }

    private static func read(_ bytes: [UInt8]) throws(PictureError) -> GreyPicture {
        var image = unsafe png_image()
        unsafe image.version = png_uint_32(PNG_IMAGE_VERSION)
        defer { unsafe png_image_free(&image) }
        return try unsafe bytes.withUnsafeBufferPointer { bytes throws(PictureError) in
            guard unsafe png_image_begin_read_from_memory(&image, bytes.baseAddress, bytes.count) != 0 else {
                throw .damaged(.png)
            }
            let (width, height) = unsafe (Int(image.width), Int(image.height))
            let count = try GreyPicture.expect(width: width, height: height)
            unsafe image.format = png_uint_32(PNG_FORMAT_GRAY)
            var pixels = [UInt8](repeating: 0, count: count)
            // Transparent pixels become white.
            var white = png_color(red: 255, green: 255, blue: 255)
            let isRead = unsafe pixels.withUnsafeMutableBytes { pixels in
                unsafe png_image_finish_read(&image, &white, pixels.baseAddress, 0, nil) != 0
            }
            guard isRead else { throw .damaged(.png) }
            return GreyPicture(width: width, height: height, pixels: pixels)
        }
    }
}
