import Glibc

/// A damaged vault: its file, and the journal beside it that a crash may have left, which holds
/// pages as they were before the change that it cut short.
struct DamagedVault: ~Copyable {
    private let file: RawFile
    private let journal: RawFile?

    /// - Parameter path: symbolic links are followed; SQLite's journal stands where they lead to.
    init(_ path: String) throws(VaultError) {
        let file = try RawFile(path, role: .vault)
        guard file.count > 0 else { throw .notAVault(.empty) }
        let journal = try Self.journal(beside: path)
        self.file = file
        self.journal = journal
    }

    private static func journal(beside path: String) throws(VaultError) -> RawFile? {
        do { return try RawFile(journalPath(beside: path), role: .journal) } catch .noSuchFile { return nil }
    }

    static func journalPath(beside path: String) throws(VaultError) -> String {
        guard let resolved = unsafe realpath(path, nil) else { throw .system(.inspect, errno: errno) }
        defer { unsafe free(resolved) }
        guard let target = unsafe String(validatingCString: resolved) else { throw .invalidPath }
        return target + "-journal"
    }

    /// How many names (hard links) the vault's file has.
    var linkCount: Int { file.linkCount }

    /// What the vault's manifest proves; the journal has no part in it.
    borrowing func proof(_ contexts: [SealContext]) -> ManifestProof? { ManifestProof(of: file, contexts) }

    borrowing func history(_ proof: ManifestProof, seen: Witness.Seen) -> RescueReport.History {
        proof.history(seen: seen, of: file)
    }

    /// Visits the pieces of the journal, then those of the file.
    borrowing func visit<Failure: Error>(_ body: (CarvedBytes, _ inJournal: Bool) throws(Failure) -> Void)
        throws(Failure)
    {
        try journal?.visit { piece throws(Failure) in try body(piece, true) }
        try file.visit { piece throws(Failure) in try body(piece, false) }
    }
}

extension Vault {
    /// The files that `rescue` reads of a damaged vault: it, and where its journal would stand.
    /// Without the second when the first can't be found.
    package static func damagedFiles(_ path: String) -> [String] {
        [path] + ((try? [DamagedVault.journalPath(beside: path)]) ?? [])
    }
}
