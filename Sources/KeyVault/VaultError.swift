import SecureMemory

/// Everything a vault can refuse or fail with: data for the words of the command, never a secret.
package enum VaultError: Error, Equatable {
    // MARK: what the person gave

    /// The PIN has no bytes.
    case pinEmpty
    case pinTooShort(minimum: Int)
    case pinTooLong(maximum: Int)
    /// The byte at `offset` is not printable ASCII (0x20 to 0x7e).
    case pinNotPrintableASCII(offset: Int)
    /// No slot of this kind opens: a wrong PIN, a wrong PIN or key file (which of them can't be
    /// told), a wrong phrase. `damagedSlots` could not be tried: what was given may open such a
    /// slot.
    case wrongWayIn(SlotKind, damagedSlots: [Int])
    /// A key file of another length than 32 bytes.
    case keyFileLength(count: Int)
    case recoveryPhrase(RecoveryPhraseProblem)
    case label(LabelProblem)
    case labelExists
    case keyExists
    case noSuchKey
    /// No verified backup holds the key, and it was to be removed.
    case neverBackedUp
    case noSuchSlot(Int)
    /// The vault's only slot: without it nothing would open the vault.
    case lastSlot
    /// All eight slots are taken.
    case slotsFull
    /// Slots that can't be carried over to a new master key without what opens them.
    case otherSlots([Int])
    /// The slot that opened the vault was changed by another process meanwhile: nothing was done.
    case slotChanged
    /// A policy or limit stands in the vault, and what was asked for would pass it by.
    case policySet
    case kdfCost(KDFCostProblem)
    /// Seconds since 1970 outside 0...253402300799 (the year 9999).
    case timeOutOfRange

    // MARK: the file and its folder

    /// A path that is empty, ends in a slash or holds a zero byte.
    case invalidPath
    /// A name that SQLite takes for its own beside another vault, and deletes: it ends in
    /// `-journal`, `-wal` or `-shm`.
    case reservedName
    case noSuchFile
    case alreadyExists
    case notARegularFile(FileRole, FileKind)
    /// Owned by the user `owner` and not by the one who runs the program.
    case notOwned(FileRole, owner: UInt32)
    /// Permission bits that let others in; see `FileRole` for which are allowed.
    case permissionsTooOpen(FileRole, mode: UInt32)
    /// A `-wal` file stands beside the vault. A vault has none, and SQLite would read changes from
    /// it.
    case strayWriteAheadLog
    /// A `-journal` file stands beside the vault that eosvault never wrote, and SQLite would play
    /// back: other page sizes, more pages than the file has, a super-journal.
    case strayJournal
    /// The file changed its identity while it was being opened.
    case replacedWhileOpening
    /// A journal stands beside a file that is only to be read: a crash cut a change short, and the
    /// file alone is not the vault.
    case unfinishedChange
    /// The vault's file has so many names (hard links), and was to be written. A journal under one
    /// of them is not found under another.
    case hardLinked(count: Int)
    /// Longer than any vault, in bytes; see `limit`.
    case tooLarge(limit: Int)
    /// A new file was written under its final name, and that failed: the file system offers nothing
    /// better, as exFAT.
    /// - Parameter isRemoved: false when an incomplete file is left.
    case incompleteFile(errno: Int32, isRemoved: Bool)
    /// What was read back from a file is not what was written to it, and the file was taken away
    /// again.
    case readBackDiffers
    /// The backup stands and is verified, and the vault could not be told: its keys count as not
    /// backed up.
    indirect case backupNotRecorded(VaultError)
    case notAVault(NotAVault)
    /// The format version of the file, and the newest that is understood.
    case newerVersion(found: UInt32, supported: UInt32)

    // MARK: the machine

    /// Another process held the vault's lock for longer than the time allowed.
    case busy
    case diskFull
    /// The vault has as many bytes as one may have.
    case vaultFull
    /// The file or the file system can't be written.
    case readOnly
    /// The change was made, and the folder that names its files could not be synced: after a power
    /// cut it may be undone. Every other failure of a transaction leaves the vault as it was.
    case commitUncertain
    /// A system call failed.
    case system(SystemOperation, errno: Int32)
    case memory(SecureMemoryError)
    /// The key derivation could not get its memory, in bytes.
    case notEnoughMemory(needed: UInt64)
    /// SQLite failed with this extended result code, which has no case of its own here.
    case sqlite(code: Int32)

    // MARK: damage and forgery

    case damaged(Damage)
    /// The schema is not the one of this format: an object is missing, added or differs.
    case schemaAltered
    /// Both copies of these slots are damaged, and no other slot is of the kind of what was given.
    case slotsDamaged([Int])
    /// No slot of the vault is of this kind; `others` are those it has.
    case noSlot(SlotKind, others: [SlotKind])
    case audit(AuditFault)
    /// The authenticated digests don't fit the rows: something was edited, moved, added or removed,
    /// or belongs to another vault.
    case manifestMismatch(ManifestPart)
    /// The vault's generation is lower than the one seen earlier.
    case rolledBack(found: UInt64, seen: UInt64)
    /// The vault's generation is no lower than the one seen earlier, and its audit log does not
    /// hold the record that was seen: it is an older copy that was changed since.
    case forked
    /// The variable's path is not absolute: which folder it means would depend on the current one.
    case relativeFolder(FolderVariable)
    /// What this machine remembers of the vault can't be read, so that an older copy can't be told.
    case witnessUnreadable
    /// So many things are wrong with the vault: `Vault.check` tells them.
    case faulty(count: Int)
    /// The sealed secret of the entry does not open, or is not what the entry says.
    case entryDamaged(EntryFault)
    /// An entry of a kind that this version does not know.
    case unsupportedKind(UInt8)
    /// A statement took more steps than a sound file of this size can need.
    case budgetExceeded
}

/// What is wrong with a label.
package enum LabelProblem: Equatable, Sendable {
    case empty
    case tooLong(maximum: Int)
    /// A control, bidi, zero-width, unassigned or otherwise invisible character; `offset` counts
    /// UTF-8 bytes.
    case unprintable(offset: Int)
    /// It begins or ends with a space.
    case outerSpace
    /// It could be taken for a key or a signature.
    case looksLikeKey
}

/// What is wrong with a key derivation cost.
package enum KDFCostProblem: Equatable, Sendable {
    case passes(UInt32, allowed: ClosedRange<UInt32>)
    /// Bytes.
    case memory(UInt64, allowed: ClosedRange<UInt64>)
    /// Bytes that are no multiple of 1,024.
    case memoryNotWholeKibibytes(UInt64)
    /// What several slots ask for together.
    case together
    /// Bytes asked for, and bytes that the machine has.
    case memoryBeyondMachine(UInt64, machine: UInt64)
}

/// What is wrong with a recovery phrase.
package enum RecoveryPhraseProblem: Equatable, Sendable {
    case wordCount(Int)
    /// The word at `position`, from 1, is not in the list.
    case unknownWord(position: Int)
    /// A word was mistaken for another one of the list, or they stand in another order.
    case checksum
    /// It is a seed of BIP-39: a wallet's words, not a vault's.
    case walletSeed
}

/// What is wrong with the audit log; `sequence` counts records from 1.
package enum AuditFault: Equatable, Sendable {
    /// The record was changed, or stands at another's place.
    case changed(sequence: Int64)
    /// There is no such record, and there are later ones.
    case missing(sequence: Int64)
    /// Records at the end are gone: the log ends before the record that the manifest names.
    case cut(last: Int64, expected: Int64)
    /// A record behind the one that the manifest names as the last.
    case extra(sequence: Int64)
}

package enum FileRole: Equatable, Sendable {
    /// The vault: nothing for group and others.
    case vault
    /// The folder it stands in: not writable by group or others.
    case folder
    /// The folder of what this machine remembers of vaults: not writable by group or others.
    case stateFolder
    /// SQLite's rollback journal: not writable by group or others.
    case journal
}

package enum FileKind: Equatable, Sendable {
    case regular, directory, symbolicLink, other
}

/// Why a file is no vault.
package enum NotAVault: Equatable, Sendable {
    case empty
    /// Shorter than SQLite's header; its length in bytes.
    case tooShort(count: Int)
    case notSQLite
    /// A SQLite database of another application.
    case applicationID(UInt32)
    /// `user_version` 0: no format version was ever written.
    case noVersion
}

/// Where bytes can't be what was written.
package enum Damage: Equatable, Sendable {
    /// SQLite's header names settings that a vault never has; `offset` is the first such byte.
    case header(offset: Int)
    /// The file's length and the header's don't agree; bytes.
    case length(expected: Int64, found: Int64)
    /// SQLite found its pages malformed.
    case pages
    /// A row of this table has a column of a wrong type, length or value.
    case row(VaultTable)
}

package enum VaultTable: UInt8, Equatable, Sendable {
    case vault, manifest, slots, entries, settings, abis, policies, counters, audit, labels
}

/// The part of the manifest that does not fit.
package enum ManifestPart: Equatable, Sendable {
    /// The root: the digests themselves were changed, or come from another vault or master key.
    case root
    /// One bucket of a table's rows.
    case bucket(VaultTable, Int)
}

package enum EntryFault: Equatable, Sendable {
    /// The authenticated encryption refused it.
    case seal
    /// It opened, and is no key of its curve, or not the key of the public key it is stored under.
    case key
}

package enum SystemOperation: Equatable, Sendable {
    case inspect, open, create, write, sync, rename, makeFolder, read
}

/// An error of a caller that can carry one of the vault: what the closures lent to by a vault may
/// throw.
package protocol VaultFailure: Error {
    init(vault error: VaultError)
}

extension VaultError: VaultFailure {
    package init(vault error: VaultError) { self = error }
}

/// Runs a step of the vault's inside a function that throws a caller's error.
func lifting<Result: ~Copyable, Failure: VaultFailure>(
    to failure: Failure.Type, _ step: () throws(VaultError) -> Result
) throws(Failure) -> Result {
    do { return try step() } catch { throw Failure(vault: error) }
}
