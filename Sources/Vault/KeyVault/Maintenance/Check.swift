/// A fault of a vault.
package enum VaultFault: Equatable, Sendable {
    /// The digests in the manifest: the root does not match them, or they can't be read.
    case manifest
    /// SQLite finds malformed pages: in this table or, when nil, anywhere in the file.
    case pages(VaultTable?)
    /// An entry does not open, or contains another key. `name` is the name in the row.
    case key(name: EntryName, EntryFault)
    /// A row of this table can't be read.
    case row(VaultTable)
    /// Rows of this table were added, edited or removed.
    case rows(VaultTable)
    /// An entry and the table of labels disagree.
    case label(name: EntryName)
    /// The number of entries in the manifest differs from the number that was found.
    case count(expected: Int64, found: Int64)
    /// Both copies of a slot are damaged, or the copies differ.
    case slot(Int)
    /// One of the two copies of a slot is damaged. The slot opens, and can be repaired.
    case slotCopy(Int)
    /// Bytes that the vault does not use contain this number of rows that it did not write.
    case unusedRows(Int)
    case audit(AuditFault)
}

/// The result of a check: the verified contents, and the faults.
package struct CheckReport: Equatable, Sendable {
    package internal(set) var faults: [VaultFault] = []
    /// The number of entries that opened and match their names.
    package internal(set) var entryCount: Int64 = 0
    package internal(set) var counts = EntryCounts()
    /// The number of policies that this version interprets.
    package internal(set) var policyCount = 0
    /// The number of intact records of the audit log.
    package internal(set) var recordCount: Int64 = 0
    /// The archives of earlier records that the vault refers to.
    package internal(set) var archives: [ArchiveDescription] = []
    package internal(set) var generation: Int64 = 0
    /// The names of the entries that opened.
    package internal(set) var names: Set<EntryName> = []
    /// The time of the last intact record of the audit log, in seconds since 1970.
    package internal(set) var lastChange: Int64?
    /// Labels that are valid, but that no entry could get today.
    package internal(set) var labelFlags: [LabelFlag] = []
    /// The rows of kinds that this version does not support.
    package internal(set) var unsupported = UnsupportedRows()
    /// The number of rows in unused bytes: the rows of the fault `unusedRows`, and entries that
    /// SQLite may have left there.
    package internal(set) var unusedRowCount = 0
}

/// Receives the number of finished keys, and of all keys.
package typealias KeyProgress = (_ done: Int64, _ total: Int64) -> Void

extension Vault {
    /// Verifies the whole vault: the manifest over every row, each entry's seal and public key,
    /// labels, both copies of the slots, the audit log, and SQLite's pages. The check continues
    /// after a fault, so that the report lists every fault.
    /// - Parameter progress: receives the number of checked keys, and of all keys.
    /// - Throws: the errors of `unlock` before it verifies the manifest: `wrongUnlockMethod`,
    ///   `noSlot`, `slotsDamaged`. Also `rolledBack` and `forked`.
    package func check(
        _ method: borrowing some SlotKeySource & ~Copyable, progress: KeyProgress = { _, _ in }
    )
        throws(VaultError) -> CheckReport
    { try check(openSlot(method), progress: progress) }

    func check(
        _ opened: OpenedSlot, takingLastBackup: Bool = false, progress: KeyProgress = { _, _ in }
    ) throws(VaultError) -> CheckReport {
        let (report, seen) = try read { () throws(VaultError) in
            var check = try VaultCheck(vault: self, opened, takesLastBackup: takingLastBackup)
            try check.run(progress)
            return (check.report, check.seen)
        }
        // `restore` updates the witness itself, after its comparison with the last backup.
        if let seen, !takingLastBackup {
            isCompared = true
            updateWitness(seen, of: opened.slot.vaultID)
        }
        return report
    }
}

/// A check inside one read transaction.
struct VaultCheck {
    let connection: SQLiteConnection
    let opened: Vault.OpenedSlot
    let context: SealContext
    /// The manifest; nil when it can't be read.
    let manifest: Manifest?
    var report = CheckReport()
    /// The contents of the tables that were checked.
    private(set) var checked: [any TableContent] = []
    /// The verified state, which this machine remembers from now on. It is set after the comparison
    /// with the state seen before, or when the older copy is accepted.
    private(set) var seen: Witness.Seen?

    init(vault: Vault, _ opened: Vault.OpenedSlot, takesLastBackup: Bool) throws(VaultError) {
        connection = vault.connection
        self.opened = opened
        context = SealContext(vaultID: opened.slot.vaultID, keys: opened.keys)
        do throws(VaultError) {
            let manifest = try Manifest(in: vault.connection)
            guard manifest.vaultID == opened.slot.vaultID else { throw .integrity(.manifestMismatch(.root)) }
            try manifest.verifyRoot(opened.keys)
            self.manifest = manifest
        } catch {
            manifest = nil
            report.faults.append(.manifest)
        }
        if manifest == nil {
            // Another process changed the master key after the slot was opened.
            guard case .sound(opened.slot, _) = try SlotTable(in: vault.connection).states[opened.number]
            else {
                throw .input(.slotChanged)
            }
        }
        if let manifest {
            report.generation = manifest.generation
            // A changed log is reported below.
            do {
                if !vault.acceptsRollback {
                    try vault.compareWithWitness(manifest, opened, takingLastBackup: takesLastBackup)
                }
                vault.noteKnown(manifest, opened)
                // A head that can't be read is reported below.
                if let head = try? VerifiedBuckets(connection, opened.keys, manifest).auditHead() {
                    seen = Witness.Seen(generation: manifest.generation, head: head)
                }
            } catch .integrity(.audit) {}
        }
    }

    mutating func run(_ progress: KeyProgress) throws(VaultError) {
        try checkPages()
        for table in VaultTable.all where table.bucketCount > 0 { try checkRows(of: table, progress) }
        try checkUnusedBytes()
    }

    mutating func note(_ fault: VaultFault) {
        if !report.faults.contains(fault) { report.faults.append(fault) }
    }

    /// Reports damage as a fault. An error of the machine ends the check.
    private mutating func noting(_ table: VaultTable, _ step: (inout VaultCheck) throws(VaultError) -> Void)
        throws(VaultError)
    {
        do { try step(&self) } catch .integrity(.damaged(.pages)), .integrity(.budgetExceeded) {
            note(.pages(table))
        } catch .integrity(.damaged) {
            noteMalformed(table)
        } catch .integrity(.slotsDamaged) {
            // The content of the slots reports them.
        }
    }

    /// A row can't be read. If rows were edited, that was reported.
    private mutating func noteMalformed(_ table: VaultTable) {
        if !report.faults.contains(.rows(table)) { note(.row(table)) }
    }

    private mutating func checkPages() throws(VaultError) {
        let isSound: Bool
        do { isSound = try connection.passes("integrity_check") } catch .integrity(.damaged(.pages)),
            .integrity(.budgetExceeded)
        {
            isSound = false
        }
        if !isSound { note(.pages(nil)) }
    }

    private mutating func checkUnusedBytes() throws(VaultError) {
        let rows: UnusedBytes.Rows
        do { rows = try UnusedBytes(in: connection).rows() } catch .integrity(.damaged(.pages)) {
            // `checkPages` reported this.
            return
        }
        report.unusedRowCount = rows.plantedCount + rows.leftCount
        if rows.plantedCount > 0 { note(.unusedRows(rows.plantedCount)) }
    }

    /// Compares each bucket of a table with the manifest, and checks its rows as they are declared.
    private mutating func checkRows(of table: VaultTable, _ progress: KeyProgress) throws(VaultError) {
        try opened.keys.lendManifest { _ throws(VaultError) in
            try checkLentRows(of: table, progress)
        }
    }

    private mutating func checkLentRows(of table: VaultTable, _ progress: KeyProgress) throws(VaultError) {
        var contents = table.contents.map { $0.init() }
        var isReadable = true
        for leaf in table.leaves {
            try noting(table) { check throws(VaultError) in
                try check.compare(leaf) { row throws(VaultError) in
                    for index in contents.indices {
                        do { try contents[index].visit(row) } catch { isReadable = false }
                    }
                }
            }
            for index in contents.indices { try contents[index].checkBucket(&self, progress) }
        }
        // No digest covers rows outside the 256 buckets.
        if table.isBucketed {
            try noting(table) { check throws(VaultError) in
                if try table.hasStrayRows(in: check.connection) { check.note(.rows(table)) }
            }
        }
        for content in contents {
            try noting(table) { check throws(VaultError) in try content.check(&check) }
        }
        checked += contents
        if !isReadable { noteMalformed(table) }
    }

    /// Compares the rows of a bucket with the manifest, if there is one.
    private mutating func compare(
        _ leaf: Manifest.Leaf, visit: (borrowing SQLiteRow) throws(VaultError) -> Void
    ) throws(VaultError) {
        let digest = try leaf.digest(in: connection, opened.keys, visit: visit)
        if let manifest, !Sodium.areEqual(digest, manifest[leaf]) { note(.rows(leaf.table)) }
    }
}
