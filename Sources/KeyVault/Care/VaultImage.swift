/// The bytes of a backup, read whole, whatever the file's mode and owner: a stick has none.
package struct VaultImage: Sendable {
    let bytes: [UInt8]
    let path: String

    /// - Throws: `noSuchFile`, `notARegularFile`, `tooLarge`, `unfinishedChange` when a journal
    ///   stands beside it, `system`.
    package init(contentsOf path: String) throws(VaultError) {
        self.path = path
        bytes = try RawFile(path, role: .vault).contents()
        guard try VaultJournal(at: path + "-journal", vaultSize: Int64(bytes.count)) == nil else {
            throw .unfinishedChange
        }
    }
}
