import KeyVault
import SecureMemory

extension Words {
    init(_ error: VaultError) {
        self = Words.ofPerson(error) ?? Words.ofFile(error) ?? Words.ofMachine(error) ?? Words.ofDamage(error)
    }

    private static func ofPerson(_ error: VaultError) -> Words? {
        switch error {
        case .pinEmpty: Words("pin-empty", "the PIN is empty")
        case .pinTooShort(let minimum):
            Words(
                "pin-too-short", "the PIN has fewer than \(minimum) characters",
                hint: "a passphrase of several words is far better than digits")
        case .pinTooLong(let maximum): Words("pin-too-long", "the PIN has more than \(maximum) characters")
        case .pinNotPrintableASCII(let offset):
            Words(
                "pin-not-ascii", "byte \(offset + 1) of the PIN is not printable ASCII",
                hint:
                    "other letters have several spellings, and another keyboard might write another one; use ASCII alone"
            )
        case .wrongUnlockMethod(let kind, let damaged): Words.wrongUnlockMethod(kind, damaged)
        case .keyFileLength(let count):
            Words(
                "key-file", "\(Words.count(count, "byte")), and a key file has \(KeyFile.count)",
                hint: "name the file that `init --keyfile` or `slot add --new-keyfile` made")
        case .recoveryPhrase(let problem): Words(problem)
        case .label(let problem): Words("invalid-label", Words.text(of: problem))
        case .labelExists: Words("label-exists", "another key of the vault has the label", hint: "choose another label")
        case .keyExists: Words("key-exists", "the key is in the vault already", hint: "see `eosvault list`")
        case .noSuchKey: Words("no-such-key", "the key is not in the vault", hint: "see `eosvault list`")
        case .neverBackedUp:
            Words(
                "never-backed-up", "no verified backup holds the key: removing it would destroy it",
                hint: "make one with `eosvault backup FILE`, or give --never-backed-up")
        case .noSuchSlot(let number):
            Words("no-such-slot", "there is no slot \(number)", hint: "see `eosvault slot list`")
        case .lastSlot:
            Words(
                "last-slot", "it is the last slot: without it nothing opens the vault",
                hint: "add another with `eosvault slot add` first")
        case .slotsFull:
            Words("slots-full", "all eight slots are taken", hint: "remove one with `eosvault slot remove` first")
        case .otherSlots(let slots):
            Words(
                "other-slots",
                "\(Words.slots(slots)) can't be carried over without what opens \(slots.count == 1 ? "it" : "them")",
                hint: "give --drop-other-slots, and add them again afterwards with `eosvault slot add`")
        case .slotChanged:
            Words(
                "slot-changed", "another process changed the slot meanwhile; nothing was done",
                hint: "try again, with the PIN as it is now"
            )
        case .policySet:
            Words("policy", "the vault has a policy, which needs its records", hint: "make the vault writable")
        case .kdfCost(let problem): Words(problem)
        case .timeOutOfRange: Words("clock", "this machine's clock shows no usable date", hint: "set the clock")
        default: nil
        }
    }

    private static func ofFile(_ error: VaultError) -> Words? {
        switch error {
        case .reservedName: .reservedName
        case .invalidPath: Words("invalid-path", "not the name of a file")
        case .noSuchFile:
            Words("no-vault", "there is no vault", hint: "make one with `eosvault init`, or name yours with --vault")
        case .alreadyExists:
            Words("exists", "already exists", hint: "nothing is overwritten; name another file with --vault")
        case .notARegularFile(let role, let kind):
            Words("not-a-file", "\(role.name) is \(kind.name)", hint: fileHint(role, kind))
        case .notOwned(let role, let owner):
            Words(
                "not-owned", "\(role.name) belongs to user \(owner)",
                hint: "it must belong to the user who runs eosvault")
        case .permissionsTooOpen(let role, let mode):
            Words(
                "permissions",
                "\(role.name) has mode \(String(mode, radix: 8)): others may \(role == .vault ? "read or write" : "write") it",
                hint: role == .vault
                    ? "chmod 600 it, if it is your vault"
                    : "chmod go-w \(role == .journal ? "the journal" : "the folder")"
            )
        case .strayWriteAheadLog:
            Words(
                "stray-wal", "a -wal file stands beside the vault, and a vault never has one",
                hint: "move that file away")
        case .strayJournal:
            Words(
                "stray-journal", "a -journal file stands beside it that eosvault did not write",
                hint: "move that file away")
        case .unfinishedChange:
            Words(
                "unfinished-change", "a -journal file stands beside it: a crash cut a change short",
                hint: "open it once as a vault, as with `eosvault list --vault FILE`: that undoes the change")
        case .replacedWhileOpening:
            Words("replaced", "the file was replaced while it was being opened", hint: "try again")
        case .hardLinked(let count):
            Words(
                "hard-link",
                "the vault's file has \(count) names (hard links), so it is not changed: an interrupted change could not be rolled back",
                hint: "copy it to a new file with `cp`, and use the copy")
        case .tooLarge(let limit):
            Words(
                "too-long", "larger than any vault: more than \(Words.size(UInt64(limit)))",
                hint: "name the vault's file")
        case .incompleteFile(let number, let isRemoved): .incompleteFile(errno: number, isRemoved: isRemoved)
        case .readBackDiffers:
            Words(
                "read-back", "what was read back is not what was written",
                hint: "the disk or stick is bad: use another one")
        case .notAVault(let reason):
            Words("not-a-vault", Words.text(of: reason), hint: "name the vault's file with --vault")
        case .newerVersion(let found, let supported):
            Words(
                "newer-version", "the vault has format version \(found), and this program knows \(supported)",
                hint: "use the newer version of eosvault that wrote it")
        default: nil
        }
    }

    private static func ofMachine(_ error: VaultError) -> Words? {
        switch error {
        case .busy: Words("busy", "another process holds the vault", hint: "try again when it is done")
        case .vaultFull:
            Words(
                "vault-full", "the vault has grown to its limit, 1 GiB; it is as it was",
                hint: "make a new vault, and move keys there with `eosvault export` and `eosvault import`")
        case .backupNotRecorded(let cause):
            Words(
                "backup-not-recorded",
                "the backup is written and verified, but the vault could not record it: \(Words(cause).message)",
                hint: "its keys count as not backed up; make another one when the vault can be written")
        case .diskFull:
            Words("disk-full", "the disk is full; the vault is as it was", hint: "free some space and try again")
        case .readOnly:
            Words("read-only", "the vault can't be written here", hint: "its folder and file system must be writable")
        case .commitUncertain:
            Words(
                "commit-uncertain",
                "the change was written, but its folder could not be synced: a power cut may undo it",
                hint: "look with `eosvault list` whether it is there, and see to the disk")
        case .system(let operation, let number): Words("system", "\(operation.name): \(systemMessage(number))")
        case .memory(let error): Words(error)
        case .notEnoughMemory(let needed):
            Words(
                "not-enough-memory", "no \(needed >> 20) MiB of memory for the key derivation",
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
                "schema-altered", "the vault's tables are not those of a vault: someone changed them",
                hint: Words.restoreHint)
        case .slotsDamaged(let slots):
            Words(
                "slots-damaged", "both copies of \(Words.slots(slots)) are damaged",
                hint: Words.restoreHint)
        case .noSlot(let kind, let others): Words.noSlot(kind, others)
        case .audit(let fault):
            Words(
                "audit-log", "the audit log was changed: \(fault.text)",
                hint: "someone changed the vault's file; compare with a backup, and see `eosvault check`")
        case .manifestMismatch(let part):
            Words(
                "manifest-mismatch", "the vault was changed by something else than eosvault: \(text(of: part))",
                hint: Words.restoreHint)
        case .rolledBack(let found, let seen):
            Words(
                "rolled-back", "the vault is older (generation \(found)) than what was seen before (\(seen))",
                hint: Words.rollbackHint)
        case .faulty(let count):
            Words(
                "faulty", "\(Words.count(count, "fault")) in the vault",
                hint:
                    "`eosvault check` names each of a vault that stands in its place; `eosvault rescue` takes what can be saved of a damaged one"
            )
        case .relativeFolder(let variable):
            Words(
                "relative-folder", "\(variable.rawValue) is not an absolute path",
                hint:
                    "set it to a path that begins with a slash\(variable == .home ? "" : ", or unset it: a folder below HOME is used then")"
            )
        case .witnessUnreadable:
            Words(
                "witness-unreadable",
                "what this machine remembers of the vault can't be read, so an older copy can't be detected",
                hint:
                    "if the vault is the newest, give --accept-rollback once; only you may have write permission in $XDG_STATE_HOME/eosvault"
            )
        case .forked:
            Words(
                "forked",
                "the vault is an older copy of the one seen before, changed since: its log lacks what was seen",
                hint: Words.rollbackHint)
        case .entryDamaged(let fault): Words("entry-damaged", "the key: \(fault.text)", hint: Words.restoreHint)
        case .unsupportedKind(let kind):
            Words("unsupported-kind", "an entry of kind \(kind), which this version does not know")
        case .budgetExceeded:
            Words(
                "budget-exceeded", "the vault's file asks for more work than a sound one can", hint: Words.restoreHint)
        default: Words("vault", "the vault can't be used", hint: Words.restoreHint)
        }
    }

    private static func wrongUnlockMethod(_ kind: SlotKind, _ damaged: [Int]) -> Words {
        let lost =
            "\(slots(damaged)) \(damaged.count == 1 ? "is" : "are") damaged and could not be tried; what you gave may be right there"
        return switch kind {
        case .pin, .other:
            Words(
                "wrong-pin", "wrong PIN",
                hint: damaged.isEmpty ? "the PIN counts exactly as typed; see Caps Lock and the keyboard layout" : lost)
        case .pinAndKeyFile:
            Words(
                "wrong-pin", "wrong PIN or wrong key file",
                hint: damaged.isEmpty ? "which of the two can't be told; the PIN counts exactly as typed" : lost)
        case .recovery:
            Words(
                "wrong-phrase", "the recovery phrase is of another vault, or was replaced",
                hint: damaged.isEmpty ? "each vault has its own words" : lost)
        }
    }

    private static func noSlot(_ kind: SlotKind, _ others: [SlotKind]) -> Words {
        let hint =
            switch (kind, others) {
            case (.pin, let others) where others.contains(.pinAndKeyFile):
                "it is opened by a PIN and a key file: name that with --keyfile"
            case (_, let others) where others.contains(.pin): "it is opened by a PIN alone"
            case (_, let others) where others.contains(.recovery): "open it with --recovery"
            default: "see `eosvault slot list`"
            }
        return Words("no-slot", "no slot of the vault is opened by \(kind.words)", hint: hint)
    }

    private init(_ problem: RecoveryPhraseProblem) {
        let hint = "24 words of the English list, in the order in which they were shown"
        self =
            switch problem {
            case .wordCount(let count):
                Words("phrase-length", "\(Words.count(count, "word")), and a recovery phrase has 24", hint: hint)
            case .unknownWord(let position):
                Words("phrase-word", "word \(position) is not in the list", hint: "look at its spelling")
            case .checksum:
                Words(
                    "phrase-checksum", "one of the words is another than was shown, or their order is",
                    hint: "compare them with what you wrote down")
            case .walletSeed:
                Words(
                    "wallet-seed", "these are the words of a wallet's seed, not of a vault",
                    hint: "a seed does not open a vault, nor a vault's words a wallet")
            }
    }

    /// `slot 1`, `slots 1, 2`.
    static func slots(_ numbers: [Int]) -> String {
        (numbers.count == 1 ? "slot " : "slots ") + numbers.map(String.init).joined(separator: ", ")
    }

    static let rollbackHint =
        "if you put this copy there yourself, say so once with --accept-rollback; keys made since are not in it"

    static let reservedName = Words(
        "reserved-name", "a name that ends in -journal, -wal or -shm is SQLite's own, which deletes such files",
        hint: "name another file")

    static let restoreHint =
        "nothing was changed; `eosvault check` says more, `eosvault restore` takes a backup, `eosvault rescue` what is still whole"

    private init(_ problem: KDFCostProblem) {
        self =
            switch problem {
            case .passes(let passes, let allowed):
                Words(
                    "kdf-cost",
                    "\(passes == 1 ? "1 pass" : "\(passes) passes"): from \(allowed.lowerBound) to \(allowed.upperBound) are allowed",
                    hint: passes < allowed.lowerBound ? Words.insecureHint : nil)
            case .memory(let bytes, let allowed):
                Words(
                    "kdf-cost",
                    "\(Words.size(bytes)) for the key derivation; \(Words.size(allowed.lowerBound)) to \(Words.size(allowed.upperBound)) are allowed",
                    hint: bytes < allowed.lowerBound ? Words.insecureHint : nil)
            case .memoryNotWholeKibibytes(let bytes): Words("kdf-cost", "\(bytes) bytes are no multiple of 1024")
            case .together:
                Words("kdf-cost", "the slots ask for more work together than one may", hint: Words.restoreHint)
            case .memoryBeyondMachine(let bytes, let machine):
                Words(
                    "kdf-cost",
                    "\(Words.size(bytes)) for the key derivation, and this machine has \(Words.size(machine))")
            }
    }

    static let insecureHint = "less than 2 passes or 64 MiB only with --insecure-kdf, for tests"

    static func size(_ bytes: UInt64) -> String {
        if bytes >= 1 << 30, bytes.isMultiple(of: 1 << 30) { return "\(bytes >> 30) GiB" }
        if bytes >= 1 << 20 { return "\(bytes >> 20) MiB" }
        return "\(bytes >> 10) KiB"
    }

    private static func fileHint(_ role: FileRole, _ kind: FileKind) -> String {
        switch kind {
        case .symbolicLink: "links are not followed: name the file itself"
        case .directory where role == .vault: "name the file in it"
        default: "name another file with --vault"
        }
    }

    private static func text(of problem: LabelProblem) -> String {
        switch problem {
        case .empty: "the label is empty"
        case .tooLong(let maximum): "the label has more than \(maximum) characters"
        case .unprintable(let offset):
            "byte \(offset + 1) of the label begins a character that does not show, or moves others"
        case .outerSpace: "the label begins or ends with a space"
        case .looksLikeKey: "the label could be taken for a key"
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
        case .header(let offset): "byte \(offset) of the header"
        case .length(let expected, let found): "\(found) bytes instead of \(expected)"
        case .pages: "pages that make no sense"
        case .row(let table): "a row of \(table)"
        }
    }

    private static func text(of part: ManifestPart) -> String {
        switch part {
        case .root: "its list of digests does not fit"
        case .bucket(let table, _): "rows of \(table) do not fit"
        }
    }
}

extension SlotKind {
    /// What opens a slot of this kind.
    var words: String {
        switch self {
        case .pin: "a PIN"
        case .pinAndKeyFile: "a PIN and a key file"
        case .recovery: "a recovery phrase"
        case .other(let number): "what this version does not know (kind \(number))"
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
        case .directory: "a directory"
        case .symbolicLink: "a symbolic link"
        case .other: "no regular file"
        }
    }
}

extension SystemOperation {
    fileprivate var name: String {
        switch self {
        case .inspect: "can't be looked at"
        case .open: "can't be opened"
        case .create: "can't be made"
        case .write: "can't be written"
        case .sync: "can't be synced"
        case .rename: "can't be named"
        case .makeFolder: "the folder can't be made"
        case .read: "can't be read"
        }
    }
}
