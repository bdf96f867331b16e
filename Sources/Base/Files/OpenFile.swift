import CSystem
import Glibc

/// An open file or folder. It is closed at the end of its owner's life.
package struct OpenFile: ~Copyable {
    private let number: Int32

    /// Takes the result of a call that opens a file.
    private init(_ number: Int32, _ operation: SystemOperation) throws(FileError) {
        guard number >= 0 else { throw .last(operation) }
        self.number = number
    }

    /// Opens a file or folder for reading.
    /// - Parameters:
    ///   - followsLinks: false to refuse a path whose last part is a symbolic link.
    ///   - waits: true to wait for the other end of a pipe.
    /// - Throws: `system`.
    package init(_ path: String, followsLinks: Bool = true, waits: Bool = false) throws(FileError) {
        // A terminal must not become the controlling terminal.
        let flags =
            O_RDONLY | O_CLOEXEC | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW) | (waits ? 0 : O_NONBLOCK)
        try self.init(unsafe open(path, flags), .open)
    }

    /// Refers to a file without opening it: a FIFO does not block, and closing drops no lock. The
    /// file can be inspected, but not read.
    /// - Throws: `system`.
    package init(inspecting path: String) throws(FileError) {
        try self.init(unsafe files_open_path(path), .open)
    }

    /// Opens a character device for reading and writing, without waiting for it.
    /// - Throws: `system`; ENODEV for any other file, which is not opened: a FIFO would block.
    package init(device path: String) throws(FileError) {
        let isDevice = try FileStatus(of: path, followingLinks: true).isCharacterDevice
        try self.init(isDevice ? Self.openDevice(path) : Self.noDevice(), .open)
    }

    private static func noDevice() -> Int32 {
        errno = ENODEV
        return -1
    }

    /// The path may name another file meanwhile.
    private static func openDevice(_ path: String) -> Int32 {
        let number = unsafe open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard number >= 0, (try? FileStatus(of: FileDescriptor(number)))?.isCharacterDevice != true else {
            return number
        }
        close(number)
        return noDevice()
    }

    /// A descriptor for the same file as one that the process inherited.
    /// - Throws: `system`.
    package init(inherited number: Int32) throws(FileError) {
        try self.init(fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), .open)
    }

    /// Creates a file of mode 0600 without a name, which is open for writing.
    init(unnamedIn folder: String) throws(FileError) {
        try self.init(unsafe files_open_unnamed(folder), .create)
    }

    /// Creates a file of mode 0600, which is open for writing.
    /// - Throws: `exists`, `system`.
    init(creating path: String) throws(FileError) { try self.init(unsafe files_open_new(path), .create) }

    /// Passes the descriptor to `body`. It stays open until `body` returns.
    package borrowing func withDescriptor<Result: ~Copyable, Failure: Error>(
        _ body: (FileDescriptor) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(FileDescriptor(number))
    }

    deinit { close(number) }

    /// Closes each descriptor above 2, so that the process can't use one that it inherited by
    /// mistake.
    /// - Parameter kept: descriptors that stay open.
    package static func closeAll(except kept: Set<Int32>) {
        let kept = kept.filter { $0 > STDERR_FILENO }.sorted()
        unsafe kept.withUnsafeBufferPointer { unsafe files_close_descriptors($0.baseAddress, $0.count) }
    }
}

extension FileDescriptor {
    /// True for a file system in memory (tmpfs, ramfs), and for the writable layer of a container
    /// (overlayfs): its files are lost at the next start of the machine, or with the container.
    package var losesFiles: Bool {
        [0x0102_1994, 0x8584_58f6, 0x794c_7630].contains(files_system_type(number))
    }

    /// True if the file system stores a mode for each file. FAT, exFAT, NTFS (two drivers) and
    /// FUSE, by which exFAT and NTFS are mounted too, give each file the mode of the mount.
    package var storesModes: Bool {
        ![0x4d44, 0x2011_bab0, 0x5346_544e, 0x7366_746e, 0x6573_5546].contains(files_system_type(number))
    }
}
