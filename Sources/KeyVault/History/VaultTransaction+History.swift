import SecureMemory

extension Vault {
    /// The payment history that concerns a transaction, as stored in the file. Anyone who can write
    /// the file can change it. It is verified only after unlocking
    /// (`VaultTransaction.verifiedHistory`).
    package func unverifiedHistory(of subject: PaymentHistory.Subject) throws(VaultError) -> PaymentHistory {
        try read { () throws(VaultError) in
            var history = PaymentHistory()
            for name in subject.rowNames {
                try HistoryRow.visit(name, in: connection) { row throws(VaultError) in
                    if let row = try HistoryRow.read(row) { history.add(row) }
                }
            }
            return history
        }
    }

    /// The whole payment history as stored in the file, not verified, for many transactions.
    package func unverifiedLedger() throws(VaultError) -> PaymentLedger {
        try read { () throws(VaultError) in
            var ledger = PaymentLedger()
            let sql = "SELECT * FROM counters ORDER BY bucket, name"
            try connection.query(sql) { row throws(VaultError) in
                if let row = try HistoryRow.read(row) { ledger.add(row) }
            }
            return ledger
        }
    }
}

extension VaultTransaction {
    /// The generation that this transaction makes.
    package var newGeneration: Int64 { nextGeneration }

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
        var ledger = PaymentLedger()
        try verifyAll(.counters) { row throws(VaultError) in
            if let row = try HistoryRow.read(row) { ledger.add(row) }
        }
        self.ledger = ledger
    }

    /// Writes what was added to the history in memory.
    /// - Returns: the history after this transaction.
    /// - Throws: `manifestMismatch`, `damaged`.
    package mutating func releaseHistory() throws(VaultError) -> PaymentLedger {
        var ledger = ledger ?? PaymentLedger()
        self.ledger = nil
        let changes = ledger.takeChanges()
        ledger.generation = changes.isEmpty && changed.isEmpty ? manifest.generation : nextGeneration
        try write(changes)
        return ledger
    }

    /// The verified payment history that concerns a transaction. The buckets also prove what was
    /// not paid and not signed.
    /// - Throws: `manifestMismatch` when another program added, changed or removed a row;
    ///   `damaged`.
    package func verifiedHistory(of subject: PaymentHistory.Subject) throws(VaultError) -> PaymentHistory {
        if let ledger { return ledger.history(of: subject) }
        var history = PaymentHistory()
        for (bucket, names) in Dictionary(grouping: subject.rowNames, by: VaultTable.counters.bucket) {
            try verify(Manifest.Leaf(table: .counters, bucket: bucket)) { row throws(VaultError) in
                guard let name = row.text(1), names.contains(name), let row = try HistoryRow.read(row) else { return }
                history.add(row)
            }
        }
        return history
    }

    /// Writes what a signature of this transaction is remembered by. It is stored if and only if
    /// the transaction of the vault is committed. A read-only one writes nothing.
    /// - Throws: `timeOutOfRange`, `manifestMismatch`, `damaged`.
    package mutating func rememberSignature(
        _ signature: PaymentHistory.Signature, of subject: PaymentHistory.Subject
    ) throws(VaultError) {
        guard !isReadOnly else { return }
        let time = try now()
        let generation = nextGeneration
        guard ledger == nil else {
            ledger?.add(signature, of: subject, at: time, generation: generation)
            return
        }
        let history = try verifiedHistory(of: subject)
        let rows = HistoryRow.rows(
            for: signature, of: subject, after: history.signatures, at: time, generation: generation)
        try write(Dictionary(grouping: rows, by: \.bucket))
    }

    /// Writes the rows of these buckets.
    private mutating func write(_ changes: [Int: [HistoryRow]]) throws(VaultError) {
        try change { (transaction: inout VaultTransaction) throws(VaultError) in
            for (bucket, rows) in changes {
                try transaction.write(rows, to: Manifest.Leaf(table: .counters, bucket: bucket))
            }
        }
    }

    /// Writes rows to their bucket, and removes the oldest ones beyond the limit.
    private mutating func write(_ rows: [HistoryRow], to leaf: Manifest.Leaf) throws(VaultError) {
        try load(leaf)
        let keys = keys
        try write(keepsEntries: true) { (transaction: inout VaultTransaction) throws(VaultError) in
            try keys.manifest.withBytes { _ throws(VaultError) in
                for row in rows {
                    try transaction.removeRow(row.name, of: HistoryRow.self, in: leaf)
                    try transaction.add(row, to: leaf)
                }
            }
        }
        let excess = (loaded[leaf]?.count { !PolicyUseRow.isName($0) } ?? 0) - HistoryRow.maximumCountInBucket
        guard excess > 0 else { return }
        var kept: [HistoryRow] = []
        try verify(leaf) { row throws(VaultError) in
            if let row = try HistoryRow.read(row) { kept.append(row) }
        }
        kept.sort { $0.isOlder(than: $1) }
        try write(keepsEntries: true) { (transaction: inout VaultTransaction) throws(VaultError) in
            for row in kept.prefix(excess) { try transaction.removeRow(row.name, of: HistoryRow.self, in: leaf) }
        }
    }
}
