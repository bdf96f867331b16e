/// The vault's record of an archive of its audit log.
package struct ArchiveDescription: Equatable, Sendable {
    /// The number of the first record.
    package let first: Int64
    /// The number of the last record.
    package let last: Int64
    /// When the archive was made, in seconds since 1970.
    package let time: Int64
    /// Identifies the file (`ArchiveHeader.hash`).
    package let hash: [UInt8]
}
