import Glibc
import Messages

/// Why the agent has no socket.
enum AgentSocketError: Error, Equatable {
    enum FolderFault: Equatable {
        case notAFolder
        case notOwned(owner: UInt32)
        /// Other users may connect, and the folder is not of the administrator.
        case notOfRoot(owner: UInt32)
        case writable(mode: UInt32)
    }

    /// The fault of a socket that systemd passed.
    enum Inherited: Equatable {
        case count, notUnix, notStream, notListening
        /// `--socket` names another one.
        case unexpected
    }

    case noRuntimeFolder
    case invalidPath(String)
    case pathTooLong(String)
    case folder(String, FolderFault)
    case notASocket(String)
    case foreignSocket(String, owner: UInt32)
    case running(String)
    case inherited(Inherited)
    /// An operation on the socket or its folder failed.
    case system(String, errno: Int32)
}

extension AgentSocketError: WordedError {
    var words: Words {
        switch self {
        case .noRuntimeFolder:
            Words(
                .noHome, "XDG_RUNTIME_DIR is not set, or is not an absolute path",
                hint: "log in with a session of your own, or name the socket with --socket")
        case .invalidPath(let path):
            Words(
                .invalidPath, "no name for a socket",
                hint: "give the path of a socket, such as /run/eosvault/agent.sock"
            )
            .at(Printable.excerpt(path))
        case .pathTooLong(let path):
            Words(
                .invalidPath,
                "the path has \(path.utf8.count) bytes; the path of a socket can have \(UnixAddress.maximumLength)",
                hint: "name a socket in another folder with --socket"
            ).at(Printable.excerpt(path))
        case .folder(let path, let fault): fault.words.at(Printable.line(path))
        case .notASocket(let path):
            Words(
                .exists, "a file that is no socket has this name",
                hint: "move the file, or name another socket with --socket"
            )
            .at(Printable.line(path))
        case .foreignSocket(let path, let owner):
            Words(
                .permissions, "user id \(owner) owns this socket",
                hint: "name another socket with --socket, or ask the administrator to remove this one"
            ).at(Printable.line(path))
        case .running(let path):
            Words(
                .busy, "another agent is running",
                hint: "use it, or stop it with `eosvault-agent stop`"
            ).at(Printable.line(path))
        case .inherited(let fault): fault.words
        case .system(let path, let number):
            Words(
                number == ENOENT ? .noSuchFile : .inputOutput,
                "no socket can be made here: \(systemMessage(number))",
                hint: "check the folder and its permissions, or name another socket with --socket"
            ).at(Printable.line(path))
        }
    }
}

extension AgentSocketError.FolderFault {
    fileprivate var words: Words {
        switch self {
        case .notAFolder:
            Words(
                .notAFile, "a link or a file, where the folder of the socket is expected",
                hint: "remove it, or name another socket with --socket")
        case .notOwned(let owner):
            Words(
                .permissions, "user id \(owner) owns the folder and can replace the socket",
                hint: "name a socket in a folder of your own with --socket")
        case .notOfRoot(let owner):
            Words(
                .permissions,
                "user id \(owner) owns the folder, but with --allow-uid the administrator must own it",
                hint: "let the administrator make the folder, or let systemd make the socket")
        case .writable(let mode):
            Words(
                .permissions,
                "other users can replace the socket (mode \(String(mode, radix: 8)) of the folder)",
                hint: "name a socket in a folder that only you can write to")
        }
    }
}

extension AgentSocketError.Inherited {
    fileprivate var words: Words {
        let unit = "the unit needs one line ListenStream= with an absolute path, and no other socket"
        return switch self {
        case .count: Words(.wrongFile, "systemd did not pass exactly one socket", hint: unit)
        case .notUnix: Words(.wrongFile, "descriptor 3 of systemd is no Unix socket", hint: unit)
        case .notStream: Words(.wrongFile, "the socket of systemd is no stream socket", hint: unit)
        case .notListening:
            Words(.wrongFile, "the socket of systemd does not listen", hint: "the unit needs Accept=no")
        case .unexpected:
            Words(.usage, "systemd passed a socket, and --socket names another one", hint: "remove --socket")
        }
    }
}
