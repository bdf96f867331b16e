import Codecs
import Files
import Signing

/// An open vault file that is still locked. Its slots and descriptions can be read, but they are
/// not verified. An unlock method unlocks it.
///
/// Opening checks the file, its folder and journal, SQLite's header and the schema, in the order of
/// VaultFormat.md. No lock is held between calls.
package final class Vault {
    /// The location of the file; nil for a vault that was read into memory.
    let location: VaultLocation?
    let connection: SQLiteConnection
    /// The identity of the file that SQLite opened; nil for a vault that was read into memory.
    private let identity: FileStatus.Identity?
    /// Also waits after failed unlocks. A program that hides the input of a terminal meanwhile, or
    /// must not wait, replaces it.
    package var clock: VaultClock
    /// The process that requests the next changes; nil for this one. Their records state it.
    package var requester: Requester?
    /// The space that the file used when it was opened, not verified.
    package private(set) var space = VaultSpace(used: 0)
    let witness: Witness?
    /// True if a copy older than the one that the witness saw is accepted, and then recorded in the
    /// witness.
    let acceptsRollback: Bool
    /// True if the unlocked vault is no older than what the witness saw, or an older one is
    /// accepted. The witness is updated only then.
    var isCompared = false
    /// The generation in which this machine saw the vault first, or accepted an older copy of it
    /// last; nil before an unlock. Another copy may have used nonces after the nonces of earlier
    /// generations.
    var knownSince: Int64?
    /// True if changes do not write the witness, so that a signature is answered before it is
    /// written. Then the caller uses `writeWitness` soon. A process that is killed before leaves an
    /// older witness, which accepts a copy that is a few seconds old.
    package var defersWitness = false
    /// What `writeWitness` writes, and the time of the first change that is not written.
    var deferredWitness: (seen: Witness.Seen, vaultID: [UInt8], since: Int64)?
    private var keepsJournal = false
    /// The highest generation that was verified through this object.
    var seenGeneration: Int64 = 0

    /// - Parameters:
    ///   - path: its last part must be the vault itself, not a symbolic link.
    ///   - busyTimeout: how long to wait for another process, in milliseconds.
    ///   - witness: the state file of this machine; nil to remember nothing.
    ///   - acceptRollback: accepts an older copy than the one that the witness saw.
    /// - Throws: the errors of the file, the machine and damage.
    package static func open(
        _ path: String, busyTimeout: Int32 = 5_000, witness: Witness? = nil, acceptRollback: Bool = false,
        clock: VaultClock = .system
    ) throws(VaultError) -> Vault {
        try Vault(
            VaultLocation(path), readOnly: false, busyTimeout: busyTimeout, witness: witness,
            acceptRollback: acceptRollback, clock: clock)
    }

    /// A read-only vault in memory, made from the bytes of its file.
    init(
        image: [UInt8], witness: Witness? = nil, acceptRollback: Bool = true, clock: VaultClock = .system
    ) throws(VaultError) {
        try Sodium.startWithoutKeys()
        try VaultHeader.verify(Array(image.prefix(VaultHeader.count)))
        connection = try SQLiteConnection(image: image)
        location = nil
        identity = nil
        self.witness = witness
        acceptsRollback = acceptRollback
        self.clock = clock
        try Self.configureReading(connection)
        space = try read { () throws(VaultError) in try VaultSpace(in: connection) }
    }

    /// - Parameter readOnly: treats the file as one that can't be written.
    init(
        _ location: VaultLocation, readOnly: Bool, busyTimeout: Int32, witness: Witness? = nil,
        acceptRollback: Bool = false,
        clock: VaultClock = .system
    ) throws(VaultError) {
        self.witness = witness
        acceptsRollback = acceptRollback
        self.clock = clock
        try Sodium.startWithoutKeys()
        try location.verifyFolder()
        let connect = { () throws(VaultError) in
            try Self.connect(to: location, readOnly: readOnly, busyTimeout: busyTimeout)
        }
        var (connection, identity) = try connect()
        do {
            try VaultHeader.verify(connection.header(count: VaultHeader.count))
        } catch {
            // A crash may have left the first page half written and its old content in the journal.
            // For an empty file nothing is played back: SQLite would only delete the journal.
            // Another program's file and journal are not touched: the journal is played back only
            // if it restores the first page of a vault.
            guard error != .file(.notAVault(.empty)), let page = try location.journal()?.firstPage,
                (try? VaultHeader.verify(page)) != nil
            else { throw error }
            do { _ = try connection.integer("PRAGMA schema_version") } catch .integrity(.damaged(.pages)) {
                throw error
            }
            // A new connection, so that nothing that SQLite took from the torn page is kept.
            (connection, identity) = try connect()
            try VaultHeader.verify(connection.header(count: VaultHeader.count))
        }
        self.location = location
        self.connection = connection
        self.identity = identity
        try configure()
        space = try read { () throws(VaultError) in try VaultSpace(in: connection) }
    }

    deinit { writeWitness() }

    private static func connect(
        to location: VaultLocation, readOnly: Bool, busyTimeout: Int32
    ) throws(VaultError) -> (SQLiteConnection, FileStatus.Identity) {
        let identity = try location.verifyFiles()
        let connection: SQLiteConnection
        do {
            connection = try SQLiteConnection(
                path: location.path, readOnly: readOnly, busyTimeout: busyTimeout)
        } catch .machine(.system(_, let errno)) {
            throw .machine(.system(.open, errno: errno))
        }
        // The inspected file, the file that the path leads to now, and the file that SQLite opened
        // must be the same.
        guard try location.verifyFiles() == identity, !connection.hasMoved else {
            throw .file(.replacedWhileOpening)
        }
        // These read nothing of the file, so they are in effect when a journal left by a crash is
        // played back.
        try configureReading(connection)
        try connection.set(pragma: "mmap_size", to: "0", reads: .integer(0))
        try connection.set(pragma: "secure_delete", to: "ON", reads: .integer(1))
        return (connection, identity)
    }

    /// Settings that also apply to a vault in memory.
    private static func configureReading(_ connection: SQLiteConnection) throws(VaultError) {
        try connection.set(pragma: "temp_store", to: "MEMORY", reads: .integer(2))
        try connection.set(pragma: "cell_size_check", to: "ON", reads: .integer(1))
    }

    /// The other pragmas of the format. SQLite loads the schema before it accepts them. It then
    /// also plays back a journal left by a crash, with its default `synchronous=FULL`. EXTRA would
    /// also sync the folder after the journal is deleted. A playback does not need this: a journal
    /// that returns after a power loss is played back again, to the same bytes. The next change
    /// syncs the folder before it writes to the file.
    private func configure() throws(VaultError) {
        // The header may suggest another cache size, down to one page.
        try connection.set(pragma: "cache_size", to: "-2000", reads: .integer(-2_000))
        try connection.set(pragma: "synchronous", to: "EXTRA", reads: .integer(3))
        try connection.set(pragma: "journal_mode", to: "DELETE", reads: .text("delete"))
        // Beyond this size the disk counts as full.
        let pages = VaultFormat.maximumFileSize / VaultFormat.pageSize
        try connection.set(pragma: "max_page_count", to: "\(pages)", reads: .integer(Int64(pages)))
    }

    /// The current number of names (hard links) of the vault's file. With more than one, nothing is
    /// written. An interrupted change leaves its journal under one name, and a program that opens
    /// the file under another name reads half of the change.
    /// - Throws: `noSuchFile`, `replacedWhileOpening`, `system`.
    package func linkCount() throws(VaultError) -> Int {
        guard let location, let identity else { return 1 }
        return try location.linkCount(of: identity)
    }

    /// Sets how long to wait for another process from now on, in milliseconds.
    package func setBusyTimeout(_ milliseconds: Int32) throws(VaultError) {
        try connection.setBusyTimeout(milliseconds)
    }

    /// Keeps the journal after a change, with a header of zeros, so that the next change needs no
    /// new file and syncs no folder. SQLite ignores such a journal. A process that makes many
    /// changes uses this while it has the vault unlocked, and ends it with false, which removes the
    /// file.
    package func keepJournal(_ isKept: Bool) throws(VaultError) {
        let mode = isKept ? "persist" : "delete"
        try connection.set(pragma: "journal_mode", to: mode, reads: .text(mode))
        keepsJournal = isKept
    }

    // MARK: transactions

    /// Runs `body` on one consistent view of the file: all that it reads is of one state. Other
    /// processes can't commit a change meanwhile, so `body` must not wait for input.
    package func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
        let result = try read { () throws(VaultError) in Swift.Result { try body() } }
        return try result.get()
    }

    /// Runs `body` on one consistent view of the file. Its length and schema are checked first.
    /// Within a snapshot or a transaction, they were checked.
    func read<Result, Failure: VaultFailure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        guard !connection.isInTransaction else { return try body() }
        // A read ends with ROLLBACK: after a damaged page was read, COMMIT fails even if nothing
        // was written.
        return try transaction(
            "BEGIN DEFERRED", end: { () throws(VaultError) in try connection.run("ROLLBACK") }, body)
    }

    /// Runs `body` with the write lock. The changes of `body` are durable when this returns. They
    /// are undone when this throws anything except `commitUncertain`.
    func write<Result, Failure: VaultFailure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result
    {
        guard !connection.isReadOnly else { throw Failure(vault: .machine(.readOnly)) }
        let count = try converting(Failure.init(vault:), linkCount())
        guard count <= 1 else { throw Failure(vault: .file(.hardLinked(count: count))) }
        return try transaction("BEGIN IMMEDIATE", end: commit, body)
    }

    /// The change is complete once the journal's header is zero, and SQLite syncs a kept journal
    /// after that. If this sync fails, it reports the failure as that of the whole change. The
    /// generation shows what happened, unless the file can't be read either.
    private func commit() throws(VaultError) {
        guard keepsJournal else { return try connection.commit() }
        let generation = { () throws(VaultError) in
            try self.connection.integer("SELECT generation FROM vault")
        }
        let written = try generation()
        do throws(VaultError) { try connection.commit() } catch {
            if connection.isInTransaction { try? connection.run("ROLLBACK") }
            guard let found = try? generation(), found == written else { throw error }
            throw .machine(.commitUncertain)
        }
    }

    private func transaction<Result, Failure: VaultFailure>(
        _ begin: String, end: () throws(VaultError) -> Void, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try converting(Failure.init(vault:), connection.run(begin))
        do throws(Failure) {
            try converting(Failure.init(vault:), verifyShape())
            let result = try body()
            try converting(Failure.init(vault:), end())
            return result
        } catch {
            // Some failures have rolled back already. If this fails too, the journal stays and the
            // next opening plays it back.
            if connection.isInTransaction { try? connection.run("ROLLBACK") }
            throw error
        }
    }

    /// Checks the length and the schema under the lock, because another process may have changed
    /// both since the file was opened.
    private func verifyShape() throws(VaultError) {
        try VaultSchema.verify(in: connection)
        // The first read may have played back a journal, which may have restored another header.
        try VaultHeader.verify(connection.header(count: VaultHeader.count))
        guard let pages = try connection.integer("PRAGMA page_count") else {
            throw .integrity(.damaged(.pages))
        }
        let expected = pages * Int64(VaultFormat.pageSize)
        let found = try connection.fileSize()
        guard found == expected else { throw .integrity(.damaged(.length(expected: expected, found: found))) }
    }

    // MARK: without a PIN

    /// The slots that can be read, as stored in the file.
    package func unverifiedSlots() throws(VaultError) -> (slots: [SlotDescription], damaged: [Int]) {
        try read { () throws(VaultError) in
            let table = try SlotTable(in: connection)
            return (table.descriptions, table.damaged)
        }
    }

    /// All entries in order of creation time and name, as stored in the file. Anyone who can write
    /// the file can change them. They are verified only after unlocking (`UnlockedVault.entries`).
    package func unverifiedEntries() throws(VaultError) -> [EntryDescription] {
        try unverifiedStatuses().map(\.entry)
    }

    /// All entries with their backups, like `unverifiedEntries`.
    package func unverifiedStatuses() throws(VaultError) -> [KeyStatus] {
        try unverified { rows throws(VaultError) in try rows.statuses() }
    }

    /// The entry that a public key (in any of its forms) or a label identifies, as stored in the
    /// file; nil when the file has none.
    package func unverifiedEntry(_ text: String) throws(VaultError) -> EntryDescription? {
        try unverifiedStatus(of: text)?.entry
    }
}
