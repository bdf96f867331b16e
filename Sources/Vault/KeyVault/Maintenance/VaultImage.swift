/// The bytes of a backup, read completely, whatever the file's mode and owner. A USB stick's file
/// system often has neither.
package struct VaultImage: Sendable {
    let bytes: [UInt8]
    let path: String

    /// Reports a file that can't be a backup, without reading it.
    /// - Throws: `noSuchFile`, `notARegularFile`, `tooLarge`, `system`.
    package static func verifyReadable(_ path: String) throws(VaultError) {
        _ = try RawFile(path, role: .vault)
    }

    /// - Throws: `noSuchFile`, `notARegularFile`, `tooLarge`, `unfinishedChange` when a journal is
    ///   next to it, `system`.
    package init(contentsOf path: String) throws(VaultError) {
        self.path = path
        bytes = try RawFile(path, role: .vault).contents()
        guard try VaultJournal(at: path + "-journal", vaultSize: Int64(bytes.count)) == nil else {
            throw .file(.unfinishedChange)
        }
    }

    /// The policies in the file, not verified; see `Vault.unverifiedPolicies`.
    package func unverifiedPolicies() throws(VaultError) -> [StoredPolicy] {
        try Vault(image: bytes).unverifiedPolicies()
    }
}
