/// A frame of a camera, or a recorded one.
package struct CapturedFrame: Equatable, Sendable {
    package let bytes: [UInt8]
    package let format: PictureFormat

    package init(bytes: [UInt8], format: PictureFormat) { (self.bytes, self.format) = (bytes, format) }
}

/// Delivers frames one after the other.
package protocol FrameSource: ~Copyable {
    /// The next frame; nil after the last one. A camera has no last frame.
    mutating func next() throws(ScanError) -> CapturedFrame?
}
