import Files
import Glibc
import Scanning
import Shell

/// Why the program ends without a message.
enum ScanFailure: Error {
    enum Picture: Error {
        case empty
        /// In bytes.
        case tooLong(limit: Int)
        case scan(ScanError)
    }

    case secretArgument
    /// A picture, by its path.
    case picture(String, Picture)
    case unreadable(String, errno: Int32)
    case notFolder(String)
    /// A folder without names of pictures.
    case noPictures(String)
    case device(String, ScanError)
    case scan(ScanError)
    case unwritable(String, FileError)
}

extension ScanFailure: WordedError {
    var words: Words {
        switch self {
        case .secretArgument:
            Words(
                .secretArgument, "an argument contains a private key",
                hint: "the shell keeps it in its history: delete it there; this program reads no keys")
        case .picture(let path, let cause): cause.words.at(Self.name(path))
        case .unreadable(let path, let number):
            Words(
                .inputOutput, "can't be read: \(systemMessage(number))",
                hint: number == EACCES
                    ? "check the permissions; name the target of a link that leads out of the folder"
                    : "check the name and the permissions"
            ).at(Self.name(path))
        case .notFolder(let path):
            Words(.wrongFile, "not a folder", hint: "--watch takes the folder that a camera program fills")
                .at(Self.name(path))
        case .noPictures(let path):
            Words(
                .noSuchFile, "the folder has no file whose name ends in .png, .jpg or .jpeg",
                hint: "check the folder, or add --watch to wait for pictures"
            ).at(Self.name(path))
        case .device(let path, let error): error.words.at(Self.name(path))
        case .scan(let error): error.words
        case .unwritable(let path, .exists):
            Words(.exists, "the file exists", hint: "give another name: no file is overwritten").at(
                Self.name(path))
        case .unwritable(let path, let error):
            Words(
                .inputOutput, "can't be written: \(systemMessage(error.number))",
                hint: path == Delivery.standardOutput
                    ? "check the program that reads the output"
                    : "check the folder, its permissions and the free space"
            ).at(Self.name(path))
        }
    }

    private static func name(_ path: String) -> String {
        path == "-" ? "standard input" : Printable.line(path)
    }
}

extension ScanFailure.Picture {
    fileprivate var words: Words {
        switch self {
        case .empty: Words(.empty, "the file is empty", hint: "take the picture again")
        case .tooLong(let limit):
            Words(
                .tooLarge, "the file has more than \(limit >> 20) MiB",
                hint: "save the picture with fewer pixels, or as JPEG")
        case .scan(let error): error.words
        }
    }
}
