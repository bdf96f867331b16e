import Codecs
import Files

/// A damaged vault: its file, and the journal that a crash may have left next to it. The journal
/// contains pages from before the interrupted change.
final class DamagedVault {
    let file: RawFile
    let journal: RawFile?

    /// - Parameter path: symbolic links are followed. SQLite's journal is next to the file that
    ///   they lead to.
    init(_ path: String) throws(VaultError) {
        let file = try RawFile(path, role: .vault)
        guard file.count > 0 else { throw .file(.notAVault(.empty)) }
        let journal = try Self.journal(nextTo: path)
        self.file = file
        self.journal = journal
    }

    private static func journal(nextTo path: String) throws(VaultError) -> RawFile? {
        do { return try RawFile(journalPath(nextTo: path), role: .journal) } catch .file(.noSuchFile) {
            return nil
        }
    }

    static func journalPath(nextTo path: String) throws(VaultError) -> String {
        guard let target = try converting(VaultError.init(file:), FilePath.resolved(path)) else {
            throw .file(.invalidPath)
        }
        return target + "-journal"
    }

    /// How many names (hard links) the vault's file has.
    var linkCount: Int { file.linkCount }

    /// The facts that the vault's manifest proves. A change is committed when its journal is
    /// removed. So if there is a journal, the state before the change counts, as when SQLite opens
    /// the vault.
    ///
    /// Anyone who can write the folder may have put the journal there. So it counts only if an
    /// unfinished change can have left it: it is of the same vault, it undoes at most one change
    /// (each raises the generation by one), and if it keeps the generation, it proves no fewer
    /// buckets.
    /// - Parameter vaultID: the vault's id, which is used if the file itself proves nothing.
    func proof(_ contexts: [SealContext], vaultID: [UInt8]) -> ManifestProof? {
        let written = ManifestProof(of: VaultPages(of: self), contexts)
        guard let pages = VaultPages(restoring: self), let before = ManifestProof(of: pages, contexts),
            before.manifest.vaultID == written?.manifest.vaultID ?? vaultID
        else { return written }
        guard let written else {
            let newest = newestGeneration(of: vaultID) ?? 0
            return newest - before.manifest.generation <= 1 ? before : nil
        }
        switch written.manifest.generation - before.manifest.generation {
        case 0: return before.provedBucketCount < written.provedBucketCount ? written : before
        case 1: return before
        default: return written
        }
    }

    /// The highest generation in the file's rows that look like this vault's row.
    private func newestGeneration(of vaultID: [UInt8]) -> Int64? {
        var newest: Int64?
        file.visit { piece in
            piece.visitVaultRows { row, _ in
                if row.vaultID == vaultID { newest = max(newest ?? 0, row.generation) }
            }
        }
        return newest
    }

    /// Visits the parts of the journal, then the parts of the file.
    func visit<Failure: Error>(_ body: (ScannedBytes, _ inJournal: Bool) throws(Failure) -> Void)
        throws(Failure)
    {
        try journal?.visit { piece throws(Failure) in try body(piece, true) }
        try file.visit { piece throws(Failure) in try body(piece, false) }
    }
}

extension Vault {
    /// The files that `rescue` reads for a damaged vault: the vault, and the path of its journal.
    /// The journal is omitted if the vault can't be found.
    package static func damagedFiles(_ path: String) -> [String] {
        [path] + ((try? [DamagedVault.journalPath(nextTo: path)]) ?? [])
    }
}
