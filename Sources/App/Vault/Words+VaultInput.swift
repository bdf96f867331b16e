import KeyVault
import Shell

extension VaultError.Input {
    var words: Words {
        switch self {
        case .pinEmpty: Words(.invalidPIN, "the PIN is empty")
        case .pinTooShort(let minimum): Words(.invalidPIN, "the PIN has fewer than \(minimum) characters")
        case .pinTooLong(let maximum): Words(.invalidPIN, "the PIN has more than \(maximum) characters")
        case .pinNotPrintableASCII(let offset):
            Words(.invalidPIN, "byte \(offset + 1) of the PIN is not printable ASCII")
        case .wrongUnlockMethod(let kind, let damaged): Words.wrongUnlockMethod(kind, damaged)
        case .keyFileLength(let count):
            Words(.keyFile, "not a key file: \(Words.count(count, "byte")) instead of \(KeyFile.count)")
        case .recoveryPhrase(let problem): problem.words
        case .label(let problem): Words(.invalidLabel, Words.text(of: problem))
        case .labelExists: Words(.labelExists, "another key or credential in the vault has this label")
        case .labelAlike:
            Words(
                .labelExists,
                "another key or credential in the vault has a label that differs only in case, spaces or "
                    + "look-alike characters")
        case .keyExists: Words(.keyExists, "the key is already in the vault")
        case .noSuchKey: Words(.noSuchKey, "the key is not in the vault")
        case .neverBackedUp(.credential):
            Words(
                .neverBackedUp,
                "no verified backup contains the credential's secret, so removing the credential may destroy it")
        case .neverBackedUp(let kind):
            Words(
                .neverBackedUp,
                "no verified backup contains the \(kind.noun), so removing the \(kind.noun) may destroy it")
        case .noSuchSlot(let number): Words(.noSuchSlot, "the vault has no slot \(number)")
        case .lastSlot: Words(.lastSlot, "this is the last usable slot: without it, the vault can never be opened")
        case .slotsFull: Words(.slotsFull, "all eight slots are in use")
        case .otherSlots(let slots):
            Words(
                .otherSlots,
                "\(Words.slots(slots)) can't be kept: "
                    + "a new master key needs the PIN, key file or recovery phrase of every slot that is kept")
        case .slotChanged:
            Words(.changedMeanwhile, "another process changed the slot at the same time; nothing was done")
        case .policySet:
            Words(.policy, "the vault has a policy that this version can't read, so this version signs nothing")
        case .noPolicy: Words(.noPolicy, "no such policy is set")
        case .policySize(let maximum): Words(.tooLarge, "the policy is empty or has more than \(maximum) bytes")
        case .secondMethodNeeded(let kind):
            Words(
                .secondMethodNeeded,
                kind == .recovery
                    ? "this operation needs the second unlock method of a policy: the recovery phrase"
                    : "this operation needs the second unlock method of a policy: its policy PIN")
        case .policiesTooLarge(let maximum):
            Words(
                .tooLarge, "all policies of the vault together would have more than \(maximum >> 20) MiB",
                hint: "set one policy for all keys with --all, or remove policies that are not needed")
        case .policyUsesFull(let maximum):
            Words(
                .policyLimit,
                "what the key used of its limits would have more than \(maximum >> 20) MiB; nothing was signed")
        case .kdfCost(let problem): problem.words
        case .noSlot(let kind, let others): Words.noSlot(kind, others)
        case .unsupportedKind(let kind):
            Words(.newerVersion, "an entry has kind \(kind), which this version does not support")
        case .notAKey: Words(.noSuchKey, "the entry is a credential, not a key", hint: "use `eosvault credential`")
        case .notACredential: Words(.noSuchCredential, "the entry is not a credential")
        case .credentialTooLong(let maximum):
            Words(.tooLarge, "the profile, the key id and the URL prefix have more than \(maximum) bytes together")
        case .nonceUsed(let last):
            Words(
                .nonceUsed, "the nonce is not greater than the last one, \(last)",
                hint: "omit the nonce: eosvault chooses the next one")
        case .noNonceLeft:
            Words(
                .nonceUsed, "the last nonce is the greatest 64-bit number, so none is left",
                hint: "make another API key at the service")
        case .notAnArchive: Words(.wrongArchive, "not an archive of an audit log")
        case .archiveOfOtherVault: Words(.wrongArchive, Words.archiveOfOtherVault)
        case .nothingToArchive: Words(.nothingToArchive, "the audit log has no record to archive")
        case .archivesNotConsecutive(let last, let next):
            Words(.wrongArchive, Words.notConsecutive(last: last, next: next))
        case .noPinnedABI: Words(.noPinnedABI, "the vault has no pinned ABI for this account on this chain")
        case .pinnedABISize(let maximum):
            Words(
                .tooLarge, "the ABI can't be pinned: its raw form is empty, or has more than \(maximum >> 20) MiB"
            )
        case .pinnedABIsFull(let count, let size):
            Words(.pinnedABIsFull, "a vault has at most \(count) pinned ABIs, of \(size >> 20) MiB together")
        }
    }
}

extension RecoveryPhraseProblem {
    var words: Words {
        let hint = "enter the 24 words in the order in which they were shown"
        return switch self {
        case .wordCount(let count):
            Words(.invalidPhrase, "\(Words.count(count, "word")) instead of the 24 of a recovery phrase", hint: hint)
        case .unknownWord(let position): Words(.invalidPhrase, "word \(position) is not in the list of words")
        case .checksum: Words(.invalidPhrase, "a word is wrong, or the words are in the wrong order")
        case .walletSeed: Words(.invalidPhrase, "these words are a wallet seed, not the recovery phrase of a vault")
        }
    }
}

extension Words {
    fileprivate static func wrongUnlockMethod(_ kind: SlotKind, _ damaged: [Int]) -> Words {
        let lost =
            "\(slots(damaged)) \(damaged.count == 1 ? "is" : "are") damaged and could not be tried; "
            + "your PIN, key file or phrase may be correct for "
            + "\(damaged.count == 1 ? "that slot" : "one of those slots"); "
            + "use another unlock method or restore a backup"
        return switch kind {
        case .pin, .other:
            Words(
                .wrongPIN, "wrong PIN",
                hint: damaged.isEmpty
                    ? "a PIN must be typed exactly: check Caps Lock and the keyboard layout" : lost)
        case .pinAndKeyFile:
            Words(
                .wrongPIN, "wrong PIN or wrong key file",
                hint: damaged.isEmpty
                    ? "there is no way to know which one is wrong; check the file, Caps Lock and the keyboard layout"
                    : lost)
        case .recovery:
            Words(
                .wrongPhrase, "the recovery phrase belongs to another vault, or was replaced by a newer one",
                hint: damaged.isEmpty
                    ? "each vault has its own recovery phrase: check which vault the words were written down for"
                    : lost)
        }
    }

    fileprivate static func noSlot(_ kind: SlotKind, _ others: [SlotKind]) -> Words {
        let hint =
            if kind == .pin, others.contains(.pinAndKeyFile) {
                "the vault opens with a PIN and a key file: name the key file with --keyfile"
            } else if others.contains(.pin) {
                "the vault opens with a PIN: omit --keyfile, --recovery and --recovery-file"
            } else if others.contains(.recovery) {
                "unlock the vault with --recovery"
            } else {
                "see `eosvault slot list`"
            }
        return Words(.noSlot, "the vault has no slot for \(kind.words)", hint: hint)
    }

    static func text(of problem: LabelProblem) -> String {
        switch problem {
        case .empty: "the label is empty"
        case .tooLong(let maximum): "the label has more than \(maximum) characters"
        case .unprintable(let offset):
            "byte \(offset + 1) of the label starts an invisible or text-direction character"
        case .outerSpace: "the label begins or ends with a space"
        case .looksLikeKey: "the label looks like a key"
        case .looksLikeName:
            "the label looks like a system account (for example eosio.token), "
                + "or has the form KIND:NAME of another entry"
        case .combiningMarks(let offset):
            "byte \(offset + 1) of the label starts a combining mark without a letter, or the fourth mark of a letter"
        case .unknownScript(let offset): "byte \(offset + 1) of the label starts a letter that labels can't have"
        case .mixedScripts: "the label mixes letters of several scripts, which can look alike"
        }
    }

    /// `slot 1`, `slots 1, 2`.
    static func slots(_ numbers: [Int]) -> String {
        (numbers.count == 1 ? "slot " : "slots ") + numbers.map(String.init).joined(separator: ", ")
    }
}
