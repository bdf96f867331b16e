extension Vault {
    /// The payment history that concerns a transaction, as stored in the file. Anyone who can write
    /// the file can change it. It is verified only after unlocking
    /// (`VaultTransaction.verifiedHistory`).
    package func unverifiedHistory(of subject: PaymentHistory.Subject) throws(VaultError) -> PaymentHistory {
        try read { () throws(VaultError) in
            var history = PaymentHistory()
            for name in subject.rowNames.values.joined() {
                try HistoryRow.visit(name, in: connection) { row throws(VaultError) in
                    if let row = try HistoryRow.read(row) { history.add(row) }
                }
            }
            return history
        }
    }
}

extension VaultTransaction {
    /// The verified payment history that concerns a transaction. The buckets also prove what was
    /// not paid and not signed.
    /// - Throws: `manifestMismatch` when another program added, changed or removed a row;
    ///   `damaged`.
    package func verifiedHistory(of subject: PaymentHistory.Subject) throws(VaultError) -> PaymentHistory {
        var history = PaymentHistory()
        for (bucket, names) in subject.rowNames {
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
        var signatures = try verifiedHistory(of: subject).signatures.filter {
            $0.key != signature.key || $0.transaction != signature.transaction
        }
        signatures = signatures.suffix(HistoryRow.maximumSignatureCount - 1) + [signature]
        let contents =
            subject.recipients.map { HistoryRow.Content.payment($0, at: time) }
            + [.signatures(chain: subject.chain, actions: subject.actions, signatures)]
        let rows = contents.map { HistoryRow($0, generation: nextGeneration) }
        let buckets = Dictionary(grouping: rows) { VaultTable.counters.bucket(of: $0.name) }
        try change { (transaction: inout VaultTransaction) throws(VaultError) in
            for (bucket, rows) in buckets {
                try transaction.write(rows, to: Manifest.Leaf(table: .counters, bucket: bucket))
            }
        }
    }

    /// Writes rows to their bucket, and removes the oldest ones beyond the limit.
    private mutating func write(_ rows: [HistoryRow], to leaf: Manifest.Leaf) throws(VaultError) {
        try load(leaf)
        try write { (transaction: inout VaultTransaction) throws(VaultError) in
            for row in rows {
                try transaction.removeRow(row.name, of: HistoryRow.self)
                try transaction.add(row)
            }
        }
        let excess = (loaded[leaf]?.count ?? 0) - HistoryRow.maximumCountInBucket
        guard excess > 0 else { return }
        var kept: [(generation: Int64, name: String)] = []
        try verify(leaf) { row throws(VaultError) in
            if let row = try HistoryRow.read(row) { kept.append((row.generation, row.name)) }
        }
        kept.sort { $0.generation != $1.generation ? $0.generation < $1.generation : $0.name < $1.name }
        try write { (transaction: inout VaultTransaction) throws(VaultError) in
            for (_, name) in kept.prefix(excess) { try transaction.removeRow(name, of: HistoryRow.self) }
        }
    }
}
