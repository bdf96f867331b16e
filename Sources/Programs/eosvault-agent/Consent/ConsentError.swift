import Glibc
import Messages

/// Why no program can be asked.
enum ConsentError: Error, Equatable {
    enum PathFault: Equatable {
        case notAbsolute, notAFile
        /// - Parameter to: the path without links; nil if it is not UTF-8.
        case linked(to: String?)
        /// Another user owns the program or a folder above it.
        case owned(String, by: UInt32)
        /// Other users can write the program or a folder above it.
        case writable(String, mode: UInt32)
        case system(errno: Int32)
    }

    case program(String, PathFault)
    /// The process that starts programs could not be made.
    case noStarter(errno: Int32)
}

extension ConsentError: WordedError {
    var words: Words {
        switch self {
        case .program(let path, let fault): fault.words.at(Printable.excerpt(path))
        case .noStarter(let number):
            Words(
                .notEnoughMemory, "no process can be started: \(systemMessage(number))",
                hint: "end other processes, or raise the limit of processes of this user")
        }
    }
}

extension ConsentError.PathFault {
    fileprivate var words: Words {
        let advice =
            "let root or your user own the program and each folder above it, writable for nobody else"
        return switch self {
        case .notAbsolute:
            Words(
                .invalidPath, "no absolute path of a program",
                hint: "give --confirm terminal, policy, or a path that begins with a slash")
        case .notAFile: Words(.notAFile, "not a file", hint: "give the path of a program")
        case .linked(let target):
            Words(
                .notAFile, "the path contains a link, a doubled slash or a dot",
                hint: target.map { "give \(Printable.excerpt($0))" } ?? "give the path without links")
        case .owned(let place, let owner):
            Words(.permissions, "user id \(owner) owns \(Printable.excerpt(place))", hint: advice)
        case .writable(let place, let mode):
            Words(
                .permissions,
                "other users can write \(Printable.excerpt(place)) (mode \(String(mode, radix: 8)))",
                hint: advice)
        case .system(ENOENT): Words(.noSuchFile, "no such file", hint: "check the path")
        case .system(let number):
            Words(
                .inputOutput, "can't be executed: \(systemMessage(number))",
                hint: "check the permissions of the program and of its folders")
        }
    }
}
