import Glibc

package enum FileKind: Equatable, Sendable {
    case regular, directory, symbolicLink, other
}

/// The kind, owner, mode and size of a file or folder.
package struct FileStatus: Equatable, Sendable {
    /// The same for every path to a file, and different for two files that exist at the same time.
    package struct Identity: Hashable, Sendable {
        fileprivate let device: UInt64
        private let inode: UInt64

        fileprivate init(_ status: stat) {
            (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
        }
    }

    package let identity: Identity
    package let kind: FileKind
    /// True if it is a character device, such as a terminal.
    package let isCharacterDevice: Bool
    package let isSocket: Bool
    /// The id of the user who owns the file.
    package let owner: UInt32
    /// The id of the file's group.
    package let group: UInt32
    /// The permission bits: 12 bits, with set-user-id, set-group-id and the sticky bit.
    package let mode: UInt32
    /// In bytes.
    package let size: Int64
    /// The time of the last change of the content, in nanoseconds since 1970, as far as the file
    /// system stores it.
    package let modificationTime: Int64
    /// How many names (hard links) the file has.
    package let linkCount: Int

    /// Inspects a path without opening the file: a FIFO does not block, and no lock is dropped.
    /// - Parameter followingLinks: false to inspect a symbolic link itself.
    /// - Throws: `system`.
    package init(of path: String, followingLinks: Bool = false) throws(FileError) {
        var status = stat()
        guard unsafe fstatat(AT_FDCWD, path, &status, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else {
            throw .last(.inspect)
        }
        self.init(status)
    }

    /// Inspects a path that may not exist.
    /// - Returns: nil when no file or folder has this path.
    /// - Throws: `system`.
    package static func ifPresent(_ path: String, followingLinks: Bool = false) throws(FileError)
        -> FileStatus?
    {
        do { return try FileStatus(of: path, followingLinks: followingLinks) } catch {
            guard error.isAbsence else { throw error }
            return nil
        }
    }

    /// True if both are on the same file system.
    package func sharesFileSystem(with other: FileStatus) -> Bool {
        identity.device == other.identity.device
    }

    init(of descriptor: FileDescriptor) throws(FileError) {
        var status = stat()
        guard unsafe fstat(descriptor.number, &status) == 0 else { throw .last(.inspect) }
        self.init(status)
    }

    private init(_ status: stat) {
        identity = Identity(status)
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            case S_IFLNK: .symbolicLink
            default: .other
            }
        isCharacterDevice = status.st_mode & S_IFMT == S_IFCHR
        isSocket = status.st_mode & S_IFMT == S_IFSOCK
        owner = status.st_uid
        group = status.st_gid
        mode = status.st_mode & 0o7777
        size = Int64(status.st_size)
        let (seconds, nanoseconds) = (Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec))
        modificationTime = seconds.multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ nanoseconds
        linkCount = Int(status.st_nlink)
    }
}
