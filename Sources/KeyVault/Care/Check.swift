import Curves
import KeyText

/// What is wrong with a vault.
package enum VaultFault: Equatable, Sendable {
    /// The list of digests itself: the root does not fit it, or it can't be read.
    case manifest
    /// SQLite finds its pages malformed: in this table, or anywhere.
    case pages(VaultTable?)
    /// A key's entry: it does not open, or holds another key. `name` is its public key as the row
    /// has it.
    case key(name: String, EntryFault)
    /// A row of this table can't be read.
    case row(VaultTable)
    /// Rows of this table were added, edited or taken away.
    case rows(VaultTable)
    /// An entry and its label don't say the same.
    case label(name: String)
    /// The number of keys that the vault was left with, and the one that was found.
    case count(expected: Int64, found: Int64)
    /// Both copies of a slot are damaged, or differ.
    case slot(Int)
    /// One of the two copies of a slot is damaged: the slot opens, and can be repaired.
    case slotCopy(Int)
    case audit(AuditFault)
}

/// What a check looked at, and what it found.
package struct CheckReport: Equatable, Sendable {
    public internal(set) var faults: [VaultFault] = []
    /// Keys that opened and are those of their public keys.
    public internal(set) var keyCount: Int64 = 0
    /// Records of the audit log that are what was written.
    public internal(set) var recordCount: Int64 = 0
    public internal(set) var generation: Int64 = 0
}

extension Vault {
    /// Verifies all of a vault: the manifest over every row, each entry's seal and public key,
    /// labels, slots in both copies, the audit log, and SQLite's pages. Goes on behind a fault, so
    /// that each is told.
    /// - Parameter progress: keys done, of how many.
    /// - Throws: what `unlock` throws before the manifest is looked at: `wrongWayIn`, `noSlot`,
    ///   `slotsDamaged`; `rolledBack` and `forked`.
    package func check(_ way: borrowing WayIn, progress: (Int64, Int64) -> Void = { _, _ in }) throws(VaultError)
        -> CheckReport
    {
        try check(openSlot(way), progress: progress)
    }

    func check(
        _ opened: OpenedSlot, takingLastBackup: Bool = false, progress: (Int64, Int64) -> Void = { _, _ in }
    ) throws(VaultError) -> CheckReport {
        let (report, seen) = try read { () throws(VaultError) in
            var check = try VaultCheck(vault: self, opened, takesLastBackup: takingLastBackup)
            try check.run(progress)
            return (check.report, check.seen)
        }
        // What a backup is compared with is remembered by who restores it.
        if let seen, !takingLastBackup {
            isCompared = true
            tellWitness(seen, of: opened.slot.vaultID)
        }
        return report
    }
}

/// A check inside of one transaction that reads.
private struct VaultCheck {
    private let connection: SQLiteConnection
    private let opened: Vault.OpenedSlot
    private let context: SealContext
    /// Nil when it can't be read.
    private let manifest: Manifest?
    private(set) var report = CheckReport()
    /// What this machine remembers from now on: the verified state, once it was compared with what
    /// was seen before, or the older copy was accepted.
    private(set) var seen: Witness.Seen?

    init(vault: Vault, _ opened: Vault.OpenedSlot, takesLastBackup: Bool) throws(VaultError) {
        connection = vault.connection
        self.opened = opened
        context = SealContext(version: vault.version, vaultID: opened.slot.vaultID, opened.keys)
        do throws(VaultError) {
            let manifest = try Manifest(in: vault.connection, version: vault.version)
            guard manifest.vaultID == opened.slot.vaultID else { throw .manifestMismatch(.root) }
            try manifest.verifyRoot(opened.keys)
            self.manifest = manifest
        } catch {
            manifest = nil
            report.faults.append(.manifest)
        }
        if manifest == nil {
            // Another process made new keys since the slot was opened.
            guard case .sound(opened.slot, _) = try SlotTable(in: vault.connection).states[opened.number] else {
                throw .slotChanged
            }
        }
        if let manifest {
            report.generation = manifest.generation
            // A log that was changed is told below.
            do {
                if !vault.acceptsRollback {
                    try vault.compareWithWitness(manifest, opened, takingLastBackup: takesLastBackup)
                }
                // A head that can't be read is reported below.
                if let head = try? AuditHead.verified(in: vault.connection, manifest, opened.keys) {
                    seen = Witness.Seen(generation: manifest.generation, head: head)
                }
            } catch .audit {}
        }
    }

    mutating func run(_ progress: (Int64, Int64) -> Void) throws(VaultError) {
        try checkPages()
        try checkSlots()
        try checkEntries(progress)
        for table in [VaultTable.settings, .abis, .policies, .counters, .audit] { try checkRows(of: table) }
        for table in VaultTable.bucketed { try checkStrays(of: table) }
        try checkLog()
    }

    /// Takes down damage as a fault; what the machine fails with ends the check.
    private mutating func noting(_ table: VaultTable, _ step: (inout VaultCheck) throws(VaultError) -> Void)
        throws(VaultError)
    {
        do { try step(&self) } catch .damaged(.pages) { note(.pages(table)) } catch .damaged {
            note(.row(table))
        } catch .budgetExceeded {
            note(.pages(table))
        }
    }

    private mutating func note(_ fault: VaultFault) {
        if !report.faults.contains(fault) { report.faults.append(fault) }
    }

    private mutating func checkPages() throws(VaultError) {
        var isSound = false
        do {
            try connection.query("PRAGMA integrity_check(1)") { row throws(VaultError) in isSound = row.text(0) == "ok"
            }
        } catch .damaged(.pages), .budgetExceeded {
            isSound = false
        } catch { throw error }
        if !isSound { note(.pages(nil)) }
    }

    private mutating func checkSlots() throws(VaultError) {
        let slots = try SlotTable(in: connection)
        for number in slots.states.indices {
            switch slots.states[number] {
            case .damaged: note(.slot(number))
            case .sound(_, true): note(.slotCopy(number))
            case .sound, .absent: break
            }
        }
        if slots.hasStrayRow { note(.row(.slots)) }
        for number in slots.states.indices where slots.states[number] != .damaged {
            try noting(.slots) { check throws(VaultError) in
                try check.compare(Manifest.Leaf(table: .slots, bucket: number)) { _ throws(VaultError) in }
            }
        }
    }

    private mutating func checkRows(of table: VaultTable) throws(VaultError) {
        for bucket in 0..<table.bucketCount {
            try noting(table) { check throws(VaultError) in
                try check.compare(Manifest.Leaf(table: table, bucket: bucket)) { _ throws(VaultError) in }
            }
        }
    }

    /// Rows outside of the 256 buckets belong to no digest.
    private mutating func checkStrays(of table: VaultTable) throws(VaultError) {
        try noting(table) { check throws(VaultError) in
            if try table.hasStrayRows(in: check.connection) { check.note(.rows(table)) }
        }
    }

    /// Compares the rows of a bucket with the manifest, where there is one.
    private mutating func compare(
        _ leaf: Manifest.Leaf, visit: (borrowing SQLiteRow) throws(VaultError) -> Void
    ) throws(VaultError) {
        let digest = try leaf.digest(in: connection, opened.keys, visit: visit)
        if let manifest, !Sodium.areEqual(digest, manifest[leaf]) { note(.rows(leaf.table)) }
    }

    // MARK: keys

    private mutating func checkEntries(_ progress: (Int64, Int64) -> Void) throws(VaultError) {
        var names: Set<String> = []
        var labels: [String: String] = [:]
        for bucket in 0..<VaultTable.entries.bucketCount {
            var rows: [Result<EntryRow, Unreadable>] = []
            try noting(.entries) { check throws(VaultError) in
                try check.compare(Manifest.Leaf(table: .entries, bucket: bucket)) { row throws(VaultError) in
                    do { rows.append(.success(try EntryRow(row))) } catch {
                        rows.append(.failure(Unreadable(name: row.text(1))))
                    }
                }
            }
            for row in rows {
                switch row {
                case .failure(let row): note(row.fault)
                case .success(let row):
                    names.insert(row.name)
                    labels[row.name] = row.label?.text
                    try open(row)
                }
            }
            if let manifest { progress(Int64(names.count), max(manifest.entryCount, Int64(names.count))) }
        }
        if let manifest, manifest.entryCount != Int64(names.count) {
            note(.count(expected: manifest.entryCount, found: Int64(names.count)))
        }
        try checkLabels(labels)
    }

    /// An entry whose row makes no sense, and its name where that can be shown.
    private struct Unreadable: Error {
        let fault: VaultFault

        init(name: String?) {
            if let name, EntryRow.isName(name) { fault = .key(name: name, .seal) } else { fault = .row(.entries) }
        }
    }

    private mutating func open(_ row: EntryRow) throws(VaultError) {
        do throws(VaultError) {
            try row.verify(context)
            report.keyCount += 1
        } catch .entryDamaged(let fault) {
            note(.key(name: row.name, fault))
        }
    }

    private mutating func checkLabels(_ labels: [String: String]) throws(VaultError) {
        var left = labels
        for bucket in 0..<VaultTable.labels.bucketCount {
            var rows: [LabelRow] = []
            try noting(.labels) { check throws(VaultError) in
                try check.compare(Manifest.Leaf(table: .labels, bucket: bucket)) { row throws(VaultError) in
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
            do throws(VaultError) { log = try AuditLog(in: check.connection, manifest, keys) } catch .manifestMismatch {
                return
            }
            var faults: [AuditFault] = []
            var count: Int64 = 0
            try log.walk { _ throws(VaultError) in
                count += 1
            } report: { fault throws(VaultError) in
                faults.append(fault)
            }
            check.report.recordCount = count
            for fault in faults { check.note(.audit(fault)) }
        }
    }
}
