import Glibc

/// A file that is read as it is, whatever its mode, owner and content, and never written.
///
/// It must not be a vault that this process has open: closing it would drop SQLite's locks.
struct RawFile: ~Copyable {
    private static let pieceCount = 1 << 20

    private let descriptor: Int32
    let count: Int64
    /// How many names (hard links) the file has.
    let linkCount: Int

    /// - Throws: `noSuchFile`, `notARegularFile`, `tooLarge`, `system`.
    init(_ path: String, role: FileRole) throws(VaultError) {
        guard !path.utf8.contains(0), !path.isEmpty else { throw .file(.invalidPath) }
        // A FIFO must not block, and a terminal must not become the controlling terminal.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            throw errno == ENOENT || errno == ENOTDIR ? .file(.noSuchFile) : .machine(.system(.open, errno: errno))
        }
        do throws(VaultError) { (count, linkCount) = try Self.status(of: descriptor, role) } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    private static func status(of descriptor: Int32, _ role: FileRole) throws(VaultError) -> (
        count: Int64, linkCount: Int
    ) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .machine(.system(.inspect, errno: errno)) }
        let format = status.st_mode & S_IFMT
        guard format == S_IFREG else { throw .file(.notARegularFile(role, format == S_IFDIR ? .directory : .other)) }
        guard Int(status.st_size) <= VaultFormat.maximumFileSize else {
            throw .file(.tooLarge(limit: VaultFormat.maximumFileSize))
        }
        return (Int64(status.st_size), Int(status.st_nlink))
    }

    deinit { close(descriptor) }

    /// The whole file, read from the disk and not from the page cache.
    /// - Throws: `system` when the disk does not return all bytes.
    borrowing func contents() throws(VaultError) -> [UInt8] {
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
        var bytes = [UInt8](repeating: 0, count: Int(count))
        var filled = 0
        while filled < bytes.count {
            let read = read(into: &bytes, from: filled, bytes.count - filled, at: 0)
            guard read >= 0 else { throw .machine(.system(.read, errno: errno)) }
            // The file became shorter meanwhile.
            guard read > 0 else { break }
            filled += read
        }
        return Array(bytes.prefix(filled))
    }

    /// Visits the whole file in parts. A row that crosses the end of a part is complete in that
    /// part. Bytes that the disk does not return are zeros.
    borrowing func visit<Failure: Error>(_ body: (ScannedBytes) throws(Failure) -> Void) throws(Failure) {
        var offset: Int64 = 0
        while offset < count {
            let wanted = min(Int64(Self.pieceCount + VaultFormat.pageSize), count - offset)
            try body(ScannedBytes(read(Int(wanted), at: offset), startCount: Self.pieceCount))
            offset += Int64(Self.pieceCount)
        }
    }

    /// The page that begins at this offset. Bytes that the disk does not return are zeros.
    borrowing func page(at offset: Int64) -> [UInt8] { read(VaultFormat.pageSize, at: offset) }

    /// The journal header in this file; nil if SQLite would not play the file back.
    borrowing func journalHeader(vaultSize: Int64) -> VaultJournal? {
        (try? VaultJournal(descriptor, vaultSize: vaultSize)) ?? nil
    }

    /// For each page number, the offset of the page's content in this journal.
    borrowing func journalOffsets(_ header: VaultJournal) -> [Int: Int64] {
        var offsets: [Int: Int64] = [:]
        header.visitPages(of: descriptor) { number, offset in
            offsets[number] = offset
            return true
        }
        return offsets
    }

    private func read(_ count: Int, at offset: Int64) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let read = read(into: &bytes, from: filled, count - filled, at: offset)
            if read > 0 {
                filled += read
            } else {
                // A bad sector: the readable bytes of this page are read separately, and the rest
                // stays zero.
                let page = min(VaultFormat.pageSize - filled % VaultFormat.pageSize, count - filled)
                for sector in stride(from: filled, to: filled + page, by: 512) {
                    _ = self.read(into: &bytes, from: sector, min(512, filled + page - sector), at: offset)
                }
                filled += page
            }
        }
        return bytes
    }

    /// Returns the result of pread(2).
    private func read(into bytes: inout [UInt8], from start: Int, _ count: Int, at offset: Int64) -> Int {
        unsafe bytes.withUnsafeMutableBytes { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            while true {
                let read = unsafe pread(descriptor, base + start, count, Int(offset) + start)
                if read >= 0 || errno != EINTR { return read }
            }
        }
    }
}
