import AirGap

/// Why a scan gives no message.
package enum ScanError: Error, Equatable {
    /// The step that a camera refused.
    package enum CameraStep: Equatable, Sendable {
        case open, query, format, buffers, start, frame
    }

    case picture(PictureError)
    /// The process that decodes a picture ended early: it exceeded its memory or its time, or the
    /// picture made it fail. `signal` is the number of its signal, or 0 for none.
    case decoderFailed(signal: Int32)
    /// The codes of one picture have more bytes.
    case tooMuchText(limit: Int)
    /// No process for a picture, or no pipe to it, could be made.
    case noDecoder(errno: Int32)
    case noCode
    /// At least this many codes of the message that is most complete are missing.
    case incomplete(missing: Int, total: Int)
    /// The codes contain these messages.
    case severalMessages([String])
    /// A code is damaged, or all codes of a message are known and their checksum is wrong.
    case damagedMessage
    /// The type of the message is unknown.
    case unknownType(String)
    /// The data of the message does not have the form of its type.
    case malformed
    case file(FileRefusal)
    case privateKey
    case camera(CameraStep, errno: Int32)
    /// The device delivers no frames, or none in a known format.
    case noCamera
}
