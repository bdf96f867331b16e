import Codecs
import Files

/// A file that is read as it is, whatever its mode, owner and content, and never written.
///
/// It must not be a vault that this process has open: closing it would drop SQLite's locks.
struct RawFile: ~Copyable {
    private static let pieceCount = 1 << 20

    private let file: OpenFile
    let count: Int64
    /// How many names (hard links) the file has.
    let linkCount: Int

    /// - Throws: `noSuchFile`, `notARegularFile`, `tooLarge`, `system`.
    init(_ path: String, role: FileRole) throws(VaultError) {
        guard !path.utf8.contains(0), !path.isEmpty else { throw .file(.invalidPath) }
        let file = try converting(VaultError.init(opening:), OpenFile(path))
        let status = try file.withDescriptor { file throws(VaultError) in
            try converting(VaultError.init(file:), file.status)
        }
        guard status.kind == .regular else { throw .file(.notARegularFile(role, status.kind)) }
        try VaultLocation.verifySize(status)
        self.file = file
        (count, linkCount) = (status.size, status.linkCount)
    }

    /// The whole file, read from the disk and not from the page cache. It is shorter than `count`
    /// if the file became shorter meanwhile.
    /// - Throws: `system` when the disk does not return all bytes.
    borrowing func contents() throws(VaultError) -> [UInt8] {
        let count = Int(count)
        return try file.withDescriptor { file throws(VaultError) in
            file.dropCache()
            return try converting(VaultError.init(file:), file.bytes(count, at: 0))
        }
    }

    /// Visits the whole file in parts. A row that crosses the end of a part is complete in that
    /// part. Bytes that the disk does not return are zeros.
    borrowing func visit<Failure: Error>(_ body: (ScannedBytes) throws(Failure) -> Void) throws(Failure) {
        var offset: Int64 = 0
        while offset < count {
            let wanted = min(Int64(Self.pieceCount + VaultFormat.pageSize), count - offset)
            try body(ScannedBytes(read(Int(wanted), at: offset), startCount: Self.pieceCount, offset: offset))
            offset += Int64(Self.pieceCount)
        }
    }

    /// The page that begins at this offset. Bytes that the disk does not return are zeros.
    borrowing func page(at offset: Int64) -> [UInt8] { read(VaultFormat.pageSize, at: offset) }

    /// The journal header in this file; nil if SQLite would not play the file back.
    borrowing func journalHeader(vaultSize: Int64) -> VaultJournal? {
        file.withDescriptor { (try? VaultJournal($0, vaultSize: vaultSize)) ?? nil }
    }

    /// For each page number, the offset of the page's content in this journal.
    borrowing func journalOffsets(_ header: VaultJournal) -> [Int: Int64] {
        var offsets: [Int: Int64] = [:]
        file.withDescriptor {
            header.visitPages(of: $0) { number, offset in
                offsets[number] = offset
                return true
            }
        }
        return offsets
    }

    private borrowing func read(_ count: Int, at offset: Int64) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        file.withDescriptor { file in
            bytes.withMutableRawSpan { span in
                var filled = 0
                while filled < count {
                    let read =
                        (try? file.read(into: &span, in: filled..<count, at: offset + Int64(filled))) ?? 0
                    guard read == 0 else {
                        filled += read
                        continue
                    }
                    // A bad sector: the readable bytes of this page are read separately, and the
                    // rest stays zero.
                    let end = min(filled + VaultFormat.pageSize - filled % VaultFormat.pageSize, count)
                    for sector in stride(from: filled, to: end, by: 512) {
                        let range = sector..<min(sector + 512, end)
                        _ = try? file.read(into: &span, in: range, at: offset + Int64(sector))
                    }
                    filled = end
                }
            }
        }
        return bytes
    }
}
