import Files
import SecureMemory

extension VaultError {
    /// This machine can't do what the operation needs.
    package enum Machine: Equatable, Sendable {
        /// The time is outside 0...253402300799 seconds since 1970 (the year 9999).
        case timeOutOfRange
        /// Another process held the vault's lock for longer than the allowed time.
        case busy
        case diskFull
        /// The file or the file system can't be written.
        case readOnly
        /// The change was made, but the folder of its files could not be synced. A power loss may
        /// undo the change. Every other failure of a transaction leaves the vault unchanged.
        case commitUncertain
        /// A system call failed.
        case system(SystemOperation, errno: Int32)
        case memory(SecureMemoryError)
        /// The key derivation could not allocate its memory, in bytes.
        case notEnoughMemory(needed: UInt64)
        /// SQLite failed with this extended result code, which has no case here.
        case sqlite(code: Int32)
        /// The variable's path is not absolute. Its meaning would depend on the current folder.
        case relativeFolder(FolderVariable)
    }

    static func memory(_ error: SecureMemoryError) -> VaultError { .machine(.memory(error)) }
}
