import Codecs
import Keys
import SecureMemory

/// The entries of a vault.
struct Entries: TableContent {
    static let table = VaultTable.entries

    /// In the order of the rows. A check keeps the entries of one bucket.
    private(set) var entries: [EntryRow] = []
    /// Rows that are not an entry of this version: their names, nil where a name can't be read.
    private(set) var unreadable: [EntryName?] = []
    private var count: Int64 = 0
    /// The checked entries that have a label.
    private(set) var labelled: [EntryDescription] = []

    var rows: [any TableRow] { entries }

    mutating func visit(_ row: borrowing some RowColumns & ~Copyable) {
        if let read = try? EntryRow(row), read.hasPossibleCounts {
            entries.append(read)
        } else {
            unreadable.append(row.text(1).flatMap { EntryName($0) })
        }
    }

    /// Opens the entries. Nothing of them stays in memory, except their labels.
    mutating func checkBucket(_ check: inout VaultCheck, _ progress: KeyProgress) throws(VaultError) {
        for name in unreadable { check.note(name.map { .key(name: $0, .seal) } ?? .row(.entries)) }
        try openAll(&check)
        count += Int64(entries.count)
        (entries, unreadable) = ([], [])
        if let manifest = check.manifest { progress(count, max(manifest.entryCount, count)) }
    }

    private mutating func openAll(_ check: inout VaultCheck) throws(VaultError) {
        guard !entries.isEmpty else { return }
        let context = check.context
        let counts = entries.lazy.filter { $0.kind.payload != nil }.map(\.sealed.count)
        var memory = try converting(VaultError.memory, ReusedBytes(capacity: counts.max() ?? 0))
        try context.keys.lendSeal { () throws(VaultError) in
            for row in entries {
                if row.label != nil { labelled.append(row.description) }
                do throws(VaultError) {
                    try row.check(context, in: &memory)
                    check.report.count(row)
                } catch .integrity(.entryDamaged(let fault)) {
                    check.note(.key(name: row.name, fault))
                }
            }
        }
    }

    func check(_ check: inout VaultCheck) {
        if let manifest = check.manifest, manifest.entryCount != count {
            check.note(.count(expected: manifest.entryCount, found: count))
        }
        check.report.labelFlags = labelled.inOrderOfCreation.labelFlags
    }
}

extension CheckReport {
    /// Counts an entry that opened.
    fileprivate mutating func count(_ row: EntryRow) {
        entryCount += 1
        names.insert(row.name)
        counts.count(row.kind)
        if row.kind.payload == nil { unsupported.entries += 1 }
    }
}

extension RowSource {
    func row(named name: EntryName) throws(VaultError) -> EntryRow? {
        try find(name.text, in: .entries) { row throws(VaultError) in try EntryRow(row) }
    }

    func row(labelled label: String) throws(VaultError) -> EntryRow? {
        // Of an edited row, the error is that its bucket does not match.
        let found = try find(label, in: .labels) { row -> Result<LabelRow, VaultError>? in
            Result { () throws(VaultError) in try LabelRow(row) }
        }
        guard let owner = try found?.get() else { return nil }
        guard let row = try row(named: owner.name), owner.isOf(row.description) else {
            throw .damaged(.labels)
        }
        return row
    }

    /// The row that a public key (in any of its forms), a label or a name identifies. A label never
    /// parses as a key, so no text can mean both.
    func row(_ text: String) throws(VaultError) -> EntryRow? {
        if let key = try? PublicKey(text) { return try row(named: EntryName(key)) }
        if let row = try row(labelled: text) { return row }
        // The name of an entry that is not an EOS key.
        guard let name = EntryName(text) else { return nil }
        return try row(named: name)
    }

    func status(of row: EntryRow) throws(VaultError) -> KeyStatus {
        KeyStatus(row, try description(of: row), try lastBackup())
    }

    /// All entries with their backups, in order of creation time and name.
    func statuses() throws(VaultError) -> [KeyStatus] {
        let mark = try lastBackup()
        var entries: [KeyStatus] = []
        try visitAll(.entries) { row throws(VaultError) in
            let row = try EntryRow(row)
            entries.append(KeyStatus(row, try description(of: row), mark))
        }
        return entries.inOrderOfCreation
    }
}
