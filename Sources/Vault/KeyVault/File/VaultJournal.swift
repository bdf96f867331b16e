import Codecs
import Files
import Glibc

/// SQLite's rollback journal, checked before SQLite plays it back. It contains whole pages that
/// replace pages of the file. Anyone who can create a file next to the vault can write one
/// (https://sqlite.org/fileformat2.html#the_rollback_journal).
struct VaultJournal {
    private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    private static let headerCount = 28
    private static let pageSize = Int64(VaultFormat.pageSize)

    /// How many pages the vault had before the change.
    let pageCount: Int64
    private let sector: Int64
    private let end: Int64
    /// The part of page 1 that holds SQLite's header, as a playback would restore it. Nil when the
    /// journal does not contain page 1.
    private(set) var firstPage: [UInt8]?

    /// - Returns: nil when there is no journal, or one that SQLite does not play back because the
    ///   magic is missing.
    /// - Throws: `strayJournal` for a journal that eosvault never writes.
    init?(at path: String, vaultSize: Int64) throws(VaultError) {
        let file: OpenFile
        do { file = try OpenFile(path, followsLinks: false) } catch {
            guard error.number != ENOENT else { return nil }
            throw VaultError(file: error)
        }
        let journal = try file.withDescriptor { file throws(VaultError) -> VaultJournal? in
            guard var journal = try VaultJournal(file, vaultSize: vaultSize) else { return nil }
            var offset: Int64?
            journal.visitPages(of: file) { number, start in
                if number == 1 { offset = start }
                return offset == nil
            }
            journal.firstPage = offset.flatMap { Self.read(file, VaultHeader.count, at: $0) }
            return journal
        }
        guard let journal else { return nil }
        self = journal
    }

    /// Reads the header alone.
    init?(_ file: FileDescriptor, vaultSize: Int64) throws(VaultError) {
        guard let header = Self.read(file, Self.headerCount, at: 0), header.starts(with: Self.magic) else {
            return nil
        }
        pageCount = header.bigEndian(at: 16)
        sector = header.bigEndian(at: 20)
        let page: Int64 = header.bigEndian(at: 24)
        // SQLite cuts the file to this number of pages, even if the journal contains no page. A
        // vault's file never shrinks, so it had no more pages before the change than it has now.
        // Nothing is played back into an empty file.
        guard page == Self.pageSize, pageCount >= VaultFormat.minimumPageCount,
            vaultSize == 0 || (pageCount - 1) * page < vaultSize, (512...65_536).contains(sector)
        else { throw .file(.strayJournal) }
        end = try converting(VaultError.init(file:), file.status.size)
        // A journal that refers to a super-journal ends with the magic. SQLite would delete that
        // file.
        guard Self.read(file, Self.magic.count, at: end - Int64(Self.magic.count)) != Self.magic else {
            throw .file(.strayJournal)
        }
    }

    /// Walks the segments. Each has a header padded to a sector, then records of page number,
    /// content and checksum.
    /// - Parameter visit: receives the number of a page and the offset of its content in the
    ///   journal; false ends the walk.
    /// Not inlined: `make ctime` permits divisions in this type by the function's name.
    @inline(never)
    func visitPages(of file: FileDescriptor, _ visit: (_ number: Int, _ offset: Int64) -> Bool) {
        var offset: Int64 = 0
        // A journal contains each page at most once. This bounds the time for a sparse file, which
        // can be very long and takes no disk space.
        var records = pageCount
        while let header = Self.read(file, Self.headerCount, at: offset), header.starts(with: Self.magic) {
            offset += sector
            // A count with all bits set means "to the end", which the loop finds.
            var left: UInt32 = header.bigEndian(at: 8)
            while left > 0, records > 0, offset + Self.pageSize + 8 <= end,
                let name = Self.read(file, 4, at: offset),
                case let number:Int = name.bigEndian(at: 0), number != 0
            {
                records -= 1
                guard visit(number, offset + 4) else { return }
                offset += Self.pageSize + 8
                left -= 1
            }
            offset = (offset + sector - 1) / sector * sector
        }
    }

    private static func read(_ file: FileDescriptor, _ count: Int, at offset: Int64) -> [UInt8]? {
        guard offset >= 0, let bytes = try? file.bytes(count, at: offset), bytes.count == count else {
            return nil
        }
        return bytes
    }
}
