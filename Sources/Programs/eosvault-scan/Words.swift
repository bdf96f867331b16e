import Files
import Glibc
import Hardening
import JSON
import Scanning
import Shell

/// The text of an error: what is wrong, and what to do next.
struct Words {
    /// A code is lower case with hyphens and never changes.
    enum Code: String, CaseIterable {
        case usage, secretArgument = "secret-argument"
        case unreadable, notFolder = "not-a-folder", noPictures = "no-pictures"
        case pictureFormat = "picture-format", pictureDamaged = "picture-damaged", pictureTooLarge = "picture-too-large"
        case decoder, camera
        case noCode = "no-code", incomplete, severalMessages = "several-messages", damagedMessage = "damaged-message"
        case unknownType = "unknown-message-type", privateKey = "private-key"
        case exists, unwritable, sandbox
    }

    let code: Code
    let message: String
    let hint: String

    init(_ code: Code, _ message: String, hint: String = "run `eosvault-scan --help`") {
        (self.code, self.message, self.hint) = (code, message, hint)
    }

    /// Prints the error.
    func report() {
        let json: JSONValue = ["code": .string(code.rawValue), "message": .string(message), "hint": .string(hint)]
        Messages.error(message, hint: hint, json: json)
    }

    private func at(_ place: String) -> Words {
        Words(code, "\(place == "-" ? "standard input" : Printable.line(place)): \(message)", hint: hint)
    }

    /// Nil for an error of the argument parser.
    init?(_ error: any Error) {
        switch error {
        case let error as ScanFailure: self.init(error)
        case let error as SandboxError:
            self.init(
                .sandbox, "the sandbox can't be started: \(error)",
                hint: "another program may limit this one; `eosvault doctor` tests the sandbox")
        default: return nil
        }
    }

    private init(_ error: ScanFailure) {
        switch error {
        case .secretArgument:
            self.init(
                .secretArgument, "an argument contains a private key",
                hint: "the shell keeps it in its history: delete it there; this program reads no keys")
        case .picture(let path, let cause): self = Self.words(cause).at(path)
        case .unreadable(let path, let number):
            self = Words(
                .unreadable, "can't be read: \(Self.text(number))",
                hint: number == EACCES
                    ? "check the permissions; name the target of a link that leads out of the folder"
                    : "check the name and the permissions"
            ).at(path)
        case .notFolder(let path):
            self = Words(.notFolder, "not a folder", hint: "--watch takes the folder that a camera program fills").at(
                path)
        case .noPictures(let path):
            self = Words(
                .noPictures, "the folder has no file whose name ends in .png, .jpg or .jpeg",
                hint: "check the folder, or add --watch to wait for pictures"
            ).at(path)
        case .device(let path, let error): self = Self.words(error).at(path)
        case .scan(let error): self = Self.words(error)
        case .unwritable(let path, let error):
            if case .exists = error {
                self = Words(.exists, "the file exists", hint: "give another name: no file is overwritten").at(path)
            } else {
                self = Words(
                    .unwritable, "can't be written: \(Self.text(error.number))",
                    hint: path == Delivery.standardOutput
                        ? "check the program that reads the output"
                        : "check the folder, its permissions and the free space"
                ).at(path)
            }
        }
    }

    private static func words(_ error: ScanFailure.Picture) -> Words {
        switch error {
        case .empty: Words(.pictureDamaged, "the file is empty", hint: "take the picture again")
        case .tooLong(let limit):
            Words(
                .pictureTooLarge, "the file has more than \(limit >> 20) MiB",
                hint: "save the picture with fewer pixels, or as JPEG")
        case .scan(let error): words(error)
        }
    }

    private static func words(_ error: ScanError) -> Words {
        switch error {
        case .picture(let error): words(error)
        case .decoderFailed(let signal):
            Words(
                .decoder,
                "the process that decodes the picture ended early\(signal == 0 ? "" : " (signal \(signal))")",
                hint: "the picture is damaged, needs too much memory or time, or attacks the decoder; take another one")
        case .tooMuchText(let limit):
            Words(
                .pictureTooLarge, "the codes of the picture have more than \(limit >> 20) MiB",
                hint: "give pictures with fewer codes")
        case .noDecoder(let number):
            Words(
                .decoder, "no process could be started to decode the picture: \(text(number))",
                hint: "close other programs: the machine has too little memory or too many processes")
        case .noCode:
            Words(
                .noCode, "no QR code was found",
                hint: "take the picture again: sharp, with the whole code and its white border, without reflections")
        case .incomplete(let missing, let total):
            Words(
                .incomplete, "at least \(missing) of \(total) codes are missing",
                hint: "give more pictures of the sequence together with these")
        case .severalMessages(let messages):
            Words(
                .severalMessages, "the pictures contain several messages: \(messages.joined(separator: "; "))",
                hint: "give only the pictures of one message")
        case .damagedMessage:
            Words(
                .damagedMessage, "the text of a code, or the checksum of the whole message, is wrong",
                hint: "make the codes again: the program that made them has a fault, or someone changed a code")
        case .unknownType(let name):
            Words(
                .unknownType, "the message has the unknown type \(Printable.line(name))",
                hint: "use a program that reads this type")
        case .malformed:
            Words(
                .damagedMessage, "the content of the message is not valid for its type",
                hint: "make the codes again with a current version of eosvault or the wallet")
        case .privateKey:
            Words(
                .privateKey, "the code contains a private key",
                hint: "this program does not print private keys; type the key at the prompt of `eosvault import`")
        case .noCamera:
            Words(
                .camera, "not a camera that delivers frames in a known format (MJPEG, YUYV, UYVY, NV12, YU12, GREY)",
                hint: "try another /dev/video device, or let a camera program fill a folder and use --watch")
        case .camera(let step, let number): words(step, number)
        }
    }

    private static func words(_ error: PictureError) -> Words {
        switch error {
        case .unknownFormat:
            Words(.pictureFormat, "neither a PNG nor a JPEG picture", hint: "convert the picture to PNG or JPEG")
        case .damaged(let format):
            Words(
                .pictureDamaged, "the \(format.name) picture is damaged or cut off",
                hint: "copy the file or take the picture again")
        case .printColours:
            Words(.pictureFormat, "a picture with the colours of print (CMYK)", hint: "save the picture as RGB or grey")
        case .tooManyPixels(let width, let height, let limit):
            Words(
                .pictureTooLarge, "\(width) x \(height) pixels, more than \(limit / 1_000_000) million",
                hint: "save the picture with fewer pixels")
        case .tooManyFrames(let limit):
            Words(
                .pictureTooLarge, "an animation with more than \(limit) frames",
                hint: "make the animation with fewer frames")
        case .animationTooLarge(let limit):
            Words(
                .pictureTooLarge, "the frames of the animation have more than \(limit / 1_000_000) million pixels",
                hint: "save the animation with fewer pixels or fewer frames")
        case .shortFrame(let bytes, let expected):
            Words(
                .camera, "a frame has \(bytes) bytes instead of \(expected)",
                hint: "try another camera, or let a camera program fill a folder and use --watch")
        }
    }

    private static func words(_ step: ScanError.CameraStep, _ number: Int32) -> Words {
        let what =
            switch step {
            case .open: "the device can't be opened"
            case .query: "the properties of the device can't be read"
            case .format: "the camera accepts no format"
            case .buffers: "the camera provides no buffers for frames"
            case .start: "the camera does not start"
            case .frame: "the camera delivers no frame"
            }
        return Words(
            .camera, "\(what): \(text(number))",
            hint: number == EACCES || number == EPERM
                ? "add your user to the group `video`"
                : "check that the camera is connected and no other program uses it")
    }

    private static func text(_ number: Int32) -> String { unsafe String(cString: strerror(number)) }
}
