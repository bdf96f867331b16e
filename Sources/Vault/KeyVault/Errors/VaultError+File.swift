import Files

extension VaultError {
    /// The file, its folder or a copy of it is refused.
    package enum File: Equatable, Sendable {
        /// The path is empty, ends in a slash or contains a zero byte.
        case invalidPath
        /// SQLite would use a file with this name as its own next to another vault, and delete it:
        /// the name ends in `-journal`, `-wal` or `-shm`.
        case reservedName
        case noSuchFile
        case alreadyExists
        case notARegularFile(FileRole, FileKind)
        /// The file belongs to the user `owner`, not to the user who runs the program.
        case notOwned(FileRole, owner: UInt32)
        /// The permission bits give access to other users; `FileRole` documents which bits are
        /// allowed.
        case permissionsTooOpen(FileRole, mode: UInt32)
        /// A `-wal` file is next to the vault. A vault has none, and SQLite would read changes from
        /// it.
        case strayWriteAheadLog
        /// eosvault did not write the `-journal` file next to the vault, and SQLite would play it
        /// back. The journal has another page size, more pages than the file, or a super-journal.
        case strayJournal
        /// The file was replaced while it was being opened.
        case replacedWhileOpening
        /// A journal is next to a file that may only be read. A crash interrupted a change, and the
        /// file alone is not the vault.
        case unfinishedChange
        /// The vault's file has `count` names (hard links) and was to be written. A journal under
        /// one name is not found under another.
        case hardLinked(count: Int)
        /// The file is longer than `limit` bytes, the most that a vault can have.
        case tooLarge(limit: Int)
        /// Writing a new file under its final name failed. The file system, such as exFAT, offers
        /// no safer method.
        /// - Parameter isRemoved: false when an incomplete file is left.
        case incompleteFile(errno: Int32, isRemoved: Bool)
        /// The bytes read back from a file differ from the bytes that were written. The file was
        /// removed.
        case readBackDiffers
        /// The backup is written and verified, but the vault could not record it: its keys count as
        /// not backed up.
        indirect case backupNotRecorded(VaultError)
        case notAVault(NotAVault)
        /// The file's format version is newer than the newest supported one.
        case newerVersion(found: UInt32, supported: UInt32)
        /// The vault has reached its maximum size.
        case vaultFull
    }
}

package enum FileRole: Equatable, Sendable {
    /// The vault: no permissions for group or others.
    case vault
    /// The folder of the vault: not writable by group or others.
    case folder
    /// The folder of the witness: not writable by group or others.
    case stateFolder
    /// SQLite's rollback journal: not writable by group or others.
    case journal
}

/// Why a file is not a vault.
package enum NotAVault: Equatable, Sendable {
    case empty
    /// The file is shorter than SQLite's header; its length in bytes.
    case tooShort(count: Int)
    case notSQLite
    /// The file is an SQLite database of another application.
    case applicationID(UInt32)
    /// `user_version` is 0: no format version was ever written.
    case noVersion
}
