import FIDO2
import Files
import KeyVault
import Shell
import TPM

/// The use of a file that is not the vault to open. An error about it needs another hint than an
/// error about the vault.
enum VaultFileUse: FileUse {
    /// The new vault of `init`.
    case newVault
    /// The new vault of `restore`.
    case restoredVault
    /// The new vault of `rescue`.
    case rescuedVault
    case newBackup
    /// The file that `restore` reads.
    case backup
    /// A file that `backup verify` reads.
    case verifiedBackup
    /// The file that `rescue` reads.
    case damagedVault
    /// The file that `log archive` makes.
    case newArchive
    /// An archive of the audit log that is read.
    case archive

    func words(of error: any Error) -> Words? { (error as? VaultError).map { words(of: $0) } }

    /// The words for an error about the file.
    private func words(of error: VaultError) -> Words {
        switch error {
        case .file(let error): words(of: error)
        case .machine(let error): words(of: error)
        case .integrity(.rolledBack) where self == .backup, .integrity(.forked) where self == .backup:
            error.words.advising(
                "restore a newer backup; to restore this older one, give --accept-rollback: "
                    + "it lacks the keys that were added later")
        case .input(.wrongUnlockMethod) where self == .backup || self == .verifiedBackup:
            error.words.advising("a backup opens with the PIN that the vault had when the backup was made")
        case .tpm(let error): error.words
        case .fido2(let error): error.words
        case .input, .integrity: damaged(error.words)
        }
    }

    private func words(of error: VaultError.File) -> Words {
        let words = error.words
        return switch error {
        case .noSuchFile where self == .newBackup || self == .newArchive:
            Words(
                .noSuchFile, "its folder does not exist", hint: "make the folder first, or name another file")
        case .noSuchFile where self == .archive: Words(.noSuchFile, "no such file", hint: nameHint)
        case .noSuchFile, .notAVault, .notARegularFile(_, .directory), .notARegularFile(_, .other):
            words.advising(nameHint)
        case .alreadyExists where self == .restoredVault:
            words.advising(
                "nothing is overwritten; if the old vault is damaged, move it and its -journal file aside with "
                    + "`mv -n`, or name another file with --vault")
        case .alreadyExists: words.advising("nothing is overwritten; \(nameHint)")
        case .invalidPath, .reservedName, .notARegularFile, .notOwned, .permissionsTooOpen,
            .strayWriteAheadLog,
            .strayJournal, .replacedWhileOpening, .unfinishedChange, .hardLinked, .tooLarge, .vaultFull,
            .incompleteFile, .readBackDiffers, .backupNotRecorded, .newerVersion:
            words
        }
    }

    private func words(of error: VaultError.Machine) -> Words {
        let words = error.words
        return switch error {
        case .diskFull: Words(.diskFull, "the disk is full; no \(product) was made")
        case .commitUncertain:
            Words(
                words.code,
                "the file was written, but its folder could not be synced to the disk: a power failure may undo it",
                hint: "run `eosvault check --vault FILE` to see whether the file exists and is intact, "
                    + "and check the disk for errors")
        case .sqlite: damaged(words)
        case .timeOutOfRange, .busy, .readOnly, .system, .memory, .notEnoughMemory, .relativeFolder: words
        }
    }

    /// The words for damage: the general hint is for the vault that the user opens.
    private func damaged(_ words: Words) -> Words {
        words.code == .damaged ? words.advising(damageHint) : words
    }

    /// The file that is made when the disk has room.
    private var product: String {
        switch self {
        case .newBackup: "backup"
        case .newArchive: "archive"
        case .newVault, .restoredVault, .rescuedVault, .backup, .verifiedBackup, .damagedVault, .archive:
            "vault"
        }
    }

    /// The hint to name another file.
    private var nameHint: String {
        switch self {
        case .newVault, .restoredVault: "name another file with --vault"
        case .rescuedVault: "name another file with --output"
        case .newBackup, .newArchive: "name another file"
        case .archive: "name a file that `eosvault log archive` made"
        case .backup, .verifiedBackup: "name a file that `eosvault backup` made"
        case .damagedVault: "name the file of the damaged vault"
        }
    }

    /// The hint for a damaged file.
    private var damageHint: String {
        switch self {
        case .backup:
            "no vault was made; restore another backup, or recover keys from this one with `eosvault rescue`"
        case .verifiedBackup:
            "make another backup of the vault; recover keys from this file with `eosvault rescue`"
        case .newArchive, .archive:
            "use another copy of the archive"
        case .newVault, .restoredVault, .rescuedVault, .newBackup, .damagedVault:
            "no vault was made; restore a backup with `eosvault restore`"
        }
    }
}
