/// What rows of a table contain: their decoding, their limits, and what a rescue recovers. A table
/// with several kinds of rows has a type for each.
///
/// The rows come in the order of the table: from the file, from verified buckets, or from a damaged
/// file whose manifest proves them.
protocol TableContent: Sendable {
    init()

    /// Takes a row. Rows that this content does not interpret are left out.
    /// - Throws: an error for a row that no writer of this version produces, and for more rows than
    ///   a writer stores. Further rows can be taken after an error.
    mutating func visit(_ row: borrowing some RowColumns & ~Copyable) throws(VaultError)

    /// Verifies what needs all rows.
    func complete() throws(VaultError)

    /// The rows that were interpreted, as a writer stores them.
    var rows: [any TableRow] { get }

    /// Adds what a check states about the content.
    func add(to report: inout CheckReport)

    /// Writes the content, which the manifest proves, to a new vault. It does so after the entries.
    func recover(
        _ proof: ManifestProof, to transaction: inout VaultTransaction, _ report: inout RescueReport
    ) throws(VaultError)
}

extension TableContent {
    func complete() throws(VaultError) {}

    func add(to report: inout CheckReport) {}

    func recover(
        _ proof: ManifestProof, to transaction: inout VaultTransaction, _ report: inout RescueReport
    ) throws(VaultError) {}
}

/// The columns of a row, from SQLite or from the bytes of a damaged file. A column is read as its
/// stored type and never converted, because a file can have any type in any column.
protocol RowColumns: ~Copyable {
    func integer(_ column: Int32) -> Int64?
    /// Nil when the column is not valid UTF-8 text.
    func text(_ column: Int32) -> String?
    func blob(_ column: Int32) -> [UInt8]?
    func isNull(_ column: Int32) -> Bool
}
