import AirGap

/// The form of a picture's bytes.
package enum PictureFormat: Equatable, Sendable {
    case png, jpeg
    /// Pixels without compression, as cameras deliver them.
    case raw(RawFrame)

    /// Recognises a file by its first bytes.
    package init(of bytes: [UInt8]) throws(PictureError) {
        if bytes.starts(with: PNGFile.signature) {
            self = .png
        } else if bytes.starts(with: [0xff, 0xd8, 0xff]) {
            self = .jpeg
        } else {
            throw .unknownFormat
        }
    }

    package var name: String {
        switch self {
        case .png: "PNG"
        case .jpeg: "JPEG"
        case .raw: "video"
        }
    }
}
