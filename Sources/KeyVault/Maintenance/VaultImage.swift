/// The bytes of a backup, read completely, whatever the file's mode and owner. A USB stick's file
/// system often has neither.
package struct VaultImage: Sendable {
    let bytes: [UInt8]
    let path: String

    /// - Throws: `noSuchFile`, `notARegularFile`, `tooLarge`, `unfinishedChange` when a journal is
    ///   next to it, `system`.
    package init(contentsOf path: String) throws(VaultError) {
        self.path = path
        bytes = try RawFile(path, role: .vault).contents()
        guard try VaultJournal(at: path + "-journal", vaultSize: Int64(bytes.count)) == nil else {
            throw .file(.unfinishedChange)
        }
    }
}
