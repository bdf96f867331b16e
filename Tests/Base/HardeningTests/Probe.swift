import CChild
import Glibc
import TestSupport

/// Runs `SandboxProbe` in its own folder.
struct Probe {
    enum End: Equatable, CustomStringConvertible {
        /// errno of the operation; 0 when it succeeded.
        case errno(Int32)
        case signal(Int32)

        var description: String {
            switch self {
            case .errno(0): "done"
            case .errno(let number): "errno \(number), \(String(cString: strerror(number)))"
            case .signal(let number): "signal \(number)"
            }
        }
    }

    struct Failure: Error {
        let what: String
        let errno: Int32
    }

    private static let path = BuiltProgram.debugFolder + "/SandboxProbe"

    /// - Parameter check: examines the folder afterwards.
    static func run(_ steps: [String], _ operation: String, check: (String) -> Void = { _ in }) throws -> End
    {
        let temporary = try TemporaryFolder()
        let folder = temporary.path
        try furnish(folder)
        let streams = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(streams) }
        var terminal: [Int32] = [-1, -1]
        let process = withCStrings([path] + steps + [operation]) { arguments in
            withCStrings(["PATH=/usr/bin:/bin"]) {
                child_start(path, arguments, $0, folder, streams, streams, streams, &terminal, nil, 0)
            }
        }
        defer { terminal.forEach { _ = close($0) } }
        guard process > 0 else { throw Failure(what: "start", errno: errno) }
        var status: Int32 = 0
        guard waitpid(process, &status, 0) == process else { throw Failure(what: "wait", errno: errno) }
        check(folder)
        let signal = status & 0x7f
        return signal == 0 ? .errno((status >> 8) & 0xff) : .signal(signal)
    }

    /// Creates the files that operations.h lists.
    private static func furnish(_ folder: String) throws {
        for name in ["inside", "outside", "out", "run"] {
            guard mkdir(folder + "/" + name, 0o700) == 0 else { throw Failure(what: name, errno: errno) }
        }
        for name in ["secret", "input", "inside/file", "run/agent"] {
            let file = open(folder + "/" + name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard file >= 0, write(file, "x", 1) == 1 else { throw Failure(what: name, errno: errno) }
            close(file)
        }
        guard symlink("../secret", folder + "/inside/escape") == 0 else {
            throw Failure(what: "escape", errno: errno)
        }
    }
}
