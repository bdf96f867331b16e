import COperations
import Files
import Glibc
import Hardening

/// `SandboxProbe STEP… OPERATION`, in a folder that operations.h describes: takes the sandbox
/// steps, then runs the operation. The exit status is its errno, 0 when it succeeded, and 200 when
/// the sandbox could not be started.
///
/// - `begin`: confines like a command that reads `input`, changes files in `inside`, creates a file
///   in `out`, and uses the terminal, the device /dev/null, the socket `socket`, and a descriptor
/// - `begin:N:S`: confines as on a kernel with version N of Landlock (0: none), and with seccomp if
///   S is 1
/// - `agent`: confines like an agent that changes files in `inside` and removes them in `run`, with
///   the descriptors of operations.h
/// - `client`: confines like a client of an agent that reads `input` and uses the terminal and
///   the socket `socket`
/// - `narrow`: narrows to `inside`
/// - `keep:FOLDER`: confines to this folder and creates it
@main
enum SandboxProbe {
    static let access: FileAccess = {
        let parts: [FileAccess] = [
            .reading("input"), .changing(in: "inside"), .making(in: "out"), .terminal, .reading("missing"),
            .readingBeneath("nowhere"), .device("/dev/null"), .device("secret"), .socket("socket"),
            .socket("missing"),
            .descriptor(Int32(OPERATION_LISTENER)), .descriptor(Int32(OPERATION_NAMED)),
        ]
        return parts.reduce(.none, +)
    }()

    static let agentAccess: FileAccess = {
        let descriptors = [
            OPERATION_LISTENER, OPERATION_CLIENT, OPERATION_PAIR, OPERATION_OTHER_END, OPERATION_TIMER,
            OPERATION_EVENT, OPERATION_WATCH, OPERATION_DATAGRAM,
        ].map { FileAccess.descriptor(Int32($0)) }
        let files: [FileAccess] = [
            .changing(in: "inside"), .removing(in: "run"), .random, .readingBeneath("/proc"), .terminal,
        ]
        return (descriptors + files).reduce(.none, +)
    }()

    static func main() {
        guard operation_prepare() == 0 else { exit(202) }
        // The limit ends an operation that never returns, and its test fails.
        alarm(600)
        var support = SandboxSupport.ofThisKernel()
        do {
            for step in CommandLine.arguments.dropFirst().dropLast() { try take(step, &support) }
        } catch {
            exit(200)
        }
        exit(operation_run(CommandLine.arguments.last ?? ""))
    }

    private static func connect(_ path: String) throws(FileError) -> FileDescriptor {
        let socket = FileDescriptor(operation_connect(path))
        guard socket.number >= 0 else { throw .system(.open, errno: errno) }
        return socket
    }

    private static func take(_ step: String, _ support: inout SandboxSupport) throws {
        let words = step.split(separator: ":")
        switch words[0] {
        case "begin" where words.count == 3:
            let version = Int(words[1]) ?? 0
            support = SandboxSupport(
                landlockVersion: version > 0 ? version : nil, hasSeccomp: words[2] == "1")
            try Confinement.begin(access, support: support, connecting: connect)
        case "begin":
            let sockets = try Confinement.begin(access, connecting: connect)
            operation_use_connection(try sockets.connection(to: "socket").number)
            let others = ["missing", "other"].compactMap { try? sockets.connection(to: $0) }
            guard others.isEmpty else { exit(203) }
        case "agent": try Confinement.begin(agentAccess, .agent)
        case "client":
            let access: FileAccess =
                .reading("input") + .terminal + .socket("socket") + .descriptor(Int32(OPERATION_LISTENER))
            let sockets = try Confinement.begin(access, .agentClient, connecting: connect)
            operation_use_connection(try sockets.connection(to: "socket").number)
        case "narrow": try Confinement.narrow(to: .changing(in: "inside"), support: support)
        case "keep": try Confinement.begin(.keeping(in: String(words[1])))
        default: exit(201)
        }
    }
}
