import SecureMemory
import Signing

extension Vault {
    /// The payment history that concerns a transaction, as stored in the file. Anyone who can write
    /// the file can change it. It is verified only after unlocking
    /// (`VaultTransaction.verifiedHistory`).
    package func unverifiedHistory(of subject: PaymentHistory.Subject) throws(VaultError) -> PaymentHistory {
        try unverified { rows throws(VaultError) in try rows.history(of: subject) }
    }

    /// The whole payment history as stored in the file, not verified, for many transactions.
    package func unverifiedLedger() throws(VaultError) -> PaymentLedger {
        try unverified { rows throws(VaultError) in try rows.ledger() }
    }
}

extension RowSource {
    func ledger() throws(VaultError) -> PaymentLedger {
        var ledger = PaymentLedger()
        try visitAll(.counters) { row throws(VaultError) in
            if let row = try HistoryRow.read(row) { ledger.load(row) }
        }
        return ledger
    }

    func history(of subject: PaymentHistory.Subject) throws(VaultError) -> PaymentHistory {
        var history = PaymentHistory()
        let lookup = HistoryLookup(subject)
        for (leaf, sequences) in Dictionary(grouping: lookup.sequences, by: \.leaf) {
            try visit(leaf) { row throws(VaultError) in
                guard let name = row.text(1), let sequence = HistoryRow.sequence(ofName: name),
                    sequences.contains(sequence), let row = try HistoryRow.read(row)
                else { return }
                lookup.add(row, to: &history)
            }
        }
        return history
    }
}

extension VaultTransaction {
    /// Keeps the verified payment history in memory: looking up and remembering a signature then
    /// needs no access to the file. `releaseHistory` must follow; until then nothing is written.
    /// - Parameter known: the history after the caller's last transaction. It is used if no
    ///   transaction followed that one. Otherwise the whole history is read and verified.
    /// - Throws: `manifestMismatch`, `damaged`.
    package mutating func holdHistory(_ known: PaymentLedger?) throws(VaultError) {
        if let known, known.generation == manifest.generation {
            ledger = known
            return
        }
        ledger = try buckets.ledger()
    }

    /// Writes what was added to the history in memory.
    /// - Returns: the history after this transaction.
    /// - Throws: `manifestMismatch`, `damaged`.
    package mutating func releaseHistory() throws(VaultError) -> PaymentLedger {
        var ledger = ledger ?? PaymentLedger()
        self.ledger = nil
        let changes = ledger.takeChanges()
        ledger.generation = changes.isEmpty && !isChanged ? manifest.generation : nextGeneration
        try add(changes, at: now())
        try writeHistory()
        return ledger
    }

    /// The verified payment history that concerns a transaction. The buckets also prove what was
    /// not paid and not signed.
    /// - Throws: `manifestMismatch` when another program added, changed or removed a row;
    ///   `damaged`.
    package func verifiedHistory(of subject: PaymentHistory.Subject) throws(VaultError) -> PaymentHistory {
        if let ledger { return ledger.history(of: subject) }
        let lookup = HistoryLookup(subject)
        var history = PaymentHistory()
        for sequence in lookup.sequences { lookup.add(try rows(of: sequence), to: &history) }
        return history
    }

    /// The verified rows of a sequence, with what this transaction adds to them.
    private func rows(of sequence: HistoryRow.Sequence) throws(VaultError) -> HistoryRows {
        if let rows = addedHistory[sequence] { return rows }
        return try keys.content.history(of: sequence, in: buckets)
    }

    /// Writes what a signature of this transaction is remembered by. It is stored if and only if
    /// the transaction of the vault is committed. A read-only one writes nothing.
    /// - Throws: `timeOutOfRange`, `manifestMismatch`, `damaged`.
    package mutating func rememberSignature(
        _ signature: PaymentHistory.Signature, of subject: PaymentHistory.Subject
    ) throws(VaultError) {
        guard !isReadOnly else { return }
        let time = try now()
        guard ledger == nil else {
            ledger?.add(signature, of: subject, at: time)
            return
        }
        let records = HistoryLookup(subject).records(of: signature, at: time)
        try add(Dictionary(grouping: records, by: \.sequence), at: time)
    }

    /// Adds records to their sequences. `writeHistory` writes them.
    private mutating func add(
        _ changes: [HistoryRow.Sequence: [HistoryRow.Record]], at time: Int64
    ) throws(VaultError) {
        for (sequence, records) in changes {
            var rows = try rows(of: sequence)
            try rows.add(records)
            rows.removeOldest(at: time)
            addedHistory[sequence] = rows
        }
    }

    /// Writes what the signatures of this transaction added.
    mutating func writeHistory() throws(VaultError) {
        guard !addedHistory.isEmpty else { return }
        let added = addedHistory
        try change { (transaction: inout VaultTransaction) throws(VaultError) in
            for (sequence, rows) in added { try transaction.write(rows, to: sequence.leaf) }
        }
        writtenHistory.merge(added) { _, new in new }
        addedHistory = [:]
    }

    private mutating func write(_ rows: HistoryRows, to leaf: Manifest.Leaf) throws(VaultError) {
        guard !rows.written.isEmpty || !rows.removed.isEmpty else { return }
        try buckets.load(leaf)
        let keys = keys
        try write(keepsEntries: true) { (transaction: inout VaultTransaction) throws(VaultError) in
            try keys.lendManifest { _ throws(VaultError) in
                for name in rows.removed {
                    try transaction.buckets.remove(name, of: HistoryRow.self, in: leaf)
                }
                for row in rows.written {
                    try transaction.buckets.remove(row.rowName, of: HistoryRow.self, in: leaf)
                    try transaction.buckets.add(row, to: leaf)
                }
            }
        }
    }
}
