import CAgent
import Files
import Glibc
import Hardening

/// The listening socket of the agent.
struct AgentSocket: Sendable {
    /// How many connections wait in the kernel until the agent accepts them.
    private static let backlog: Int32 = 256

    let descriptor: FileDescriptor
    /// Nil for a socket that systemd made, which stays when the agent ends.
    private let file: (path: String, folder: String, identity: FileStatus.Identity)?

    /// The file access that the socket needs after the sandbox began.
    var access: FileAccess {
        .descriptor(descriptor.number) + (file.map { .removing(in: $0.folder) } ?? .none)
    }

    /// The next connection, which does not wait.
    /// - Returns: nil if none is waiting.
    /// - Throws: `system`, such as EMFILE.
    func accept() throws(FileError) -> FileDescriptor? {
        let number = agent_accept(descriptor.number)
        guard number < 0 else { return FileDescriptor(number) }
        // ECONNABORTED: the client has gone already.
        guard ![EAGAIN, ECONNABORTED].contains(errno) else { return nil }
        throw .system(.open, errno: errno)
    }

    /// Removes the socket, unless another file has its name now. The socket is still open, so no
    /// other file has its inode.
    func remove() {
        guard let file, (try? FileStatus(of: file.path))?.identity == file.identity else { return }
        unsafe unlink(file.path)
    }

    // MARK: a socket of its own

    /// Makes the socket and listens. A socket that a crashed agent left is replaced.
    init(at place: SocketPlace) throws(AgentSocketError) {
        let lock = try Self.lock(place)
        // The lock ends with the folder's descriptor: two agents that start at once must not both
        // find and remove a socket without a listener.
        defer { withExtendedLifetime(lock) {} }
        try Self.removeStale(place)
        let socket: FileDescriptor
        do { socket = try UnixAddress.socket(SOCK_STREAM, waits: false) } catch {
            throw .system(place.path, errno: error.number)
        }
        do throws(AgentSocketError) {
            file = (place.path, place.folder, try Self.bind(socket, to: place))
        } catch {
            close(socket.number)
            throw error
        }
        descriptor = socket
    }

    private static func lock(_ place: SocketPlace) throws(AgentSocketError) -> OpenFile {
        let folder: OpenFile
        do { folder = try OpenFile(place.folder) } catch { throw .system(place.folder, errno: error.number) }
        let isLocked = folder.withDescriptor { flock($0.number, LOCK_EX | LOCK_NB) == 0 }
        guard isLocked else {
            throw errno == EWOULDBLOCK ? .running(place.path) : .system(place.folder, errno: errno)
        }
        return folder
    }

    /// Removes a socket that nobody listens at.
    private static func removeStale(_ place: SocketPlace) throws(AgentSocketError) {
        let status: FileStatus?
        do { status = try FileStatus.ifPresent(place.path) } catch {
            throw .system(place.path, errno: error.number)
        }
        guard let status else { return }
        guard status.isSocket else { throw .notASocket(place.path) }
        guard status.owner == geteuid() else { throw .foreignSocket(place.path, owner: status.owner) }
        guard try !isAnswered(place) else { throw .running(place.path) }
        guard unsafe unlink(place.path) == 0 else { throw .system(place.path, errno: errno) }
    }

    /// True if a process listens at the socket.
    private static func isAnswered(_ place: SocketPlace) throws(AgentSocketError) -> Bool {
        do {
            close(try place.address.connect(waits: false).number)
            return true
        } catch {
            // EAGAIN: too many connections wait for it already.
            guard error.number != EAGAIN else { return true }
            guard error.number == ECONNREFUSED else { throw .system(place.path, errno: error.number) }
            return false
        }
    }

    /// Binds and listens. The socket is removed again if it can't listen.
    private static func bind(_ socket: FileDescriptor, to place: SocketPlace) throws(AgentSocketError)
        -> FileStatus.Identity
    {
        // The group of a shared socket is the folder's, if the folder has the set-group-id bit.
        let mask = umask(place.isShared ? 0o117 : 0o177)
        let isBound = unsafe place.address.withPointer { unsafe Glibc.bind(socket.number, $0, $1) } == 0
        let number = errno
        umask(mask)
        guard isBound else { throw .system(place.path, errno: number) }
        guard listen(socket.number, backlog) == 0, let status = try? FileStatus(of: place.path) else {
            let number = errno
            unsafe unlink(place.path)
            throw .system(place.path, errno: number)
        }
        return status.identity
    }

    // MARK: a socket of systemd

    /// The socket that systemd passed to this process (sd_listen_fds(3)).
    /// - Parameters:
    ///   - process: the value of LISTEN_PID.
    ///   - count: the value of LISTEN_FDS.
    /// - Returns: nil if there is none, or if it is for another process.
    init?(inherited process: String?, count: String?, at first: FileDescriptor = FileDescriptor(3))
        throws(AgentSocketError)
    {
        guard let process, Int32(process) == getpid() else { return nil }
        guard count == "1" else { throw .inherited(.count) }
        guard Self.property(SO_DOMAIN, of: first) == AF_UNIX else { throw .inherited(.notUnix) }
        guard Self.property(SO_TYPE, of: first) == Int32(SOCK_STREAM.rawValue) else {
            throw .inherited(.notStream)
        }
        guard Self.property(SO_ACCEPTCONN, of: first) == 1 else { throw .inherited(.notListening) }
        guard fcntl(first.number, F_SETFD, FD_CLOEXEC) == 0,
            fcntl(first.number, F_SETFL, fcntl(first.number, F_GETFL) | O_NONBLOCK) == 0
        else { throw .system("descriptor 3", errno: errno) }
        (descriptor, file) = (first, nil)
    }

    /// - Returns: nil if the descriptor is no socket.
    private static func property(_ name: Int32, of socket: FileDescriptor) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return unsafe getsockopt(socket.number, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }
}
