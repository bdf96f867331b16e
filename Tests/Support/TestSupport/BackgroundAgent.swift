import CChild
import Glibc

/// An agent that runs while a test sends it commands. It ends with this object at the latest.
public final class BackgroundAgent {
    private enum Failure: Error {
        case noSocket(String)
        case runs(String)
    }

    /// How long a start or an end may take on a loaded machine, in tenths of a second.
    private static let patience = 300

    private let process: pid_t
    private let log: Int32
    private var isOver = false

    /// Starts the agent, and waits until it has its socket.
    /// - Parameter arguments: of `serve`.
    public init(
        _ program: String, _ arguments: [String], _ environment: [String: String], in folder: String
    ) throws {
        let runtime = environment["XDG_RUNTIME_DIR"] ?? folder
        _ = mkdir(runtime, 0o700)
        let input = open("/dev/null", O_RDONLY | O_CLOEXEC)
        let log = child_temporary_file()
        self.log = log
        defer { close(input) }
        process = withCStrings([program, "serve"] + arguments) { arguments in
            withCStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
                child_start(program, arguments, environment, folder, input, log, log, nil, nil, 0)
            }
        }
        guard process > 0 else { throw FileFailure(path: program, errno: errno) }
        let socket = runtime + "/eosvault/agent.sock"
        for _ in 0..<Self.patience where !Self.isSocket(socket) {
            guard waitpid(process, nil, WNOHANG) == 0 else {
                isOver = true
                throw Failure.noSocket(String(decoding: output(), as: UTF8.self))
            }
            usleep(100_000)
        }
    }

    deinit {
        if !isOver {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        close(log)
    }

    private static func isSocket(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    /// Waits until the agent ends.
    /// - Returns: its exit status, or 128 and the number of a signal.
    public func end() throws -> Int32 {
        var status: Int32 = 0
        for _ in 0..<Self.patience {
            if waitpid(process, &status, WNOHANG) == process {
                isOver = true
                return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + (status & 0x7f)
            }
            usleep(100_000)
        }
        throw Failure.runs(String(decoding: output(), as: UTF8.self))
    }

    /// What the agent printed.
    public func output() -> [UInt8] { Files.contents(of: log) }
}
