import KeyVault
import SecureMemory

extension Words {
    init(_ error: VaultError) {
        self = Words.ofInput(error) ?? Words.ofFile(error) ?? Words.ofMachine(error) ?? Words.ofDamage(error)
    }

    private static func ofInput(_ error: VaultError) -> Words? {
        switch error {
        case .pinEmpty: Words("pin-empty", "the PIN is empty")
        case .pinTooShort(let minimum):
            Words(
                "pin-too-short", "the PIN has fewer than \(minimum) characters",
                hint: "use a passphrase of several words; it is far stronger than digits")
        case .pinTooLong(let maximum): Words("pin-too-long", "the PIN has more than \(maximum) characters")
        case .pinNotPrintableASCII(let offset):
            Words(
                "pin-not-ascii", "byte \(offset + 1) of the PIN is not printable ASCII",
                hint: "use ASCII characters only: another keyboard may encode other characters differently")
        case .wrongUnlockMethod(let kind, let damaged): Words.wrongUnlockMethod(kind, damaged)
        case .keyFileLength(let count):
            Words(
                "key-file", "not a key file: \(Words.count(count, "byte")) instead of \(KeyFile.count)",
                hint: "give the file that `init --keyfile` or `slot add --new-keyfile` made")
        case .recoveryPhrase(let problem): Words(problem)
        case .label(let problem): Words("invalid-label", Words.text(of: problem))
        case .labelExists:
            Words("label-exists", "another key in the vault has this label", hint: "choose another label")
        case .keyExists: Words("key-exists", "the key is already in the vault", hint: "see `eosvault list`")
        case .noSuchKey: Words("no-such-key", "the key is not in the vault", hint: "see `eosvault list`")
        case .neverBackedUp:
            Words(
                "never-backed-up", "no verified backup contains the key, so removing the key may destroy it",
                hint: "make a backup with `eosvault backup FILE`, or give --never-backed-up to remove the key anyway")
        case .noSuchSlot(let number):
            Words("no-such-slot", "the vault has no slot \(number)", hint: "see `eosvault slot list`")
        case .lastSlot:
            Words(
                "last-slot", "this is the last usable slot: without it, the vault can never be opened",
                hint: "add another slot first, with `eosvault slot add`")
        case .slotsFull:
            Words("slots-full", "all eight slots are in use", hint: "remove one first, with `eosvault slot remove`")
        case .otherSlots(let slots):
            Words(
                "other-slots",
                "\(Words.slots(slots)) can't be kept: "
                    + "a new master key needs the PIN, key file or recovery phrase of every slot that is kept",
                hint: "give --drop-other-slots to remove the other slots; "
                    + "add them again later with `eosvault slot add`")
        case .slotChanged:
            Words(
                "slot-changed", "another process changed the slot at the same time; nothing was done",
                hint: "try again with the current PIN")
        case .policySet:
            Words(
                "policy", "the vault has a policy, so every signature must be recorded in the vault",
                hint: "make the vault writable, and sign without --no-record")
        case .kdfCost(let problem): Words(problem)
        case .timeOutOfRange: Words("clock", "the date of this machine's clock is invalid", hint: "set the clock")
        default: nil
        }
    }

    private static func ofFile(_ error: VaultError) -> Words? {
        switch error {
        case .reservedName: .reservedName
        case .invalidPath: Words("invalid-path", "not a valid file name")
        case .noSuchFile:
            Words(
                "no-vault", "no such vault file",
                hint: "make a vault with `eosvault init`, or name your vault with --vault")
        case .alreadyExists:
            Words("exists", "already exists", hint: "nothing is overwritten; name another file with --vault")
        case .notARegularFile(let role, let kind):
            Words("not-a-file", "\(role.name) is \(kind.name)", hint: fileHint(role, kind))
        case .notOwned(let role, let owner):
            Words(
                "not-owned", "\(role.name) belongs to user id \(owner)",
                hint: "run eosvault as that user, or change the owner with chown")
        case .permissionsTooOpen(let role, let mode):
            Words(
                "permissions",
                "\(role.name) has mode \(String(mode, radix: 8)): "
                    + "other users can \(role == .vault ? "read or write" : "write") it",
                hint: role == .vault
                    ? "if it is your vault, run `chmod 600` on it"
                    : "run `chmod go-w` on the \(role == .journal ? "journal" : "folder")")
        case .strayWriteAheadLog:
            Words(
                "stray-wal",
                "a file whose name ends in -wal is next to the vault; eosvault never writes such a file",
                hint: "move the -wal file to another folder")
        case .strayJournal:
            Words(
                "stray-journal", "a -journal file that eosvault did not write is next to this file",
                hint: "move the -journal file to another folder")
        case .unfinishedChange:
            Words(
                "unfinished-change", "a -journal file is next to this file: a crash interrupted a change",
                hint: "run `eosvault list --vault FILE`: it undoes the interrupted change")
        case .replacedWhileOpening:
            Words("replaced", "the file was replaced while it was being opened", hint: "try again")
        case .hardLinked(let count):
            Words(
                "hard-link",
                "the vault's file has \(count) names (hard links), so eosvault does not change it: "
                    + "an interrupted change could not be rolled back",
                hint: "copy the file with `cp`, and use the copy")
        case .tooLarge(let limit):
            Words(
                "too-long", "too large for a vault: more than \(Words.size(UInt64(limit)))",
                hint: "check that this is the vault's file")
        case .incompleteFile(let number, let isRemoved): .incompleteFile(errno: number, isRemoved: isRemoved)
        case .readBackDiffers:
            Words(
                "read-back", "the data read back differs from the data written",
                hint: "the disk or USB stick is faulty: use another one")
        case .notAVault(let reason):
            Words("not-a-vault", Words.text(of: reason), hint: "name the vault's file with --vault")
        case .newerVersion(let found, let supported):
            Words(
                "newer-version",
                "the vault has format version \(found); this program supports versions up to \(supported)",
                hint: "use the newer version of eosvault that wrote the vault")
        default: nil
        }
    }

    private static func ofMachine(_ error: VaultError) -> Words? {
        switch error {
        case .busy: Words("busy", "another process is using the vault", hint: "try again when it has finished")
        case .vaultFull:
            Words(
                "vault-full", "the vault has reached its maximum size, 1 GiB; nothing was changed",
                hint: "make a new vault, and move keys to it with `eosvault export` and `eosvault import`")
        case .backupNotRecorded(let cause):
            Words(
                "backup-not-recorded",
                "backup written and verified, but not recorded in the vault: \(Words(cause).message)",
                hint: "the vault still lists its keys as not backed up; "
                    + "make another backup when the vault can be written")
        case .diskFull:
            Words("disk-full", "the disk is full; the vault was not changed", hint: "free some space and try again")
        case .readOnly:
            Words(
                "read-only", "the vault can't be written",
                hint: "make the vault, its folder and its file system writable")
        case .commitUncertain:
            Words(
                "commit-uncertain",
                "the change was written, but the vault's folder could not be synced to the disk: "
                    + "a power failure may undo the change",
                hint: "run `eosvault list` to see whether the change is there, and check the disk for errors")
        case .system(let operation, let number): Words("system", "\(operation.name): \(systemMessage(number))")
        case .memory(let error): Words(error)
        case .notEnoughMemory(let needed):
            Words(
                "not-enough-memory",
                "not enough memory: the key derivation needs \(needed >> 20) MiB",
                hint: "close other programs and try again")
        case .sqlite(let code): Words("sqlite", "SQLite failed with code \(code)", hint: Words.restoreHint)
        default: nil
        }
    }

    private static func ofDamage(_ error: VaultError) -> Words {
        switch error {
        case .damaged(let damage):
            Words("damaged", "the vault is damaged: \(text(of: damage))", hint: Words.restoreHint)
        case .schemaAltered:
            Words(
                "schema-altered", "the vault's database schema was modified",
                hint: Words.restoreHint)
        case .slotsDamaged(let slots):
            Words(
                "slots-damaged", "both copies of \(Words.slots(slots)) are damaged",
                hint: Words.restoreHint)
        case .noSlot(let kind, let others): Words.noSlot(kind, others)
        case .audit(let fault):
            Words(
                "audit-log", "the audit log was modified: \(fault.text)",
                hint: "someone modified the vault's file; compare it with a backup, and run `eosvault check`")
        case .manifestMismatch(let part):
            Words(
                "manifest-mismatch", "the vault was modified by something other than eosvault: \(text(of: part))",
                hint: Words.restoreHint)
        case .rolledBack(let found, let seen):
            Words(
                "rolled-back",
                "the vault is older (generation \(found)) than the copy last seen on this machine (generation \(seen))",
                hint: Words.rollbackHint)
        case .faulty(let count):
            Words(
                "faulty", "the vault has \(Words.count(count, "fault"))",
                hint: "run `eosvault check` to list the faults, `eosvault rescue` to recover keys")
        case .relativeFolder(let variable):
            Words(
                "relative-folder", "\(variable.rawValue) is not an absolute path",
                hint: "set it to a path that begins with a slash"
                    + (variable == .home ? "" : ", or unset it: eosvault then uses a folder below HOME"))
        case .witnessUnreadable:
            Words(
                "witness-unreadable",
                "the vault's state file on this machine can't be read, so an older copy would go undetected",
                hint: "make sure that only you can write in $XDG_STATE_HOME/eosvault; "
                    + "if this vault is the newest copy, give --accept-rollback once")
        case .forked:
            Words(
                "forked",
                "the vault is an older copy that was changed separately: "
                    + "its audit log lacks a record that this machine has seen",
                hint: Words.rollbackHint)
        case .entryDamaged(let fault):
            Words("entry-damaged", "the key can't be used: \(fault.text)", hint: Words.restoreHint)
        case .unsupportedKind(let kind):
            Words("unsupported-kind", "an entry has kind \(kind), which this version does not support")
        case .budgetExceeded:
            Words(
                "budget-exceeded", "the vault's file is damaged: reading it takes more work than any valid vault",
                hint: Words.restoreHint)
        default: Words("vault", "the vault can't be used", hint: Words.restoreHint)
        }
    }

    private static func wrongUnlockMethod(_ kind: SlotKind, _ damaged: [Int]) -> Words {
        let lost =
            "\(slots(damaged)) \(damaged.count == 1 ? "is" : "are") damaged and could not be tried; "
            + "your PIN, key file or phrase may be correct for "
            + "\(damaged.count == 1 ? "that slot" : "one of those slots"); "
            + "use another unlock method or restore a backup"
        return switch kind {
        case .pin, .other:
            Words(
                "wrong-pin", "wrong PIN",
                hint: damaged.isEmpty
                    ? "a PIN must be typed exactly: check Caps Lock and the keyboard layout" : lost)
        case .pinAndKeyFile:
            Words(
                "wrong-pin", "wrong PIN or wrong key file",
                hint: damaged.isEmpty
                    ? "there is no way to know which one is wrong; check the file, Caps Lock and the keyboard layout"
                    : lost)
        case .recovery:
            Words(
                "wrong-phrase", "the recovery phrase belongs to another vault, or was replaced by a newer one",
                hint: damaged.isEmpty
                    ? "each vault has its own recovery phrase: check which vault the words were written down for"
                    : lost)
        }
    }

    private static func noSlot(_ kind: SlotKind, _ others: [SlotKind]) -> Words {
        let hint =
            switch (kind, others) {
            case (.pin, let others) where others.contains(.pinAndKeyFile):
                "the vault opens with a PIN and a key file: name the key file with --keyfile"
            case (_, let others) where others.contains(.pin):
                "the vault opens with a PIN: omit --keyfile, --recovery and --recovery-file"
            case (_, let others) where others.contains(.recovery): "open it with --recovery"
            default: "see `eosvault slot list`"
            }
        return Words("no-slot", "the vault has no slot for \(kind.words)", hint: hint)
    }

    private init(_ problem: RecoveryPhraseProblem) {
        let hint = "enter the 24 words in the order in which they were shown"
        self =
            switch problem {
            case .wordCount(let count):
                Words(
                    "phrase-length", "\(Words.count(count, "word")) instead of the 24 of a recovery phrase", hint: hint)
            case .unknownWord(let position):
                Words("phrase-word", "word \(position) is not in the list of words", hint: "check its spelling")
            case .checksum:
                Words(
                    "phrase-checksum", "a word is wrong, or the words are in the wrong order",
                    hint: "compare the words with what you wrote down")
            case .walletSeed:
                Words(
                    "wallet-seed", "these words are a wallet seed, not the recovery phrase of a vault",
                    hint: "a wallet seed does not open a vault, and a recovery phrase does not open a wallet")
            }
    }

    /// `slot 1`, `slots 1, 2`.
    static func slots(_ numbers: [Int]) -> String {
        (numbers.count == 1 ? "slot " : "slots ") + numbers.map(String.init).joined(separator: ", ")
    }

    static let rollbackHint =
        "to use this older copy, give --accept-rollback once; it lacks the keys that were added later"

    static let reservedName = Words(
        "reserved-name", "names that end in -journal, -wal or -shm are reserved: SQLite deletes such files",
        hint: "choose another file name")

    static let restoreHint =
        "nothing was changed; run `eosvault check` to list the faults, `eosvault restore` to use a backup, "
        + "`eosvault rescue` to recover the intact keys"

    private static func fileHint(_ role: FileRole, _ kind: FileKind) -> String {
        switch (role, kind) {
        case (.journal, _): "move the -journal file to another folder"
        case (.stateFolder, _): "$XDG_STATE_HOME/eosvault must be a folder: rename what is there"
        case (_, .symbolicLink): "symbolic links are not followed: name the file itself"
        case (.vault, .directory): "name the file in it"
        default: "name another file with --vault"
        }
    }

    private static func text(of problem: LabelProblem) -> String {
        switch problem {
        case .empty: "the label is empty"
        case .tooLong(let maximum): "the label has more than \(maximum) characters"
        case .unprintable(let offset):
            "byte \(offset + 1) of the label starts an invisible or text-direction character"
        case .outerSpace: "the label begins or ends with a space"
        case .looksLikeKey: "the label looks like a key"
        }
    }

    private static func text(of reason: NotAVault) -> String {
        switch reason {
        case .empty: "the file is empty"
        case .tooShort(let count): "the file has only \(count) bytes"
        case .notSQLite: "the file is not a vault"
        case .applicationID: "the file is a database of another program"
        case .noVersion: "the file has no format version"
        }
    }

    private static func text(of damage: Damage) -> String {
        switch damage {
        case .header(let offset): "wrong byte in the header, at offset \(offset)"
        case .length(let expected, let found): "the file has \(found) bytes instead of \(expected)"
        case .pages: "malformed database pages"
        case .row(let table): "malformed row in the table \(table)"
        }
    }

    private static func text(of part: ManifestPart) -> String {
        switch part {
        case .root: "the manifest (list of digests) does not match the vault"
        case .bucket(let table, _): "rows of the table \(table) do not match their digest"
        }
    }
}

extension SlotKind {
    /// The unlock method for slots of this kind, with an article.
    var words: String {
        switch self {
        case .pin: "a PIN"
        case .pinAndKeyFile: "a PIN and a key file"
        case .recovery: "a recovery phrase"
        case .other(let number): "an unlock method that this version does not support (kind \(number))"
        }
    }
}

extension FileRole {
    fileprivate var name: String {
        switch self {
        case .vault: "the vault"
        case .folder: "the vault's folder"
        case .stateFolder: "the state folder"
        case .journal: "the vault's journal"
        }
    }
}

extension FileKind {
    fileprivate var name: String {
        switch self {
        case .regular: "a file"
        case .directory: "a folder"
        case .symbolicLink: "a symbolic link"
        case .other: "not a regular file"
        }
    }
}

extension SystemOperation {
    fileprivate var name: String {
        switch self {
        case .inspect: "can't be accessed"
        case .open: "can't be opened"
        case .create: "can't be created"
        case .write: "can't be written"
        case .sync: "can't be synced"
        case .rename: "can't be renamed"
        case .makeFolder: "the folder can't be created"
        case .read: "can't be read"
        }
    }
}
