import SecureMemory

/// A vault file that is open and locked: its slots and descriptions can be read, none of them
/// verified, and a way in unlocks it.
///
/// Opening checks the file, its folder and journal, SQLite's header and the schema, in the order of
/// VaultFormat.md. No lock is held between calls.
package final class Vault {
    /// Where it stands; nil for one that was read into memory.
    let location: VaultLocation?
    let connection: SQLiteConnection
    /// Of the file that SQLite opened; nil for one that was read into memory.
    private let identity: VaultLocation.Identity?
    let clock: VaultClock
    let witness: Witness?
    /// Whether an older copy than the one that the witness saw is taken, and the witness told so.
    let acceptsRollback: Bool
    /// Whether what was unlocked is no older than what the witness saw, or that is accepted: only
    /// then the witness is told.
    var isCompared = false
    /// The format version that the header stated when the last transaction began.
    private(set) var version = VaultFormat.version
    /// The highest generation that was verified through this object.
    var seenGeneration: Int64 = 0

    /// - Parameters:
    ///   - path: its last part must be the vault itself, not a symbolic link.
    ///   - busyTimeout: how long to wait for another process, in milliseconds.
    ///   - witness: what this machine remembers of vaults; nil where nothing is to be remembered.
    ///   - acceptRollback: takes an older copy than the one that the witness saw.
    /// - Throws: the errors of the file, of the machine and of damage.
    package static func open(
        _ path: String, busyTimeout: Int32 = 5_000, witness: Witness? = nil, acceptRollback: Bool = false,
        clock: VaultClock = .system
    ) throws(VaultError) -> Vault {
        try Vault(
            VaultLocation(path), readOnly: false, busyTimeout: busyTimeout, witness: witness,
            acceptRollback: acceptRollback, clock: clock)
    }

    /// A vault out of the bytes of its file, in memory, which can't be changed.
    init(
        image: [UInt8], witness: Witness? = nil, acceptRollback: Bool = true, clock: VaultClock = .system
    ) throws(VaultError) {
        try Sodium.start()
        try VaultHeader.verify(Array(image.prefix(VaultHeader.count)))
        connection = try SQLiteConnection(image: image)
        location = nil
        identity = nil
        self.witness = witness
        acceptsRollback = acceptRollback
        self.clock = clock
        try Self.configureReading(connection)
        try read { () throws(VaultError) in }
    }

    /// - Parameter readOnly: as for a file that can't be written.
    init(
        _ location: VaultLocation, readOnly: Bool, busyTimeout: Int32, witness: Witness? = nil,
        acceptRollback: Bool = false,
        clock: VaultClock = .system
    ) throws(VaultError) {
        self.witness = witness
        acceptsRollback = acceptRollback
        self.clock = clock
        try Sodium.start()
        try location.verifyFolder()
        let connect = { () throws(VaultError) in
            try Self.connect(to: location, readOnly: readOnly, busyTimeout: busyTimeout)
        }
        var (connection, identity) = try connect()
        do {
            try VaultHeader.verify(connection.header(count: VaultHeader.count))
        } catch {
            // A crash may have left the first page half written and its old content in the journal.
            // An empty file has nothing to play back: SQLite would only delete the journal. Another
            // program's file and its journal are left alone: only a journal that brings a vault's
            // first page back is played back.
            guard error != .notAVault(.empty), let page = try location.journal()?.firstPage,
                (try? VaultHeader.verify(page)) != nil
            else { throw error }
            do { _ = try connection.integer("PRAGMA schema_version") } catch .damaged(.pages) { throw error }
            // Anew: nothing that SQLite took from the torn page stays.
            (connection, identity) = try connect()
            try VaultHeader.verify(connection.header(count: VaultHeader.count))
        }
        self.location = location
        self.connection = connection
        self.identity = identity
        try configure()
        try read { () throws(VaultError) in }
    }

    private static func connect(
        to location: VaultLocation, readOnly: Bool, busyTimeout: Int32
    ) throws(VaultError) -> (SQLiteConnection, VaultLocation.Identity) {
        let identity = try location.verifyFiles()
        let connection: SQLiteConnection
        do {
            connection = try SQLiteConnection(path: location.path, readOnly: readOnly, busyTimeout: busyTimeout)
        } catch .system(_, let errno) {
            throw .system(.open, errno: errno)
        }
        // What was inspected, what the path leads to now and what SQLite opened are one file.
        guard try location.verifyFiles() == identity, !connection.hasMoved else { throw .replacedWhileOpening }
        // These read nothing of the file, so they hold when a journal left by a crash is played
        // back.
        try configureReading(connection)
        try connection.set(pragma: "mmap_size", to: "0", reads: .integer(0))
        try connection.set(pragma: "secure_delete", to: "ON", reads: .integer(1))
        return (connection, identity)
    }

    /// What holds for a vault in memory too.
    private static func configureReading(_ connection: SQLiteConnection) throws(VaultError) {
        try connection.set(pragma: "temp_store", to: "MEMORY", reads: .integer(2))
        try connection.set(pragma: "cell_size_check", to: "ON", reads: .integer(1))
    }

    /// The other pragmas of the format. SQLite loads the schema before it takes them, and plays
    /// back a journal that a crash left: under its default, `synchronous=FULL`. What EXTRA adds,
    /// that the folder is synced when the journal is gone, a playback can do without: a journal
    /// that comes back after a power cut is played back once more, to the same bytes, because the
    /// first change after it syncs the folder before it writes to the file.
    private func configure() throws(VaultError) {
        // The header may suggest another size, down to one page.
        try connection.set(pragma: "cache_size", to: "-2000", reads: .integer(-2_000))
        try connection.set(pragma: "synchronous", to: "EXTRA", reads: .integer(3))
        try connection.set(pragma: "journal_mode", to: "DELETE", reads: .text("delete"))
        // Beyond it the disk counts as full.
        let pages = VaultFormat.maximumFileSize / VaultFormat.pageSize
        try connection.set(pragma: "max_page_count", to: "\(pages)", reads: .integer(Int64(pages)))
    }

    /// How many names (hard links) the vault's file has now. With more than one nothing is written:
    /// a change that is cut short leaves its journal under one name, and a program that opens the
    /// file under another name reads half a change.
    /// - Throws: `noSuchFile`, `replacedWhileOpening`, `system`.
    package func linkCount() throws(VaultError) -> Int {
        guard let location, let identity else { return 1 }
        return try location.linkCount(of: identity)
    }

    // MARK: transactions

    /// Runs `body` on one unchanging view of the file, whose length and schema are looked at first.
    func read<Result, Failure: VaultFailure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        // COMMIT fails once a damaged page was met, also when nothing was written.
        try transaction("BEGIN DEFERRED", end: { () throws(VaultError) in try connection.run("ROLLBACK") }, body)
    }

    /// The same with the write lock; what `body` wrote is durable when this returns, and undone
    /// when it throws anything but `commitUncertain`.
    func write<Result, Failure: VaultFailure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        guard !connection.isReadOnly else { throw Failure(vault: .readOnly) }
        try lifting(to: Failure.self) { () throws(VaultError) in
            let count = try linkCount()
            guard count <= 1 else { throw .hardLinked(count: count) }
        }
        return try transaction("BEGIN IMMEDIATE", end: connection.commit, body)
    }

    private func transaction<Result, Failure: VaultFailure>(
        _ begin: String, end: () throws(VaultError) -> Void, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try lifting(to: Failure.self) { () throws(VaultError) in try connection.run(begin) }
        do throws(Failure) {
            try lifting(to: Failure.self) { () throws(VaultError) in try verifyShape() }
            let result = try body()
            try lifting(to: Failure.self, end)
            return result
        } catch {
            // Some failures have rolled back already. When this fails too, the journal stays and
            // the next opening plays it back.
            if connection.isInTransaction { try? connection.run("ROLLBACK") }
            throw error
        }
    }

    /// Length and schema, under the lock: another process may have changed both since the file was
    /// opened.
    private func verifyShape() throws(VaultError) {
        try VaultSchema.verify(in: connection)
        // The first reading may have played a journal back, and brought another header.
        version = try VaultHeader.verify(connection.header(count: VaultHeader.count))
        guard let pages = try connection.integer("PRAGMA page_count") else { throw .damaged(.pages) }
        let expected = pages * Int64(VaultFormat.pageSize)
        let found = try connection.fileSize()
        guard found == expected else { throw .damaged(.length(expected: expected, found: found)) }
    }

    // MARK: without a PIN

    /// The slots that can be read, as the file states them.
    package func unverifiedSlots() throws(VaultError) -> (slots: [SlotDescription], damaged: [Int]) {
        try read { () throws(VaultError) in
            let table = try SlotTable(in: connection)
            return (table.descriptions, table.damaged)
        }
    }

    /// All entries by time of creation and name, as the file states them. Whoever can write the
    /// file can write these: they are verified only after unlocking (`UnlockedVault.entries`).
    package func unverifiedEntries() throws(VaultError) -> [EntryDescription] {
        try read { () throws(VaultError) in
            var entries: [EntryDescription] = []
            var last: EntryRow?
            try connection.query("SELECT \(EntryRow.columns) FROM entries") { row throws(VaultError) in
                let row = try EntryRow(row)
                // In a crafted tree of pages a few rows may come again and again; sorted by SQLite
                // they would fill the memory first.
                guard last.map({ $0.precedes(row) }) ?? true else { throw .damaged(.row(.entries)) }
                entries.append(row.description)
                last = row
            }
            return entries.inOrderOfCreation
        }
    }

    /// The entry that a public key (in any of its forms) or a label names, as the file states it;
    /// nil when the file names none.
    package func unverifiedEntry(_ text: String) throws(VaultError) -> EntryDescription? {
        try read { () throws(VaultError) in try EntryQuery(text).first(in: connection)?.description }
    }
}
