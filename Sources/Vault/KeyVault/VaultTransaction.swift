import Codecs
import Keys
import SecureMemory
import Signing

/// A verified view of the vault under its write lock. `UnlockedVault.transaction` provides it.
///
/// The root is verified at the start. A bucket is verified before anything in it is used or
/// changed. Its new digest is computed from the verified rows and the new ones. So an edit by
/// another program is refused and never authenticated.
package struct VaultTransaction: ~Copyable {
    var buckets: VerifiedBuckets
    /// The slot that opened the vault.
    let opened: Vault.OpenedSlot
    let clock: VaultClock
    /// True if the transaction is read-only: it makes no record and refuses changes.
    package let isReadOnly: Bool
    /// `Vault.knownSince`.
    let knownSince: Int64
    private var entries = EntryUse()
    var log = LogEnd()
    /// `Vault.requester`, or the one of a request in a group; nil for what is recorded before.
    var requester: Requester?
    /// The generation of a backup that this transaction recorded.
    var rememberedBackup: Int64 = 0
    private var writes = Writes()
    /// The payment history, if it is kept in memory; see `holdHistory`.
    var ledger: PaymentLedger?
    /// The history with what this transaction adds, and then what it wrote.
    var addedHistory: [HistoryRow.Sequence: HistoryRows] = [:]
    var writtenHistory: [HistoryRow.Sequence: HistoryRows] = [:]
    /// The spellings of the labels, read when the first new label is compared with them.
    var spellings: LabelSpellings?

    init(
        connection: SQLiteConnection, opened: Vault.OpenedSlot, manifest: Manifest, clock: VaultClock,
        isReadOnly: Bool = false, knownSince: Int64 = .max
    ) {
        buckets = VerifiedBuckets(connection, opened.keys, manifest)
        self.opened = opened
        self.clock = clock
        self.isReadOnly = isReadOnly
        self.knownSince = knownSince
    }

    /// The write steps of a transaction.
    private struct Writes {
        /// The number of steps that were started.
        var count = 0
        /// The failure of a step. SQLite may have undone the transaction by then, so nothing more
        /// is written and nothing is committed.
        var failure: VaultError?
    }

    /// The end of the audit log, once a record was added.
    struct LogEnd {
        var head: AuditHead?
        /// The end of the log before the first record of this transaction.
        fileprivate(set) var earlier: AuditHead?
    }

    var connection: SQLiteConnection { buckets.connection }
    var keys: VaultKeys { buckets.keys }
    var manifest: Manifest { buckets.manifest }

    /// The generation that this transaction makes, if it changes anything.
    var nextGeneration: Int64 { manifest.generation &+ 1 }

    var sealContext: SealContext { SealContext(vaultID: manifest.vaultID, keys: keys) }

    // MARK: reading

    /// The number of entries, verified by the root. Removing rows from the file does not change it.
    package var entryCount: Int64 { manifest.entryCount }

    /// The verified entry with this name.
    /// - Throws: `noSuchKey` when the absence is proved, `manifestMismatch`, `damaged`.
    package func entry(named name: EntryName) throws(VaultError) -> VerifiedEntry {
        try verified(buckets.row(named: name))
    }

    /// The verified entry that a public key (in any of its forms), a name or a label identifies.
    /// - Throws: `noSuchKey` when the absence is proved, `manifestMismatch`, `damaged`.
    package func entry(_ text: String) throws(VaultError) -> VerifiedEntry { try verified(buckets.row(text)) }

    /// The verified entry with this label.
    /// - Throws: `noSuchKey` when the absence is proved, `manifestMismatch`, `damaged`.
    package func entry(labelled label: String) throws(VaultError) -> VerifiedEntry {
        try verified(buckets.row(labelled: label))
    }

    private func verified(_ row: EntryRow?) throws(VaultError) -> VerifiedEntry {
        guard let row else { throw .input(.noSuchKey) }
        return entries.verified(row)
    }

    /// Lends the private key of an entry. It is wiped from memory when `body` returns, or after
    /// `keepKeysOpen` at `closeKeys`.
    /// - Throws: `entryDamaged`, `unsupportedKind`, the errors of `body`; when an entry was written
    ///   after this one was verified, also `noSuchKey`, `manifestMismatch`.
    package func withKey<Result, Failure: VaultFailure>(
        _ entry: VerifiedEntry, _ body: (borrowing PrivateKey) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if let open = try converting(Failure.init(vault:), entries.openKey(of: entry, sealContext)) {
            defer { wipeScratch() }
            return try open.key.lend(body)
        }
        return try keys.custody.use { () throws(Failure) in
            let key = try converting(Failure.init(vault:), current(entry).openKey(sealContext))
            defer { wipeScratch() }
            return try body(key)
        }
    }

    /// Signs with the private key of an entry.
    /// - Returns: the signature, or why the key makes none.
    /// - Throws: the errors of `withKey`.
    package func signature(
        of digest: SigningDigest, by entry: VerifiedEntry
    ) throws(VaultError) -> Result<NewSignature, CurveError> {
        if let open = try entries.openKey(of: entry, sealContext) {
            return try open.sign(digest)
        }
        return try withKey(entry) { key throws(VaultError) in
            do throws(CurveError) { return .success(try key.sign(digest)) } catch { return .failure(error) }
        }
    }

    /// The row of an entry, verified again if an entry was written since.
    func current(_ entry: VerifiedEntry) throws(VaultError) -> EntryRow {
        entries.isCurrent(entry) ? entry.row : try row(named: entry.row.name)
    }

    /// From here on, a key that was lent stays in guarded memory until `closeKeys`, so that it
    /// is decrypted once for many signatures. Its page is no-access between two uses.
    package mutating func keepKeysOpen() { entries.keepKeysOpen() }

    /// Wipes the open keys. From here on, each key is wiped after its use.
    package mutating func closeKeys() { entries.closeKeys() }

    /// The row with this name from its verified bucket. The bucket also proves that a row does not
    /// exist.
    func row(named name: EntryName) throws(VaultError) -> EntryRow {
        guard let row = try buckets.row(named: name) else { throw .input(.noSuchKey) }
        return row
    }

    /// The number of private keys. Every row of every entry is compared with the manifest, and the
    /// number of rows with the number in the root.
    /// - Throws: `manifestMismatch` when rows were removed, added or edited; `damaged`.
    package func keyCount() throws(VaultError) -> Int64 {
        var (entries, keys): (Int64, Int64) = (0, 0)
        try buckets.visitAll(.entries) { row throws(VaultError) in
            entries += 1
            if try EntryRow(row).kind.isKey { keys += 1 }
        }
        guard entries == entryCount else { throw .damaged(.entries) }
        return keys
    }

    // MARK: records

    /// Adds a record to the audit log. It is stored if and only if the transaction is committed. A
    /// read-only transaction adds none.
    /// - Throws: `timeOutOfRange` when the clock shows no usable date, `manifestMismatch`.
    package mutating func record(_ event: AuditEvent) throws(VaultError) {
        guard !isReadOnly else { return }
        let last = try auditHead()
        guard last.sequence < Int64.max - 1 else { throw .damaged(.audit) }
        let record = AuditRecord(
            sequence: last.sequence + 1, time: try now(), event: event, requester: requester)
        try write(keepsEntries: true) { transaction throws(VaultError) in
            var head = last
            let (connection, vaultID) = (transaction.connection, transaction.manifest.vaultID)
            try transaction.keys.audit.lend { key throws(VaultError) in
                try head.append(record, vaultID: vaultID, key: key, in: connection)
            }
            transaction.log.head = head
            if transaction.log.earlier == nil { transaction.log.earlier = last }
        }
    }

    /// The end of the audit log: as verified, or after this transaction's records.
    func auditHead() throws(VaultError) -> AuditHead {
        if let head = log.head { return head }
        return try buckets.auditHead()
    }

    /// Moves the failed unlocks, which were counted without a key, to the log.
    mutating func adoptFailedUnlocks() throws(VaultError) {
        guard let failures = try FailedUnlocks(in: connection) else { return }
        try record(.failedUnlocks(count: failures.count, first: failures.first, last: failures.last))
        try write { transaction throws(VaultError) in try FailedUnlocks.clear(in: transaction.connection) }
    }

    package func now() throws(VaultError) -> Int64 {
        let now = clock.now()
        guard VaultFormat.allowedTimes.contains(now) else { throw .machine(.timeOutOfRange) }
        return now
    }

    // MARK: changes

    /// Runs one complete change. If it fails after its first write, nothing of this transaction is
    /// committed, even if the caller continues.
    mutating func change(_ step: (inout VaultTransaction) throws(VaultError) -> Void) throws(VaultError) {
        try change(lending: ()) { (transaction: inout VaultTransaction, _) throws(VaultError) in
            try step(&transaction)
        }
    }

    /// Runs one complete change with a noncopyable value of the caller: a closure can't capture it.
    mutating func change<Lent: ~Copyable>(
        lending value: borrowing Lent,
        _ step: (inout VaultTransaction, borrowing Lent) throws(VaultError) -> Void
    ) throws(VaultError) {
        try expectWritable()
        let before = writes.count
        do { try step(&self, value) } catch {
            if writes.count != before { writes.failure = error }
            throw error
        }
    }

    func expectWritable() throws(VaultError) {
        if isReadOnly { throw .machine(.readOnly) }
        if let failure = writes.failure { throw failure }
    }

    /// Runs a step that writes. After a step fails, nothing more is written.
    /// - Parameter keepsEntries: true if the step changes neither entries nor labels.
    mutating func write(
        keepsEntries: Bool = false, _ step: (inout VaultTransaction) throws(VaultError) -> Void
    ) throws(VaultError) {
        try expectWritable()
        writes.count += 1
        if !keepsEntries { entries.invalidate() }
        do { try step(&self) } catch {
            writes.failure = error
            throw error
        }
    }

    /// Runs one complete change: a step that writes, and its record in the audit log.
    mutating func change(
        recording event: AuditEvent?, _ step: (inout VaultTransaction) throws(VaultError) -> Void
    ) throws(VaultError) {
        try change { transaction throws(VaultError) in
            try transaction.write(step)
            if let event { try transaction.record(event) }
        }
    }

    /// The state after COMMIT.
    struct Outcome {
        let generation: Int64
        let vaultID: [UInt8]
        /// The end of the audit log, if a record was added to it.
        let head: AuditHead?
        /// The generation of a backup that was recorded; 0 when there is none.
        let backup: Int64
    }

    /// True if anything changed.
    var isChanged: Bool { buckets.isChanged || log.head != nil }

    /// Adds the changes to the manifest, in memory.
    mutating func flush() throws(VaultError) {
        if let failure = writes.failure { throw failure }
        try writeHistory()
        if let head = log.head { try buckets.write(head) }
        try buckets.flush()
    }

    /// Writes the new digests, if anything changed. After this, COMMIT needs no key.
    /// - Throws: `locked`, also if nothing changed.
    mutating func finish() throws(VaultError) -> Outcome {
        try keys.lendManifest { _ throws(VaultError) in
            try flush()
            try buckets.finish()
        }
        for (sequence, var rows) in writtenHistory {
            rows.endChanges()
            keys.content.keep(rows, as: manifest[sequence.leaf])
        }
        return Outcome(
            generation: manifest.generation, vaultID: manifest.vaultID, head: log.head,
            backup: rememberedBackup)
    }
}
