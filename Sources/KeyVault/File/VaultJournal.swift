import Glibc

/// SQLite's rollback journal, checked before SQLite plays it back. It contains whole pages that
/// replace those of the file, and anyone who can create a file next to the vault can write a
/// journal (https://sqlite.org/fileformat2.html#the_rollback_journal).
struct VaultJournal {
    private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    private static let headerCount = 28
    private static let pageSize = Int64(VaultFormat.pageSize)

    /// The part of page 1 that holds SQLite's header, as a playback would restore it. Nil when the
    /// journal does not contain page 1.
    let firstPage: [UInt8]?

    /// - Returns: nil when there is no journal, or one that SQLite does not play back because the
    ///   magic is missing.
    /// - Throws: `strayJournal` for a journal that eosvault never writes.
    init?(at path: String, vaultSize: Int64) throws(VaultError) {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            guard errno != ENOENT else { return nil }
            throw .system(.open, errno: errno)
        }
        defer { close(file) }
        guard let header = Self.read(file, Self.headerCount, at: 0), header.starts(with: Self.magic) else { return nil }
        let size = Int64(Self.number(header, 16))
        let (sector, page) = (Int64(Self.number(header, 20)), Int64(Self.number(header, 24)))
        // A vault's file never shrinks, so it had no more pages before the change than it has now.
        // Nothing is played back into an empty file.
        guard page == Self.pageSize, size >= 1, vaultSize == 0 || (size - 1) * page < vaultSize,
            (512...65_536).contains(sector)
        else {
            throw .strayJournal
        }
        let end = Int64(lseek(file, 0, SEEK_END))
        // A journal that names a super-journal ends with the magic. SQLite would delete the named
        // file.
        guard Self.read(file, Self.magic.count, at: end - Int64(Self.magic.count)) != Self.magic else {
            throw .strayJournal
        }
        firstPage = Self.firstPage(file, pageCount: size, sector: sector, end: end)
    }

    /// Walks the segments. Each has a header padded to a sector, then records of page number,
    /// content and checksum.
    private static func firstPage(_ file: Int32, pageCount: Int64, sector: Int64, end: Int64) -> [UInt8]? {
        var offset: Int64 = 0
        // A journal contains each page at most once. This bounds the time for a sparse file, which
        // can be very long and takes no disk space.
        var records = pageCount
        while let header = read(file, headerCount, at: offset), header.starts(with: magic) {
            offset += sector
            // A count with all bits set means "to the end", which the loop finds.
            var left = number(header, 8)
            while left > 0, records > 0, offset + pageSize + 8 <= end, let name = read(file, 4, at: offset),
                number(name, 0) != 0
            {
                records -= 1
                if number(name, 0) == 1 { return read(file, VaultHeader.count, at: offset + 4) }
                offset += pageSize + 8
                left -= 1
            }
            offset = (offset + sector - 1) / sector * sector
        }
        return nil
    }

    private static func number(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func read(_ file: Int32, _ count: Int, at offset: Int64) -> [UInt8]? {
        guard offset >= 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        return unsafe pread(file, &bytes, count, Int(offset)) == count ? bytes : nil
    }
}
