import Files
import Glibc

/// The address of a Unix socket.
struct UnixAddress: Sendable {
    /// The most bytes of a path. `sun_path` has one more, for the zero byte at the end.
    static let maximumLength = 107

    private var name: [UInt8]

    /// - Returns: nil for a path that is empty, too long, or has a zero byte.
    init?(path: String) {
        guard (1...Self.maximumLength).contains(path.utf8.count), !path.utf8.contains(0) else { return nil }
        name = Array(path.utf8)
    }

    /// The address in `NOTIFY_SOCKET`: an absolute path, or `@` and an abstract name.
    init?(notifying value: String) {
        guard value.hasPrefix("@") || value.hasPrefix("/") else { return nil }
        self.init(path: value)
        // An abstract name begins with a zero byte.
        if name.first == UInt8(ascii: "@") { name[0] = 0 }
    }

    /// Passes the address to a call such as bind(2).
    func withPointer(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        // The length of an abstract name is part of it. A path ends at its zero byte.
        let length = MemoryLayout<sa_family_t>.size + name.count + (name.first == 0 ? 0 : 1)
        return unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe call($0, socklen_t(length))
            }
        }
    }

    /// A new socket, which no other program inherits.
    /// - Throws: `system`.
    static func socket(_ type: __socket_type, waits: Bool) throws(FileError) -> FileDescriptor {
        let flags = SOCK_CLOEXEC.rawValue | (waits ? 0 : SOCK_NONBLOCK.rawValue)
        let number = Glibc.socket(AF_UNIX, Int32(type.rawValue | flags), 0)
        guard number >= 0 else { throw .system(.open, errno: errno) }
        return FileDescriptor(number)
    }

    /// Connects a new socket to this address.
    /// - Parameter waits: true to wait while the listening process has no room for a connection,
    ///   and for calls that use the socket to wait.
    /// - Throws: `system`.
    func connect(_ type: __socket_type = SOCK_STREAM, waits: Bool = true) throws(FileError) -> FileDescriptor
    {
        let socket = try Self.socket(type, waits: waits)
        guard unsafe withPointer({ unsafe Glibc.connect(socket.number, $0, $1) }) == 0 else {
            let number = errno
            close(socket.number)
            throw .system(.open, errno: number)
        }
        return socket
    }
}
