import ArgumentParser
import Files
import Glibc
import Hardening
import Shell

/// The socket of the agent that a client command uses.
struct ClientSocketOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The socket of the agent (default: $XDG_RUNTIME_DIR/eosvault/agent.sock).", valueName: "path"),
        completion: .file())
    var socket: String?

    func path() throws(AgentSocketError) -> String {
        if let socket { return FilePath.absolute(socket) }
        return try SocketPlace.defaultPath(runtime: Environment["XDG_RUNTIME_DIR"])
    }
}

/// A command that talks to the agent. It connects before its sandbox begins, which then allows no
/// other connection, and no vault.
protocol ClientCommand: ConfinedCommand {
    var agent: ClientSocketOption { get }
    /// The number of connections; more only for many requests at once.
    var connectionCount: Int { get }
    /// True if the command sends a secret, which only the user's own agent may get.
    var sendsSecret: Bool { get }
}

extension ClientCommand {
    var connectionCount: Int { 1 }
    var sendsSecret: Bool { false }

    func confine() throws {
        let path = try agent.path()
        let (count, sendsSecret) = (connectionCount, sendsSecret)
        var further: [FileDescriptor] = []
        let sockets = try sandbox.begin(requiredAccess + .socket(path), .agentClient) {
            path throws(FileError) in
            let first = try Self.connect(path, sendsSecret: sendsSecret)
            for _ in 1..<count {
                guard let next = try? Self.connect(path, sendsSecret: sendsSecret) else { break }
                further.append(next)
            }
            return first
        }
        unsafe Connections.opened = Connections(
            path: path, first: Result { () throws(FileError) in try sockets.connection(to: path) },
            further: further)
    }

    private static func connect(_ path: String, sendsSecret: Bool) throws(FileError) -> FileDescriptor {
        guard let address = UnixAddress(path: path) else { throw .system(.open, errno: ENAMETOOLONG) }
        let socket = try address.connect()
        guard !sendsSecret || isOwn(socket) else {
            close(socket.number)
            throw .system(.open, errno: EPERM)
        }
        return socket
    }

    /// True if a process of the same user listens, or of root: systemd listens first at the socket
    /// of a system unit. Root may give a secret to any user.
    private static func isOwn(_ socket: FileDescriptor) -> Bool {
        geteuid() == 0 || (try? Peer(of: socket))?.isAllowed(by: [0]) == true
    }

    /// The connection to the agent.
    func connection() throws(ClientError) -> AgentConnection { try connections()[0] }

    /// The connections to the agent, at least one.
    func connections() throws(ClientError) -> [AgentConnection] {
        guard let opened = unsafe Connections.opened else { throw .closed }
        do {
            return try ([opened.first.get()] + opened.further).map { AgentConnection($0) }
        } catch { throw .notConnected(opened.path, errno: error.number) }
    }

    /// The path of the socket, for people.
    var socketPath: String { unsafe Connections.opened?.path ?? "" }
}

/// What was connected before the sandbox began.
private struct Connections {
    /// Set once, before any other thread exists.
    nonisolated(unsafe) static var opened: Connections?

    let path: String
    let first: Result<FileDescriptor, FileError>
    let further: [FileDescriptor]
}
