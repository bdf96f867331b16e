import Glibc

/// The bytes of a vault's file, read whole: of a backup, whatever its mode and owner (a stick has none), or of a damaged vault.
public struct VaultImage: Sendable {
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// - Throws: `noSuchFile`, `notARegularFile`, `tooLarge`, `unfinishedChange` when a journal stands beside it, `system`.
    public init(contentsOf path: String) throws(VaultError) {
        // O_NONBLOCK: a pipe must not keep anybody waiting.
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard file >= 0 else { throw errno == ENOENT ? .noSuchFile : .system(.open, errno: errno) }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { throw .system(.inspect, errno: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .notARegularFile(.vault, status.st_mode & S_IFMT == S_IFDIR ? .directory : .other)
        }
        guard Int(status.st_size) <= VaultFormat.maximumFileSize else { throw .tooLarge(limit: VaultFormat.maximumFileSize) }
        // From the disk, not from what was just written to it.
        posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
        bytes = try Self.read(file, count: Int(status.st_size))
        guard try VaultJournal(at: path + "-journal", vaultSize: Int64(bytes.count)) == nil else { throw .unfinishedChange }
    }

    private static func read(_ file: Int32, count: Int) throws(VaultError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var length = 0
        while length < count {
            let read = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(file, buffer.baseAddress.map { unsafe $0 + length }, buffer.count - length)
            }
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else { throw .system(.read, errno: errno) }
            guard read > 0 else { break }
            length += read
        }
        return Array(bytes.prefix(length))
    }
}
