import Files
import Glibc
import SecureMemory

/// An input of a command: a file, or standard input for `-`.
package struct InputFile {
    package enum Failure: Error, Equatable {
        case missing
        case directory
        case unreadable(errno: Int32)
        case empty
        case tooLong(limit: Int)
        /// A pipe with more bytes than are kept in memory, where the input is read twice.
        case pipeTooLong(limit: Int)
        case memory(SecureMemoryError)
        /// A secret would be read from a terminal, which shows it.
        case terminal
        /// A folder without test vector files.
        case noVectors
        /// A vault or a backup, where another file is expected.
        case vault
        /// A file with a secret, which other users can change.
        case writableByOthers(mode: UInt32)
        /// A file with a secret, which another user owns.
        case notOwned(owner: UInt32)
    }

    /// The most bytes of a transaction, ABI or vector file.
    package static let maximumSize = 16 << 20

    package let path: String

    package init(path: String) { self.path = path }

    package var isStandardInput: Bool { descriptor == STDIN_FILENO }

    /// The name of the input in errors.
    package var name: String {
        guard let descriptor else { return Printable.line(path) }
        return descriptor == STDIN_FILENO ? "standard input" : "file descriptor \(descriptor)"
    }

    /// The descriptor that the path refers to: `/dev/fd/63`, as the shell writes it for `<(…)`, or
    /// standard input for `-`; nil for any other path. The program uses the descriptor itself: a
    /// process that is not dumpable can't open the files in its own folder of /proc.
    package var descriptor: Int32? {
        if path == "-" || path == "/dev/stdin" { return STDIN_FILENO }
        for folder in ["/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/", "/proc/\(getpid())/fd/"]
        where path.hasPrefix(folder) {
            let number = path.dropFirst(folder.utf8.count)
            return number.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int32(number) : nil
        }
        return nil
    }

    /// Reads all bytes. They must not be secret.
    package func read(atMost limit: Int = maximumSize) throws(Failure) -> [UInt8] {
        try withDescriptor { file throws(Failure) in
            let bytes: [UInt8]
            do throws(FileError) { bytes = try file.bytesToEnd(atMost: limit) } catch {
                throw .unreadable(errno: error.number)
            }
            guard !bytes.starts(with: SQLiteFile.magic) else { throw .vault }
            guard bytes.count <= limit else { throw .tooLong(limit: limit) }
            guard !bytes.isEmpty else { throw .empty }
            return bytes
        }
    }

    /// Reads all bytes of a secret.
    /// - Parameters:
    ///   - isText: drops one final line ending.
    ///   - writable: the treatment of a regular file that other users can write.
    package func readSecret(
        atMost limit: Int, isText: Bool = true, writable: WritableFile = .refused
    ) throws(Failure) -> SecureBytes {
        try withSecretDescriptor(writable: writable) { descriptor throws(Failure) in
            do throws(SecureMemoryError) {
                var bytes = try SecureBytes.read(from: descriptor, atMost: limit + 2)
                if isText { bytes.dropFinalLineEnding() }
                guard bytes.count <= limit else { throw SecureMemoryError.tooLong(limit: limit) }
                return bytes
            } catch {
                switch error {
                case .tooLong: throw .tooLong(limit: limit)
                case .unreadable(let number): throw number == EISDIR ? .directory : .unreadable(errno: number)
                case .unavailable: throw .memory(error)
                }
            }
        }
    }

    /// Passes a descriptor to `body` for reading secrets. A terminal is refused, because it would
    /// show them.
    package func withSecretDescriptor<Result: ~Copyable>(
        writable: WritableFile, _ body: (FileDescriptor) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withDescriptor { descriptor throws(Failure) in
            guard isatty(descriptor.number) == 0 else { throw .terminal }
            BeforeSecrets.prepare()
            try checkMode(of: descriptor, writable)
            return try body(descriptor)
        }
    }

    /// Refuses a regular file that other users can change, and warns if they can read it. The mode
    /// of a pipe is not checked: only processes that got an end of the pipe can use it.
    private func checkMode(of file: FileDescriptor, _ writable: WritableFile) throws(Failure) {
        let status = try Self.status(of: file)
        guard status.kind == .regular else { return }
        if writable.isRefused(file) {
            try Self.refuseWritable(mode: status.mode, owner: status.owner, user: geteuid())
        }
        if Self.isReadableByOthers(
            mode: status.mode, owner: status.owner, group: status.group, user: geteuid())
        {
            Messages.warning(Words.readableByOthers(name, mode: status.mode))
        }
    }

    private static func status(of file: FileDescriptor) throws(Failure) -> FileStatus {
        do { return try file.status } catch { throw .unreadable(errno: error.number) }
    }

    /// The mode includes access control lists: their permissions are limited by the group bits
    /// (acl(5)).
    package static func refuseWritable(mode: UInt32, owner: UInt32, user: UInt32) throws(Failure) {
        guard owner == user || owner == 0 else { throw .notOwned(owner: owner) }
        guard mode & 0o022 == 0 else { throw .writableByOthers(mode: mode) }
    }

    /// A file of root and the group root that another user reads is treated as a credential of
    /// systemd. It has an access control list of the readers, and its group bits are only the mask
    /// of this list (systemd.exec(5), LoadCredential). A user in the group root may read it without
    /// a list: no warning is printed then.
    package static func isReadableByOthers(mode: UInt32, owner: UInt32, group: UInt32, user: UInt32) -> Bool {
        let isCredential = owner == 0 && group == 0 && user != 0
        return mode & (isCredential ? 0o004 : 0o044) != 0
    }

    /// Passes a descriptor to `body` for reading data that is not secret.
    package func withDescriptor<Result: ~Copyable>(
        _ body: (FileDescriptor) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if let descriptor {
            // An inherited descriptor lacks FD_CLOEXEC; the program sets it on every file that it
            // opens. So the vault's own descriptor is never accepted as an input.
            let flags = fcntl(descriptor, F_GETFD)
            guard flags >= 0, flags & FD_CLOEXEC == 0 else { throw .unreadable(errno: EBADF) }
            return try body(FileDescriptor(descriptor))
        }
        let file: OpenFile
        do { file = try OpenFile(path, waits: true) } catch {
            throw error.number == ENOENT ? .missing : .unreadable(errno: error.number)
        }
        return try file.withDescriptor { file throws(Failure) in
            if try Self.status(of: file).kind == .directory { throw .directory }
            return try body(file)
        }
    }
}
