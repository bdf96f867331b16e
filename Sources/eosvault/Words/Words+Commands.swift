import Glibc

extension Words {
    init(_ error: CommandError) {
        self =
            switch error {
            case .secretArgument:
                Words(
                    "secret-argument", "an argument looks like a private key",
                    hint: "delete it from your shell's history; "
                        + "give private keys at the prompt, in a file or on standard input"
                )
            case .argumentNotUTF8(let index):
                Words(
                    "not-utf8", "argument \(index) is not UTF-8",
                    hint: "if the argument is a file name, rename the file")
            case .readableProcess:
                Words(
                    "readable-process",
                    "the kernel refuses to protect this process's memory from other processes (PR_SET_DUMPABLE)",
                    hint: "run eosvault on another system")
            case .smallStack(let limit, let least):
                Words(
                    "small-stack", "the stack limit is \(limit >> 10) KiB; \(least >> 10) KiB are needed",
                    hint: "run `ulimit -s 8192`, or ask the administrator to raise the limit")
            case .noHome: Words("no-home", "neither XDG_DATA_HOME nor HOME is set", hint: "name the vault with --vault")
            case .noKey(let vault):
                Words("no-keys", "\(vault): the vault contains no key", hint: "make one with `eosvault create`")
            case .severalKeys(let names):
                Words(
                    "several-keys", "the vault has several keys",
                    hint: "choose one with --key: " + names.joined(separator: ", "))
            case .unknownKey(let vault):
                Words("no-such-key", "\(vault): the key is not in the vault", hint: "see `eosvault list`")
            case .notRemoved:
                Words(
                    "not-confirmed", "nothing was removed: the removal was not confirmed",
                    hint: "the vault is unchanged; run the command again and confirm the removal")
            case .phraseNotConfirmed:
                Words(
                    "phrase-not-confirmed", "the new recovery phrase was not confirmed: the typed words are wrong",
                    hint: "nothing was changed; run the command again, and write the new words on paper")
            case .whichPIN(let slots):
                Words(
                    "which-pin",
                    slots.isEmpty
                        ? "no slot has a PIN"
                        : "\(Words.slots(slots)) each have a PIN, and there is no way to know which one is lost",
                    hint: slots.isEmpty
                        ? "add a PIN with `eosvault slot add`"
                        : "add a new PIN with `eosvault slot add`, "
                            + "then remove the slot of the lost one with `eosvault slot remove`")
            case .declined: Words("declined", "not signed: the answer was no")
            case .unrecorded:
                Words(
                    "read-only",
                    "not signed: the vault can't be written, so the signature can't be recorded in its audit log",
                    hint: "make the vault's folder and file system writable, or sign without a record by --no-record")
            case .unencryptedExport:
                Words(
                    "export", "the private key would be written unencrypted to a file or pipe",
                    hint: "run the command at a terminal, or give -o FILE; --force allows it")
            case .nothingRescued:
                Words(
                    "nothing-rescued", "no key can be recovered from this file; no vault was made",
                    hint: "keep the file unchanged, and restore a backup with `eosvault restore`")
            case .r1Import:
                Words(
                    "r1-import", "this is an R1 private key, and this version can sign only with K1 keys",
                    hint: "import a K1 private key: it starts with 5 or PVT_K1_")
            }
    }

    init(_ error: InputFile.Failure) {
        self =
            switch error {
            case .missing: Words("no-such-file", "no such file")
            case .directory: Words("is-directory", "is a folder")
            case .unreadable(let number): Words("unreadable", "can't be read: \(systemMessage(number))")
            case .empty: Words("empty", "is empty")
            case .terminal:
                Words(
                    "terminal", "is a terminal, which would show what is typed",
                    hint: "omit this file; eosvault then asks for the text and hides it")
            case .noVectors: Words("no-vectors", "contains no .json file")
            case .writableByOthers(let mode):
                Words(
                    "writable-by-others", "other users can modify it (mode \(String(mode, radix: 8)))",
                    hint: "check its contents, then run `chmod 600` on it")
            case .notOwned(let owner):
                Words(
                    "writable-by-others", "user id \(owner) owns it and can modify it",
                    hint: "copy it to a file that you own, with mode 600")
            case .tooLong(let limit):
                Words(
                    "too-long", limit >= 1 << 20 ? "has more than \(limit >> 20) MiB" : "has more than \(limit) bytes")
            case .memory(let error): Words(error)
            }
    }

    init(_ error: Output.Failure) {
        self =
            switch error {
            case .unwritable(let number): Words("unwritable", "can't be written: \(systemMessage(number))")
            case .incomplete(let number, let isRemoved): .incompleteFile(errno: number, isRemoved: isRemoved)
            case .exists: Words("exists", "already exists", hint: "nothing is overwritten; name another file")
            case .reserved: .reservedName
            }
    }

    /// For a new file on a file system that allows writing it only under its final name.
    static func incompleteFile(errno: Int32, isRemoved: Bool) -> Words {
        Words(
            "incomplete-file",
            "can't be written: \(systemMessage(errno)); "
                + "the incomplete file \(isRemoved ? "was removed" : "could not be removed")",
            hint: isRemoved
                ? "check the disk and its free space, then try again"
                : "find the incomplete file and delete it: it may have been renamed; then check the disk")
    }

    init(_ error: Undelivered) {
        let cause = Words(for: error.cause)
        self =
            switch error.result {
            case .signature:
                Words(
                    "not-delivered", "\(cause.message); the signature was made but not delivered",
                    hint: "run the same command again with a working output: it makes the same signature; \(cause.hint)"
                )
            case .privateKey:
                Words(
                    "not-delivered", "\(cause.message); the log records the export, but the key was not delivered",
                    hint: "run the same command again with a working output; \(cause.hint)")
            }
    }

    init(_ error: Terminal.Failure) {
        self =
            switch error {
            case .missing(let wanted):
                Words("no-terminal", "can't ask for \(wanted): there is no terminal", hint: Terminal.hint(wanted))
            case .closed: Words("no-answer", "the terminal was closed before you answered")
            case .tooLong(let limit): Words("too-long", "the answer has more than \(limit) bytes")
            case .memory(let error): Words(error)
            case .mismatch:
                Words("mismatch", "the new PIN and its repetition differ", hint: "nothing was done; try again")
            }
    }
}

extension Terminal {
    static let confirmation = "a confirmation"
    static let removal = "the name of the key to remove"
    static let pin = "the PIN"
    static let privateKey = "the private key"
    static let newPIN = "the new PIN"
    static let phrase = "the recovery phrase"
    static let newPhrase = "words of the new recovery phrase"
    static let slotRemoval = "a confirmation of the removal"

    fileprivate static func hint(_ wanted: String) -> String {
        switch wanted {
        case confirmation: "review the transaction with `eosvault inspect`, then sign with --yes"
        case removal: "give --yes"
        case pin: "give --pin-file or --pin-fd"
        case newPIN: "give --new-pin-file or --new-pin-fd"
        case phrase: "give --recovery-file"
        case newPhrase:
            "eosvault shows a recovery phrase only at a terminal: run the command at one, or omit the option"
        case slotRemoval: "check the slot with `eosvault slot list`, then remove it with --yes"
        default: "give a file, or `-` for standard input"
        }
    }
}

/// The system's text for an error number.
func systemMessage(_ number: Int32) -> String {
    guard let text = unsafe strerror(number) else { return "error \(number)" }
    return unsafe String(cString: text).lowercased()
}
