import Glibc

/// A file that ``NewFile`` created.
package struct MadeFile: Equatable, Sendable {
    package let path: String
    private let identity: FileStatus.Identity
    /// The permission bits of the file. They are more than 0600 where the file system stores no
    /// modes, as exFAT.
    package let mode: UInt32
    /// True if its folder was synced too. If not, a power cut may remove the name.
    package internal(set) var isDurable = false

    /// True if other users of this machine may read or write it.
    package var isOpenToOthers: Bool { mode & 0o077 != 0 }

    /// - Parameter descriptor: an open file that has this path or gets it next.
    init(at path: String, _ descriptor: FileDescriptor) throws(FileError) {
        let status = try descriptor.status
        self.path = path
        identity = status.identity
        mode = status.mode
    }

    /// Removes the file, unless another file has its name now.
    /// - Returns: false when it was not removed.
    @discardableResult
    package func remove() -> Bool {
        guard let status = try? FileStatus(of: path), status.identity == identity else { return false }
        return unsafe unlink(path) == 0
    }
}
