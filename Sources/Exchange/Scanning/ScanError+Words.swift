import AirGap
import Glibc
import Messages

extension ScanError: WordedError {
    package var words: Words {
        switch self {
        case .picture(let error): error.words
        case .decoderFailed(let signal):
            Words(
                .decoder,
                "the process that decodes the picture ended early\(signal == 0 ? "" : " (signal \(signal))")",
                hint:
                    "the picture is damaged, needs too much memory or time, or attacks the decoder; take another one"
            )
        case .tooMuchText(let limit):
            Words(
                .tooLarge, "the codes of the picture have more than \(limit >> 20) MiB",
                hint: "give pictures with fewer codes")
        case .noDecoder(let number):
            Words(
                .decoder, "no process could be started to decode the picture: \(systemMessage(number))",
                hint: "close other programs: the machine has too little memory or too many processes")
        case .noCode: Words(.noCode)
        case .incomplete(let missing, let total):
            Words(
                .codesMissing, "at least \(missing) of \(total) codes are missing",
                hint: "give more pictures of the sequence together with these")
        case .severalMessages(let messages):
            Words(
                .severalMessages,
                "the pictures contain several messages: \(messages.joined(separator: "; "))",
                hint: "give only the pictures of one message")
        case .damagedMessage:
            Words(
                .invalidCode, "the text of a code, or the checksum of the whole message, is wrong",
                hint:
                    "make the codes again: the program that made them has a fault, or someone changed a code")
        case .unknownType(let name):
            Words(
                .newerVersion, "the message has the unknown type \(Printable.line(name))",
                hint: "use a program that reads this type")
        case .malformed:
            Words(
                .invalidCode, "the content of the message is not valid for its type",
                hint: "make the codes again with a current version of eosvault or the wallet")
        case .file(let refusal): refusal.words
        case .privateKey:
            Words(
                .privateKeyGiven, "the code contains a private key",
                hint: "no private key is printed; type it at the prompt of `eosvault import`")
        case .noCamera:
            Words(
                .camera,
                "not a camera that delivers frames in a known format (MJPEG, YUYV, UYVY, NV12, YU12, GREY)",
                hint: "try another /dev/video device, or let a camera program fill a folder and use --watch")
        case .camera(let step, let number):
            Words(
                .camera, "\(step.text): \(systemMessage(number))",
                hint: number == EACCES || number == EPERM
                    ? "add your user to the group `video`"
                    : "check that the camera is connected and no other program uses it")
        }
    }
}

extension PictureError: WordedError {
    package var words: Words {
        switch self {
        case .unknownFormat:
            Words(.picture, "neither a PNG nor a JPEG picture", hint: "convert the picture to PNG or JPEG")
        case .damaged(let format):
            Words(
                .picture, "the \(format.name) picture is damaged or cut off",
                hint: "copy the file or take the picture again")
        case .printColours:
            Words(
                .picture, "a picture with the colours of print (CMYK)",
                hint: "save the picture as RGB or grey")
        case .tooManyPixels(let width, let height, let limit):
            Words(
                .tooLarge, "\(width) x \(height) pixels, more than \(limit / 1_000_000) million",
                hint: "save the picture with fewer pixels")
        case .tooManyFrames(let limit):
            Words(
                .tooLarge, "an animation with more than \(limit) frames",
                hint: "make the animation with fewer frames")
        case .animationTooLarge(let limit):
            Words(
                .tooLarge, "the frames of the animation have more than \(limit / 1_000_000) million pixels",
                hint: "save the animation with fewer pixels or fewer frames")
        case .shortFrame(let bytes, let expected):
            Words(
                .camera, "a frame has \(bytes) bytes instead of \(expected)",
                hint: "try another camera, or let a camera program fill a folder and use --watch")
        }
    }
}

extension ScanError.CameraStep {
    fileprivate var text: String {
        switch self {
        case .open: "the device can't be opened"
        case .query: "the properties of the device can't be read"
        case .format: "the camera accepts no format"
        case .buffers: "the camera provides no buffers for frames"
        case .start: "the camera does not start"
        case .frame: "the camera delivers no frame"
        }
    }
}
