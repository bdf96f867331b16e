import ArgumentParser
import Shell

/// The socket of the agent, and the users who may connect.
struct SocketOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The socket (default: the one that systemd passed, or $XDG_RUNTIME_DIR/eosvault/agent.sock).",
            valueName: "path"), completion: .file())
    var socket: String?

    @Option(
        name: .customLong("allow-uid"),
        help: ArgumentHelp(
            """
            Also serve processes of the user with this id. The folder of the socket must then belong to root, unless \
            systemd made the socket.
            """,
            valueName: "uid"))
    var allowedUsers: [UserID] = []

    /// Makes the socket, before the sandbox begins.
    func open() throws(AgentSocketError) -> AgentSocket {
        let inherited = try AgentSocket(
            inherited: Environment["LISTEN_PID"], count: Environment["LISTEN_FDS"])
        if let inherited {
            guard socket == nil else { throw .inherited(.unexpected) }
            return inherited
        }
        let isShared = !allowedUsers.isEmpty
        guard let socket else {
            return try AgentSocket(
                at: SocketPlace(runtime: Environment["XDG_RUNTIME_DIR"], isShared: isShared))
        }
        return try AgentSocket(at: SocketPlace(socket, isShared: isShared))
    }

    /// The ids of the users other than the agent's who may connect.
    var allowed: Set<UInt32> { Set(allowedUsers.map(\.number)) }
}

/// The id of a user. The kernel shows 65534 for every user that a namespace does not map, so it
/// allows nobody.
struct UserID: ExpressibleByArgument {
    let number: UInt32

    init?(argument: String) {
        guard let number = UInt32(argument), number != 65534, number != .max else { return nil }
        self.number = number
    }
}
