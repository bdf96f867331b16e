/// Why a picture can't be read.
package enum PictureError: Error, Equatable {
    /// The first bytes belong neither to PNG nor to JPEG.
    case unknownFormat
    case damaged(PictureFormat)
    /// The colours of print (CMYK), which a JPEG picture for a screen does not have.
    case printColours
    /// The picture states this size, in pixels.
    case tooManyPixels(width: Int, height: Int, limit: Int)
    /// An animation with more frames.
    case tooManyFrames(limit: Int)
    /// The frames of an animation have more pixels in total.
    case animationTooLarge(limit: Int)
    /// A frame of a camera is shorter than its size requires.
    case shortFrame(bytes: Int, expected: Int)
}
