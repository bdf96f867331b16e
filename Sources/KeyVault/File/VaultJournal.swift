import Glibc

/// SQLite's rollback journal, looked at before SQLite plays it back: it is whole pages that replace
/// those of the file, and whoever can put a file beside the vault can write one
/// (https://sqlite.org/fileformat2.html#the_rollback_journal).
struct VaultJournal {
    private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    private static let headerCount = 28
    private static let pageSize = Int64(VaultFormat.pageSize)

    /// The content of page 1 that a playback would bring back, as far as SQLite's header goes; nil
    /// when it brings none.
    let firstPage: [UInt8]?

    /// - Returns: nil when there is none, or one that SQLite does not play back: without its magic
    ///   it is no journal yet.
    /// - Throws: `strayJournal` for one that eosvault never writes.
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
        // The file only grows, so it had no more pages before than it has now; of an empty one
        // nothing is played back.
        guard page == Self.pageSize, size >= 1, vaultSize == 0 || (size - 1) * page < vaultSize,
            (512...65_536).contains(sector)
        else {
            throw .strayJournal
        }
        let end = Int64(lseek(file, 0, SEEK_END))
        // A journal that names a super-journal ends with the magic: SQLite would delete what that
        // names.
        guard Self.read(file, Self.magic.count, at: end - Int64(Self.magic.count)) != Self.magic else {
            throw .strayJournal
        }
        firstPage = Self.firstPage(file, pageCount: size, sector: sector, end: end)
    }

    /// Walks the segments: a header that is padded to a sector, then its records of page number,
    /// content and checksum.
    private static func firstPage(_ file: Int32, pageCount: Int64, sector: Int64, end: Int64) -> [UInt8]? {
        var offset: Int64 = 0
        // A page is kept once. A sparse file costs nobody anything, and must not keep anybody here.
        var records = pageCount
        while let header = read(file, headerCount, at: offset), header.starts(with: magic) {
            offset += sector
            // A count of all ones means "to the end", which the loop finds.
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
