import SecureMemory

/// Every refusal and failure of a vault, as data for the command's messages. An error never
/// contains a secret.
public enum VaultError: Error, Equatable {
    // MARK: user input

    /// The PIN is empty.
    case pinEmpty
    case pinTooShort(minimum: Int)
    case pinTooLong(maximum: Int)
    /// The byte at `offset` is not printable ASCII (0x20 to 0x7e).
    case pinNotPrintableASCII(offset: Int)
    /// No slot of this kind opens: the PIN is wrong, the PIN or the key file is wrong (there is no
    /// way to know which), or the phrase is wrong. The `damagedSlots` could not be tried, so the
    /// unlock method may belong to one of them.
    case wrongUnlockMethod(SlotKind, damagedSlots: [Int])
    /// The key file does not have 32 bytes.
    case keyFileLength(count: Int)
    case recoveryPhrase(RecoveryPhraseProblem)
    case label(LabelProblem)
    case labelExists
    case keyExists
    case noSuchKey
    /// A key was to be removed, but no verified backup contains it.
    case neverBackedUp
    case noSuchSlot(Int)
    /// This is the vault's only slot. Without it nothing would open the vault.
    case lastSlot
    /// All eight slots are in use.
    case slotsFull
    /// These slots can't get a new master key without their unlock methods.
    case otherSlots([Int])
    /// Another process changed the slot that opened the vault. Nothing was done.
    case slotChanged
    /// The vault has a policy or limit that the request would bypass.
    case policySet
    case kdfCost(KDFCostProblem)
    /// The time is outside 0...253402300799 seconds since 1970 (the year 9999).
    case timeOutOfRange

    // MARK: the file and its folder

    /// The path is empty, ends in a slash or contains a zero byte.
    case invalidPath
    /// SQLite would use a file with this name as its own next to another vault, and delete it: the
    /// name ends in `-journal`, `-wal` or `-shm`.
    case reservedName
    case noSuchFile
    case alreadyExists
    case notARegularFile(FileRole, FileKind)
    /// The file belongs to the user `owner`, not to the user who runs the program.
    case notOwned(FileRole, owner: UInt32)
    /// The permission bits let other users in; `FileRole` documents which bits are allowed.
    case permissionsTooOpen(FileRole, mode: UInt32)
    /// A `-wal` file is next to the vault. A vault has none, and SQLite would read changes from it.
    case strayWriteAheadLog
    /// eosvault did not write the `-journal` file next to the vault, and SQLite would play it back.
    /// The journal has another page size, more pages than the file, or a super-journal.
    case strayJournal
    /// The file was replaced while it was being opened.
    case replacedWhileOpening
    /// A journal is next to a file that may only be read. A crash interrupted a change, and the
    /// file alone is not the vault.
    case unfinishedChange
    /// The vault's file has `count` names (hard links) and was to be written. A journal under one
    /// name is not found under another.
    case hardLinked(count: Int)
    /// The file is longer than `limit` bytes, the most that a vault can have.
    case tooLarge(limit: Int)
    /// Writing a new file under its final name failed. The file system, such as exFAT, offers no
    /// safer method.
    /// - Parameter isRemoved: false when an incomplete file is left.
    case incompleteFile(errno: Int32, isRemoved: Bool)
    /// The bytes read back from a file differ from those that were written. The file was removed.
    case readBackDiffers
    /// The backup is written and verified, but the vault could not record it: its keys count as not
    /// backed up.
    indirect case backupNotRecorded(VaultError)
    case notAVault(NotAVault)
    /// The file's format version is newer than the newest supported one.
    case newerVersion(found: UInt32, supported: UInt32)

    // MARK: the machine

    /// Another process held the vault's lock for longer than the allowed time.
    case busy
    case diskFull
    /// The vault has reached its maximum size.
    case vaultFull
    /// The file or the file system can't be written.
    case readOnly
    /// The change was made, but the folder of its files could not be synced. A power loss may undo
    /// the change. Every other failure of a transaction leaves the vault unchanged.
    case commitUncertain
    /// A system call failed.
    case system(SystemOperation, errno: Int32)
    case memory(SecureMemoryError)
    /// The key derivation could not allocate its memory, in bytes.
    case notEnoughMemory(needed: UInt64)
    /// SQLite failed with this extended result code, which has no case here.
    case sqlite(code: Int32)

    // MARK: damage and forgery

    case damaged(Damage)
    /// The schema differs from the schema of this format: an object is missing, added or changed.
    case schemaAltered
    /// Both copies of these slots are damaged, and the vault has no other slot for the given kind
    /// of unlock method.
    case slotsDamaged([Int])
    /// The vault has no slot of this kind; `others` are the kinds that it has.
    case noSlot(SlotKind, others: [SlotKind])
    case audit(AuditFault)
    /// The authenticated digests do not match the rows. Something was edited, moved, added or
    /// removed, or belongs to another vault.
    case manifestMismatch(ManifestPart)
    /// The vault's generation is lower than the one that was seen earlier.
    case rolledBack(found: UInt64, seen: UInt64)
    /// The vault's generation is no lower than the one that was seen earlier, but its audit log
    /// lacks the record that was seen. It is an older copy that was changed since.
    case forked
    /// The variable's path is not absolute. Its meaning would depend on the current folder.
    case relativeFolder(FolderVariable)
    /// The witness of the vault can't be read, so an older copy would go undetected.
    case witnessUnreadable
    /// The number of faults in the vault; `Vault.check` lists them.
    case faulty(count: Int)
    /// The sealed secret of the entry does not open, or does not match the entry.
    case entryDamaged(EntryFault)
    /// The entry is of a kind that this version does not support.
    case unsupportedKind(UInt8)
    /// A statement took more steps than an intact file of this size can need.
    case budgetExceeded
}

/// The problem with a label.
public enum LabelProblem: Equatable, Sendable {
    case empty
    case tooLong(maximum: Int)
    /// A control, bidi, zero-width, unassigned or otherwise invisible character; `offset` counts
    /// UTF-8 bytes.
    case unprintable(offset: Int)
    /// The label begins or ends with a space.
    case outerSpace
    /// The label could be mistaken for a key or a signature.
    case looksLikeKey
}

/// The problem with a key derivation cost.
public enum KDFCostProblem: Equatable, Sendable {
    case passes(UInt32, allowed: ClosedRange<UInt32>)
    /// The requested memory in bytes is outside the allowed range.
    case memory(UInt64, allowed: ClosedRange<UInt64>)
    /// The requested number of bytes is not a multiple of 1,024.
    case memoryNotWholeKibibytes(UInt64)
    /// Several slots together request too much.
    case together
    /// The requested number of bytes, and the number that the machine has.
    case memoryBeyondMachine(UInt64, machine: UInt64)
}

/// The problem with a recovery phrase.
public enum RecoveryPhraseProblem: Equatable, Sendable {
    case wordCount(Int)
    /// The word at `position`, from 1, is not in the list.
    case unknownWord(position: Int)
    /// A word was mistaken for another word of the list, or the words are in the wrong order.
    case checksum
    /// The words are a BIP-39 seed, which belongs to a wallet and not to a vault.
    case walletSeed
}

/// A fault of the audit log; `sequence` counts records from 1.
public enum AuditFault: Equatable, Sendable {
    /// The record was changed or replaced by another one.
    case changed(sequence: Int64)
    /// The record is missing, and later records exist.
    case missing(sequence: Int64)
    /// Records at the end are missing: the log ends before the last record in the manifest.
    case cut(last: Int64, expected: Int64)
    /// A record follows the last record in the manifest.
    case extra(sequence: Int64)
}

public enum FileRole: Equatable, Sendable {
    /// The vault: no permissions for group or others.
    case vault
    /// The folder of the vault: not writable by group or others.
    case folder
    /// The folder of the witness: not writable by group or others.
    case stateFolder
    /// SQLite's rollback journal: not writable by group or others.
    case journal
}

public enum FileKind: Equatable, Sendable {
    case regular, directory, symbolicLink, other
}

/// Why a file is not a vault.
public enum NotAVault: Equatable, Sendable {
    case empty
    /// The file is shorter than SQLite's header; its length in bytes.
    case tooShort(count: Int)
    case notSQLite
    /// The file is an SQLite database of another application.
    case applicationID(UInt32)
    /// `user_version` is 0: no format version was ever written.
    case noVersion
}

/// Where the bytes can't be those that were written.
public enum Damage: Equatable, Sendable {
    /// SQLite's header has a setting that a vault never has; `offset` is its first byte.
    case header(offset: Int)
    /// The file's length and the length in the header differ; in bytes.
    case length(expected: Int64, found: Int64)
    /// SQLite found malformed pages.
    case pages
    /// A column in a row of this table has a wrong type, length or value.
    case row(VaultTable)
}

public enum VaultTable: UInt8, Equatable, Sendable {
    case vault, manifest, slots, entries, settings, abis, policies, counters, audit, labels
}

/// The part of the manifest that does not match.
public enum ManifestPart: Equatable, Sendable {
    /// The root: the digests were changed, or come from another vault or master key.
    case root
    /// One bucket of a table's rows.
    case bucket(VaultTable, Int)
}

public enum EntryFault: Equatable, Sendable {
    /// The authenticated encryption refused the secret.
    case seal
    /// The secret opened, but is not a valid key of its curve, or not the key of its public key.
    case key
}

public enum SystemOperation: Equatable, Sendable {
    case inspect, open, create, write, sync, rename, makeFolder, read
}

/// A caller's error that can contain a vault's error. The closures that a vault runs may throw it.
public protocol VaultFailure: Error {
    init(vault error: VaultError)
}

extension VaultError: VaultFailure {
    public init(vault error: VaultError) { self = error }
}

/// Runs a step that throws `VaultError` inside a function that throws a caller's error.
func lifting<Result: ~Copyable, Failure: VaultFailure>(
    to failure: Failure.Type, _ step: () throws(VaultError) -> Result
) throws(Failure) -> Result {
    do { return try step() } catch { throw Failure(vault: error) }
}
