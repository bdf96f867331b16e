import Files
import Scanning

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
