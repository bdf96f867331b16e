/// The bytes of a vault's file without its unused pages.
///
/// A file in use is never made shorter: SQLite removes the journal first and cuts the file after
/// that, and a process that is killed in between leaves a file with another length than its header
/// states. A new file has no such moment.
struct CompactImage {
    private let connection: SQLiteConnection

    /// Copies each row. Nothing is verified.
    /// - Parameter image: a vault in which a check found no fault.
    init(of image: [UInt8]) throws(VaultError) {
        try VaultHeader.verify(Array(image.prefix(VaultHeader.count)))
        let (old, new) = (try SQLiteConnection(image: image), try VaultSchema.emptyDatabase())
        try new.run("BEGIN")
        for table in VaultTable.all {
            try old.query("SELECT * FROM \(table.name)") { row throws(VaultError) in
                guard let values = row.values else { throw .integrity(.damaged(.pages)) }
                let places = values.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
                try new.run("INSERT INTO \(table.name) VALUES (\(places))", values)
            }
        }
        try new.commit()
        connection = new
    }

    var bytes: [UInt8] { get throws(VaultError) { try connection.serialized() } }

    /// Changes the copy.
    func change(
        _ opened: Vault.OpenedSlot, _ clock: VaultClock,
        _ body: (inout VaultTransaction) throws(VaultError) -> Void
    ) throws(VaultError) {
        let manifest = try Manifest(in: connection)
        try manifest.verifyRoot(opened.keys)
        var transaction = VaultTransaction(
            connection: connection, opened: opened, manifest: manifest, clock: clock)
        try body(&transaction)
        _ = try transaction.finish()
    }

    /// True if more than half of the pages of a vault are unused, by its header.
    static func isSmaller(than image: [UInt8]) -> Bool {
        let (pages, unused): (Int, Int) = (image.bigEndian(at: 28), image.bigEndian(at: 36))
        return unused > pages / 2
    }
}
