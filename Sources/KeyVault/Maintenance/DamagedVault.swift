import Glibc

/// A damaged vault: its file, and the journal that a crash may have left next to it. The journal
/// contains pages from before the interrupted change.
final class DamagedVault {
    let file: RawFile
    let journal: RawFile?

    /// - Parameter path: symbolic links are followed. SQLite's journal is next to the file that
    ///   they lead to.
    init(_ path: String) throws(VaultError) {
        let file = try RawFile(path, role: .vault)
        guard file.count > 0 else { throw .notAVault(.empty) }
        let journal = try Self.journal(nextTo: path)
        self.file = file
        self.journal = journal
    }

    private static func journal(nextTo path: String) throws(VaultError) -> RawFile? {
        do { return try RawFile(journalPath(nextTo: path), role: .journal) } catch .noSuchFile { return nil }
    }

    static func journalPath(nextTo path: String) throws(VaultError) -> String {
        guard let resolved = unsafe realpath(path, nil) else { throw .system(.inspect, errno: errno) }
        defer { unsafe free(resolved) }
        guard let target = unsafe String(validatingCString: resolved) else { throw .invalidPath }
        return target + "-journal"
    }

    /// How many names (hard links) the vault's file has.
    var linkCount: Int { file.linkCount }

    /// What the vault's manifest proves. A change is committed when its journal is removed. So if
    /// there is a journal, the state before the change counts, as when SQLite opens the vault.
    ///
    /// An attacker may have put the journal there, so the file counts in two cases. Either the
    /// journal would undo more than one change (each raises the generation by one). Or it keeps the
    /// generation and proves fewer buckets. No unfinished change leaves such a journal.
    /// - Parameter generations: the generations in all rows of the files that look like the vault
    ///   row.
    func proof(_ contexts: [SealContext], generations: [Int64]) -> ManifestProof? {
        let written = ManifestProof(of: VaultPages(of: self), contexts)
        guard let pages = VaultPages(restoring: self), let before = ManifestProof(of: pages, contexts),
            generations.allSatisfy({ $0 - 1 <= before.manifest.generation })
        else { return written }
        guard let written, written.manifest.generation == before.manifest.generation else { return before }
        return before.provedBucketCount < written.provedBucketCount ? written : before
    }

    /// Visits the parts of the journal, then the parts of the file.
    func visit<Failure: Error>(_ body: (ScannedBytes, _ inJournal: Bool) throws(Failure) -> Void) throws(Failure) {
        try journal?.visit { piece throws(Failure) in try body(piece, true) }
        try file.visit { piece throws(Failure) in try body(piece, false) }
    }
}

extension Vault {
    /// The files that `rescue` reads for a damaged vault: the vault, and the path of its journal.
    /// The journal is left out when the vault can't be found.
    public static func damagedFiles(_ path: String) -> [String] {
        [path] + ((try? [DamagedVault.journalPath(nextTo: path)]) ?? [])
    }
}
