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

/// What a check verified, and what it found.
package struct CheckReport: Equatable, Sendable {
    package internal(set) var faults: [VaultFault] = []
    /// The number of entries that opened and match their names.
    package internal(set) var entryCount: Int64 = 0
    /// How many of them are keys.
    package internal(set) var keyCount: Int64 = 0
    /// How many of them are credentials.
    package internal(set) var credentialCount: Int64 = 0
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
    /// The number of rows in unused bytes: those of the fault `unusedRows`, and entries that SQLite
    /// may have left there.
    package internal(set) var unusedRowCount = 0
}

/// Receives the number of finished keys, and of all keys.
package typealias KeyProgress = (_ done: Int64, _ total: Int64) -> Void

extension Vault {
    /// Verifies the whole vault: the manifest over every row, each entry's seal and public key,
    /// labels, both copies of the slots, the audit log, and SQLite's pages. The check continues
    /// after a fault, so that the report lists every fault.
    /// - Parameter progress: receives the number of checked keys, and of all keys.
    /// - Throws: what `unlock` throws before it verifies the manifest: `wrongUnlockMethod`,
    ///   `noSlot`, `slotsDamaged`. Also `rolledBack` and `forked`.
    package func check(_ method: borrowing some SlotKeySource & ~Copyable, progress: KeyProgress = { _, _ in })
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
private struct VaultCheck {
    private let connection: SQLiteConnection
    private let opened: Vault.OpenedSlot
    private let context: SealContext
    /// The manifest; nil when it can't be read.
    private let manifest: Manifest?
    private(set) var report = CheckReport()
    /// What this machine remembers from now on: the verified state. It is set after the comparison
    /// with what was seen before, or when the older copy is accepted.
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
            guard case .sound(opened.slot, _) = try SlotTable(in: vault.connection).states[opened.number] else {
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
                if let head = try? AuditHead.verified(in: vault.connection, manifest, opened.keys) {
                    seen = Witness.Seen(generation: manifest.generation, head: head)
                }
            } catch .integrity(.audit) {}
        }
    }

    /// Tables with a check of their own.
    private static let separate: Set<VaultTable> = [.slots, .entries, .labels]

    mutating func run(_ progress: KeyProgress) throws(VaultError) {
        try checkPages()
        try checkSlots()
        try checkEntries(progress)
        for table in VaultTable.inManifest where !Self.separate.contains(table) { try checkRows(of: table) }
        for table in VaultTable.bucketed { try checkStrays(of: table) }
        try checkLog()
        try checkUnusedBytes()
    }

    /// Reports damage as a fault. An error of the machine ends the check.
    private mutating func noting(_ table: VaultTable, _ step: (inout VaultCheck) throws(VaultError) -> Void)
        throws(VaultError)
    {
        do { try step(&self) } catch .integrity(.damaged(.pages)) { note(.pages(table)) } catch .integrity(.damaged) {
            note(.row(table))
        } catch .integrity(.budgetExceeded) {
            note(.pages(table))
        }
    }

    private mutating func note(_ fault: VaultFault) {
        if !report.faults.contains(fault) { report.faults.append(fault) }
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

    private mutating func checkSlots() throws(VaultError) {
        let slots = try SlotTable(in: connection)
        for number in slots.states.indices {
            switch slots.states[number] {
            case .damaged: note(.slot(number))
            case .sound(_, true): note(.slotCopy(number))
            case .sound, .absent: break
            }
            if case .sound(let slot, _) = slots.states[number], !slot.kind.isKnown { report.unsupported.slots += 1 }
        }
        if slots.hasStrayRow { note(.row(.slots)) }
        try checkRows(of: .slots, except: slots.damaged)
    }

    /// Compares each bucket of a table with the manifest, and reads its rows as they are declared.
    private mutating func checkRows(of table: VaultTable, except buckets: [Int] = []) throws(VaultError) {
        var contents = table.contents.map { $0.init() }
        var isReadable = true
        for leaf in table.leaves where !buckets.contains(leaf.bucket) {
            try noting(table) { check throws(VaultError) in
                try check.compare(leaf) { row throws(VaultError) in
                    for index in contents.indices {
                        do { try contents[index].visit(row) } catch { isReadable = false }
                    }
                }
            }
        }
        for content in contents {
            do { try content.complete() } catch { isReadable = false }
            content.add(to: &report)
        }
        if !isReadable, !report.faults.contains(.rows(table)) { note(.row(table)) }
    }

    /// No digest covers rows outside the 256 buckets.
    private mutating func checkStrays(of table: VaultTable) throws(VaultError) {
        try noting(table) { check throws(VaultError) in
            if try table.hasStrayRows(in: check.connection) { check.note(.rows(table)) }
        }
    }

    /// Compares the rows of a bucket with the manifest, if there is one.
    private mutating func compare(
        _ leaf: Manifest.Leaf, visit: (borrowing SQLiteRow) throws(VaultError) -> Void
    ) throws(VaultError) {
        let digest = try leaf.digest(in: connection, opened.keys, visit: visit)
        if let manifest, !Sodium.areEqual(digest, manifest[leaf]) { note(.rows(leaf.table)) }
    }

    // MARK: keys

    private mutating func checkEntries(_ progress: KeyProgress) throws(VaultError) {
        var names: Set<EntryName> = []
        var labels: [EntryName: String] = [:]
        var labelled: [EntryDescription] = []
        for leaf in VaultTable.entries.leaves {
            var rows: [Result<EntryRow, Unreadable>] = []
            try noting(.entries) { check throws(VaultError) in
                try check.compare(leaf) { row throws(VaultError) in
                    do { rows.append(.success(try EntryRow(row))) } catch {
                        rows.append(.failure(Unreadable(name: row.text(1).flatMap { EntryName($0) })))
                    }
                }
            }
            for row in rows {
                switch row {
                case .failure(let row): note(row.fault)
                case .success(let row):
                    names.insert(row.name)
                    labels[row.name] = row.label?.text
                    if row.label != nil { labelled.append(row.description) }
                    try open(row)
                }
            }
            if let manifest { progress(Int64(names.count), max(manifest.entryCount, Int64(names.count))) }
        }
        if let manifest, manifest.entryCount != Int64(names.count) {
            note(.count(expected: manifest.entryCount, found: Int64(names.count)))
        }
        report.labelFlags = labelled.inOrderOfCreation.labelFlags
        try checkLabels(labels)
    }

    /// An entry with a malformed row, and its name if the name can be printed.
    private struct Unreadable: Error {
        let fault: VaultFault

        init(name: EntryName?) { fault = name.map { .key(name: $0, .seal) } ?? .row(.entries) }
    }

    private mutating func open(_ row: EntryRow) throws(VaultError) {
        do throws(VaultError) {
            _ = try row.open(context)
            report.entryCount += 1
            report.names.insert(row.name)
            switch row.kind {
            case .privateKey: report.keyCount += 1
            case .credential: report.credentialCount += 1
            case .other: if row.kind.payload == nil { report.unsupported.entries += 1 }
            }
        } catch .integrity(.entryDamaged(let fault)) {
            note(.key(name: row.name, fault))
        }
    }

    private mutating func checkLabels(_ labels: [EntryName: String]) throws(VaultError) {
        var left = labels
        for leaf in VaultTable.labels.leaves {
            var rows: [LabelRow] = []
            try noting(.labels) { check throws(VaultError) in
                try check.compare(leaf) { row throws(VaultError) in
                    rows.append(try LabelRow(row))
                }
            }
            for row in rows {
                let expected = left.removeValue(forKey: row.name)
                if expected?.utf8.elementsEqual(row.label.utf8) != true { note(.label(name: row.name)) }
            }
        }
        for name in left.keys.sorted() { note(.label(name: name)) }
    }

    // MARK: the log

    private mutating func checkLog() throws(VaultError) {
        guard let manifest else { return }
        try noting(.audit) { check throws(VaultError) in
            let keys = try AuditKeys(
                setting: SettingRow.value(AuditKeys.settingName, in: check.connection), vaultID: manifest.vaultID,
                current: check.opened.keys)
            let log: AuditLog
            do throws(VaultError) { log = try AuditLog(in: check.connection, manifest, keys) } catch .integrity(
                .manifestMismatch)
            {
                return
            }
            check.report.archives = log.archives
            var faults: [AuditFault] = []
            var count: Int64 = 0
            var unsupported = 0
            try log.walk { record throws(VaultError) in
                count += 1
                if case .other = record.event { unsupported += 1 }
                check.report.lastChange = record.time
            } report: { fault throws(VaultError) in
                faults.append(fault)
            }
            check.report.recordCount = count
            check.report.unsupported.records = unsupported
            for fault in faults { check.note(.audit(fault)) }
        }
    }
}
