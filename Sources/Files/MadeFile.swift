import Glibc

/// A file that ``NewFile`` created.
public struct MadeFile: Equatable, Sendable {
    public let path: String
    private let device: UInt64
    private let inode: UInt64
    /// The permission bits of the file. They are more than 0600 where the file system stores no
    /// modes, as exFAT.
    public let mode: UInt32
    /// Whether its folder was synced too. If not, a power cut may remove the name.
    public internal(set) var isDurable = false

    /// Whether other users of this machine may read or write it.
    public var isOpenToOthers: Bool { mode & 0o077 != 0 }

    /// - Parameter descriptor: an open file that has this path or gets it next.
    init?(at path: String, descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.path = path
        (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
        mode = UInt32(status.st_mode & 0o7777)
    }

    /// Removes the file, unless another file has its name now.
    /// - Returns: false when it was not removed.
    @discardableResult
    public func remove() -> Bool {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, UInt64(status.st_dev) == device, UInt64(status.st_ino) == inode else {
            return false
        }
        return unsafe unlink(path) == 0
    }
}
