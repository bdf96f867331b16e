/// The content of the rows of a table: their decoding, limits and self-check, and the parts that a
/// rescue recovers. A table with several kinds of rows has a type for each.
///
/// The rows come in the order of the table: from the file, from verified buckets, or from a damaged
/// file whose manifest proves them.
protocol TableContent: Sendable {
    static var table: VaultTable { get }
    /// True if a rescue is incomplete without these rows.
    static var isRecovered: Bool { get }

    init()

    /// Takes a row. Rows that this content does not interpret are left out.
    /// - Throws: an error for a row that no writer of this version produces, and for more rows than
    ///   a writer stores. Further rows can be taken after an error.
    mutating func visit(_ row: borrowing some RowColumns & ~Copyable) throws(VaultError)

    /// The rows that were interpreted, as a writer stores them.
    var rows: [any TableRow] { get }

    /// Checks the rows of a bucket, all of which were taken.
    mutating func checkBucket(_ check: inout VaultCheck, _ progress: KeyProgress) throws(VaultError)

    /// Checks what needs all rows, and adds to the report what it states about them.
    func check(_ check: inout VaultCheck) throws(VaultError)

    /// Writes the content, which the manifest proves, to a new vault. It does so after the entries.
    func recover(
        _ proof: ManifestProof, to transaction: inout VaultTransaction, _ report: inout RescueReport
    ) throws(VaultError)
}

extension TableContent {
    static var isRecovered: Bool { false }
    var rows: [any TableRow] { [] }

    mutating func visit(_ row: borrowing some RowColumns & ~Copyable) throws(VaultError) {}

    mutating func checkBucket(_ check: inout VaultCheck, _ progress: KeyProgress) throws(VaultError) {}

    func check(_ check: inout VaultCheck) throws(VaultError) {}

    func recover(
        _ proof: ManifestProof, to transaction: inout VaultTransaction, _ report: inout RescueReport
    ) throws(VaultError) {}
}

extension [any TableContent] {
    /// The content with this type.
    func first<Content: TableContent>(_ type: Content.Type) -> Content {
        lazy.compactMap { $0 as? Content }.first ?? Content()
    }
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
