import Files
import Glibc

/// The path of the agent's socket, in a folder where no other user can replace it.
struct SocketPlace {
    let path: String
    let folder: String
    let address: UnixAddress
    /// True if other users may connect.
    let isShared: Bool

    /// The path that clients use if they are given none: `eosvault/agent.sock` in the folder of the
    /// user's running programs (XDG Base Directory).
    /// - Parameter runtime: the value of XDG_RUNTIME_DIR.
    static func defaultPath(runtime: String?) throws(AgentSocketError) -> String {
        guard let runtime, runtime.hasPrefix("/") else { throw .noRuntimeFolder }
        return runtime + "/eosvault/agent.sock"
    }

    /// The default place. Its folder is created with mode 0700.
    /// - Parameter isShared: true if users other than this one may connect.
    init(runtime: String?, isShared: Bool) throws(AgentSocketError) {
        let path = try Self.defaultPath(runtime: runtime)
        // The path is refused before a folder is created.
        guard UnixAddress(path: path) != nil else { throw .pathTooLong(path) }
        let folder = String(path.dropLast("/agent.sock".utf8.count))
        try Self.verify(String(folder.dropLast("/eosvault".utf8.count)), isShared: isShared)
        guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw .system(folder, errno: errno)
        }
        // This also refuses a symbolic link.
        try self.init(folder: folder, name: "agent.sock", isShared: isShared)
    }

    /// - Parameter isShared: true if users other than this one may connect.
    init(_ path: String, isShared: Bool) throws(AgentSocketError) {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
        guard !["", ".", ".."].contains(name), !path.utf8.contains(0) else { throw .invalidPath(path) }
        let folder: String?
        do { folder = try FilePath.resolved(FilePath.folder(of: path)) } catch {
            throw .system(FilePath.folder(of: path), errno: error.number)
        }
        guard let folder else { throw .invalidPath(path) }
        try self.init(folder: folder, name: name, isShared: isShared)
    }

    private init(folder: String, name: String, isShared: Bool) throws(AgentSocketError) {
        let path = folder + (folder.hasSuffix("/") ? "" : "/") + name
        guard let address = UnixAddress(path: path) else { throw .pathTooLong(path) }
        try Self.verify(folder, isShared: isShared)
        (self.path, self.folder, self.address, self.isShared) = (path, folder, address, isShared)
    }

    private static func status(of folder: String) throws(AgentSocketError) -> FileStatus {
        do { return try FileStatus(of: folder) } catch { throw .system(folder, errno: error.number) }
    }

    /// Refuses a folder in which another user could replace the socket.
    private static func verify(_ folder: String, isShared: Bool) throws(AgentSocketError) {
        let status = try status(of: folder)
        guard status.kind == .directory else { throw .folder(folder, .notAFolder) }
        guard status.owner == 0 || !isShared && status.owner == geteuid() else {
            throw .folder(folder, isShared ? .notOfRoot(owner: status.owner) : .notOwned(owner: status.owner))
        }
        // In a folder of root with the sticky bit, a group can create files, and each user can
        // remove only their own.
        let isSticky = isShared && status.mode & 0o1000 != 0
        guard status.mode & (isSticky ? 0o002 : 0o022) == 0 else {
            throw .folder(folder, .writable(mode: status.mode))
        }
    }
}
