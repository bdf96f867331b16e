import Glibc

extension Words {
    init(_ error: CommandError) {
        self =
            switch error {
            case .secretArgument:
                Words(
                    "secret-argument", "an argument looks like a private key",
                    hint:
                        "your shell's history holds it now: clear it there, and give private keys by prompt, file or standard input"
                )
            case .argumentNotUTF8(let index):
                Words("not-utf8", "argument \(index) is not UTF-8", hint: "rename the file")
            case .readableProcess:
                Words(
                    "readable-process", "other processes can't be kept from reading this one's memory",
                    hint: "PR_SET_DUMPABLE is refused here; use another system")
            case .smallStack(let limit, let least):
                Words(
                    "small-stack", "the stack limit is \(limit >> 10) KiB; \(least >> 10) KiB are needed",
                    hint: "run `ulimit -s 8192`, or ask the administrator")
            case .noHome: Words("no-home", "neither XDG_DATA_HOME nor HOME is set", hint: "name the vault with --vault")
            case .noKey(let vault):
                Words("no-keys", "\(vault): there is no key in the vault", hint: "make one with `eosvault create`")
            case .severalKeys(let names):
                Words(
                    "several-keys", "the vault has several keys",
                    hint: "say which with --key: " + names.joined(separator: ", "))
            case .unknownKey(let vault):
                Words("no-such-key", "\(vault): the key is not in the vault", hint: "see `eosvault list`")
            case .notRemoved: Words("not-confirmed", "not removed: it was not confirmed", hint: "nothing was changed")
            case .phraseNotConfirmed:
                Words(
                    "phrase-not-confirmed", "the words that were asked for did not come back",
                    hint: "nothing was made; begin again, with pen and paper")
            case .whichPIN(let slots):
                Words(
                    "which-pin", slots.isEmpty ? "no slot has a PIN" : "\(Words.slots(slots)) have a PIN each",
                    hint: "add a slot with `eosvault slot add`, and take the lost one away with `eosvault slot remove`")
            case .declined: Words("declined", "not signed: the answer was no")
            case .unrecorded:
                Words(
                    "read-only", "not signed: the vault can't be written here, and each signature is recorded in it",
                    hint: "its folder and file system must be writable; --no-record signs all the same")
            case .exportInTheClear:
                Words(
                    "export", "the private key would go in the clear where it may be kept",
                    hint: "run it at a terminal, or give -o FILE; --force, if it is meant")
            case .nothingRescued:
                Words(
                    "nothing-rescued", "no key of it can be rescued; no vault was made",
                    hint: "keep the file as it is, and restore a backup with `eosvault restore`")
            case .r1Import:
                Words(
                    "r1-import", "an R1 private key, and this version can't sign with one",
                    hint: "keys of curve R1 are taken once they can sign; K1 keys start with 5 or PVT_K1_")
            }
    }

    init(_ error: InputFile.Failure) {
        self =
            switch error {
            case .missing: Words("no-such-file", "no such file")
            case .directory: Words("is-directory", "is a directory")
            case .unreadable(let number): Words("unreadable", "can't be read: \(systemMessage(number))")
            case .empty: Words("empty", "is empty")
            case .terminal:
                Words(
                    "terminal", "is a terminal, which would show what is typed",
                    hint: "leave the option out to be asked without an echo")
            case .noVectors: Words("no-vectors", "has no .json file in it")
            case .writableByOthers(let mode):
                Words(
                    "writable-by-others", "other users can change it (mode \(String(mode, radix: 8)))",
                    hint: "check what is in it, then run `chmod 600` on it")
            case .notOwned(let owner):
                Words(
                    "writable-by-others", "user \(owner) owns it and can change it",
                    hint: "copy it to a file of your own with mode 600")
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
            case .exists: Words("exists", "exists already", hint: "nothing is overwritten; name another file")
            case .reserved: .reservedName
            }
    }

    /// A new file on a file system where it can only be written under its final name.
    static func incompleteFile(errno: Int32, isRemoved: Bool) -> Words {
        Words(
            "incomplete-file",
            "can't be written: \(systemMessage(errno)); the incomplete file \(isRemoved ? "was removed" : "could not be removed")",
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
                    hint: "run the same command again with a working output: it makes the same signature. \(cause.hint)"
                )
            case .privateKey:
                Words(
                    "not-delivered", "\(cause.message); the log records the export, but the key was not delivered",
                    hint: "run the same command again with a working output. \(cause.hint)")
            }
    }

    init(_ error: Terminal.Failure) {
        self =
            switch error {
            case .missing(let wanted):
                Words("no-terminal", "there is no terminal to ask for \(wanted) at", hint: Terminal.hint(wanted))
            case .closed: Words("no-answer", "the terminal was closed before an answer")
            case .tooLong(let limit): Words("too-long", "the answer has more than \(limit) bytes")
            case .memory(let error): Words(error)
            case .mismatch: Words("mismatch", "the two answers differ", hint: "nothing was done; try again")
            }
    }
}

extension Terminal {
    static let confirmation = "a confirmation"
    static let removal = "the name of what is removed"
    static let pin = "the PIN"
    static let privateKey = "the private key"
    static let newPIN = "the new PIN"
    static let phrase = "the recovery phrase"
    static let newPhrase = "words of the new recovery phrase"
    static let slotRemoval = "a confirmation of the removal"

    fileprivate static func hint(_ wanted: String) -> String {
        switch wanted {
        case confirmation: "read the transaction with `eosvault inspect`, then sign with --yes"
        case removal: "give --yes"
        case pin: "give --pin-file or --pin-fd"
        case newPIN: "give --new-pin-file or --new-pin-fd"
        case phrase: "give --recovery-file"
        case newPhrase: "a phrase is shown at a terminal and nowhere else; leave it out, or run this at one"
        case slotRemoval: "look at `eosvault slot list`, then remove it with --yes"
        default: "give a file, or `-` for standard input"
        }
    }
}

/// What the system calls an error number.
func systemMessage(_ number: Int32) -> String {
    guard let text = unsafe strerror(number) else { return "error \(number)" }
    return unsafe String(cString: text).lowercased()
}
