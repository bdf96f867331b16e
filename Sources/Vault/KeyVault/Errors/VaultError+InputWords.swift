import Messages

extension VaultError.Input {
    package var words: Words {
        switch self {
        case .pinEmpty: Words(.invalidPIN, "the PIN is empty")
        case .pinTooShort(let minimum): .pinTooShort(minimum)
        case .pinTooLong(let maximum): Words(.invalidPIN, "the PIN has more than \(maximum) characters")
        case .pinNotPrintableASCII(let offset):
            Words(
                .invalidPIN, "byte \(offset + 1) of the PIN is not printable ASCII",
                hint: "use ASCII characters only: another keyboard may encode other characters differently")
        case .wrongUnlockMethod(let kind, let damaged): .wrongUnlockMethod(kind, damaged)
        case .unlockDelayed(let seconds): .unlockDelayed(seconds)
        case .keyFileLength(let count):
            Words(.keyFile, "not a key file: \(Words.count(count, "byte")) instead of \(KeyFile.count)")
        case .recoveryPhrase(let problem): problem.words
        case .label(let problem): Words(.invalidLabel, problem.text)
        case .labelExists: Words(.labelExists, "another entry of the vault has this label")
        case .labelAlike: .labelAlike
        case .keyExists: Words(.keyExists)
        case .noSuchKey: Words(.noSuchKey)
        case .neverBackedUp(let kind): .neverBackedUp(kind)
        case .noSuchSlot(let number): Words(.noSuchSlot, "the vault has no slot \(number)")
        case .lastSlot: .lastSlot
        case .notEnough: .notEnough
        case .tpmHasSlot(let number): .tpmHasSlot(number)
        case .slotsFull: Words(.slotsFull, "all eight slots are in use")
        case .otherSlots(let slots): .otherSlots(slots)
        case .locked: Words(.locked, "the vault was locked meanwhile; nothing was done")
        case .slotChanged: .slotChanged
        case .policySet: .policySet
        case .noPolicy: Words(.noPolicy)
        case .tooLarge(let part, let maximum): part.words(maximum)
        case .secondMethodNeeded(let kind):
            Words(
                .secondMethodNeeded,
                "this operation needs the second unlock method of a policy: "
                    + (kind == .recovery ? "the recovery phrase" : "its policy PIN"))
        case .kdfCost(let problem): problem.words
        case .noSlot(let kind, let others): .noSlot(kind, others)
        case .unsupportedKind(let kind): .unsupportedKind(kind)
        case .notAKey: .notAKey
        case .keyInToken: Words(.keyInToken)
        case .notACredential: Words(.noSuchCredential, "the entry is not a credential")
        case .notASeed: Words(.noSuchSeed, "the entry is not a seed")
        case .noIndexLeft: Words(.noSuchSeed, "all indices of this seed are used")
        case .digestRefused(let refusal): refusal.words
        case .nonceUsed(let last): .nonceUsed(last)
        case .noNonceLeft: .noNonceLeft
        case .notAnArchive: Words(.wrongArchive, "not an archive of an audit log")
        case .archiveOfOtherVault: Words(.wrongArchive, "the archive is of another vault")
        case .nothingToArchive: Words(.nothingToArchive)
        case .archivesNotConsecutive(let last, let next): .archivesNotConsecutive(last, next)
        case .chainName(let problem): problem.words
        case .noSuchChainName: Words(.unknownChain, "the vault gives no name to this chain")
        case .noPinnedABI: Words(.noPinnedABI)
        case .pinnedABIsFull(let count, let size):
            Words(.pinnedABIsFull, "a vault has at most \(count) pinned ABIs, of \(size >> 20) MiB together")
        }
    }
}

extension DigestRefusal {
    fileprivate var words: Words {
        switch self {
        case .policy: Words(.policyRule, "the key has a policy, which can't decide about a digest")
        case .signedTransaction:
            Words(
                .actionNotAllowed, "the key signed a transaction, so it may not sign digests",
                hint: "use a key that is in no permission of an account")
        }
    }
}

extension VaultError.Part {
    fileprivate func words(_ maximum: Int) -> Words {
        switch self {
        case .policy: Words(.tooLarge, "the policy is empty or has more than \(maximum) bytes")
        case .policies:
            Words(
                .tooLarge, "all policies of the vault together would have more than \(maximum >> 20) MiB",
                hint: "set one policy for all keys, or remove policies that are not needed")
        case .policyUses:
            Words(
                .policyLimit,
                "what the key used of its limits would have more than \(maximum >> 20) MiB; nothing was signed",
                hint: "sign later, or set a policy with a shorter window or without `each_recipient`")
        case .credential:
            Words(
                .tooLarge,
                "the profile, the key id and the URL prefix have more than \(maximum) bytes together")
        case .pinnedABI:
            Words(
                .tooLarge,
                "the ABI can't be pinned: its raw form is empty, or has more than \(maximum >> 20) MiB",
                hint: "no known contract has an ABI of this size: check where it comes from")
        }
    }
}

extension Words {
    fileprivate static func pinTooShort(_ minimum: Int) -> Words {
        Words(
            .invalidPIN, "the PIN has fewer than \(minimum) characters",
            hint: "use a passphrase of several words; it is far stronger than digits")
    }

    fileprivate static let notAKey = Words(
        .noSuchKey, "the entry is a credential or a seed, not a key",
        hint: "use the `credential` or `seed` commands")

    fileprivate static func unsupportedKind(_ kind: UInt8) -> Words {
        Words(.newerVersion, "an entry has kind \(kind), which this version does not support")
    }

    fileprivate static let policySet = Words(
        .policy, "the vault has a policy that this version can't read, so this version signs nothing")

    fileprivate static let lastSlot = Words(
        .lastSlot, "this is the last usable slot: without it, the vault can never be opened")

    fileprivate static let notEnough = Words(
        .lastSlot,
        "only slots that need a TPM or an authenticator would be left, and such a device can fail or be lost",
        hint: "make a recovery phrase first: `eosvault slot add --new-recovery`")

    fileprivate static func tpmHasSlot(_ number: Int) -> Words {
        Words(
            .slotsFull, "slot \(number) already uses this TPM",
            hint: "change its PIN with `eosvault pin change`, or remove it first")
    }

    fileprivate static func unlockDelayed(_ seconds: Int64) -> Words {
        Words(
            .busy,
            "an unlock failed; the next one can be made in \(Words.count(Int(clamping: seconds), "second"))",
            hint: "try again then")
    }

    fileprivate static let slotChanged = Words(
        .changedMeanwhile, "another process changed the slot at the same time; nothing was done",
        hint: "try again with the current PIN")

    fileprivate static let labelAlike = Words(
        .labelExists,
        "another entry of the vault has a label that differs only in case, spaces or "
            + "look-alike characters")

    fileprivate static func neverBackedUp(_ kind: EntryKind) -> Words {
        let (part, entry) =
            kind == .credential ? ("credential's secret", "credential") : (kind.noun, kind.noun)
        return Words(
            .neverBackedUp, "no verified backup contains the \(part), so removing the \(entry) may destroy it"
        )
    }

    fileprivate static func otherSlots(_ numbers: [Int]) -> Words {
        Words(
            .otherSlots,
            "\(slots(numbers)) can't be kept: "
                + "a new master key needs the PIN, key file or recovery phrase of every slot that is kept")
    }

    fileprivate static func nonceUsed(_ last: UInt64) -> Words {
        Words(
            .nonceUsed, "the nonce is not greater than the last one, \(last)",
            hint: "omit the nonce: eosvault chooses the next one")
    }

    fileprivate static let noNonceLeft = Words(
        .nonceUsed, "the last nonce is the greatest 64-bit number, so none is left",
        hint: "make another API key at the service")

    fileprivate static func archivesNotConsecutive(_ last: Int64, _ next: Int64) -> Words {
        Words(
            .wrongArchive,
            next > last + 1
                ? "\(records(last + 1, next - 1)) are missing between the archives"
                : "two archives do not belong to one history: one ends with record \(last), the next begins with "
                    + "record \(next)")
    }

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
        case .pinAndTPM, .pinAndFIDO2:
            Words(
                .wrongPIN, "wrong PIN of the vault",
                hint: damaged.isEmpty
                    ? "this is not the PIN of the device; check Caps Lock and the keyboard layout" : lost)
        case .fido2:
            Words(
                .otherDevice,
                "the secret of the authenticator does not open its slot: the slot was changed, or the authenticator "
                    + "is faulty",
                hint: damaged.isEmpty ? "use another unlock method, or restore a backup" : lost)
        case .recovery:
            Words(
                .wrongPhrase, "the recovery phrase belongs to another vault, or was replaced by a newer one",
                hint: damaged.isEmpty
                    ? "each vault has its own recovery phrase: check which vault the words were written down for"
                    : lost)
        }
    }

    fileprivate static func noSlot(_ kind: SlotKind, _ others: [SlotKind]) -> Words {
        let methods = others.map(\.words).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        let known = methods.isEmpty ? "" : "; it opens with " + methods.joined(separator: ", or with ")
        return Words(.noSlot, "the vault has no slot for \(kind.words)\(known)")
    }

    /// `slot 1`, `slots 1, 2`.
    package static func slots(_ numbers: [Int]) -> String {
        (numbers.count == 1 ? "slot " : "slots ") + numbers.map(String.init).joined(separator: ", ")
    }

    /// `record 7`, `records 1 to 7`.
    package static func records(_ first: Int64, _ last: Int64) -> String {
        first == last ? "record \(first)" : "records \(first) to \(last)"
    }
}

extension RecoveryPhraseProblem {
    package var words: Words {
        let hint = "enter the 24 words in the order in which they were shown"
        return switch self {
        case .wordCount(let count):
            Words(
                .invalidPhrase, "\(Words.count(count, "word")) instead of the 24 of a recovery phrase",
                hint: hint)
        case .unknownWord(let position):
            Words(.invalidPhrase, "word \(position) is not in the list of words", hint: "check its spelling")
        case .checksum: Words(.invalidPhrase, "a word is wrong, or the words are in the wrong order")
        case .walletSeed:
            Words(
                .invalidPhrase, "these words are a seed (BIP-39), not the recovery phrase of a vault",
                hint: "type the recovery phrase; to store a seed, use `eosvault seed restore NAME`")
        case .byteCount(let count):
            Words(
                .invalidPhrase, "the secret has \(Words.count(count, "byte")), and a recovery phrase has 32",
                hint: "use the shares of a recovery phrase")
        }
    }
}

extension KDFCostProblem {
    var words: Words {
        switch self {
        case .passes(let passes, let allowed):
            Words(
                .kdfCost,
                "\(Words.count(passes, "pass", "passes")) for the key derivation; "
                    + "\(allowed.lowerBound) to \(allowed.upperBound) are allowed")
        case .memory(let bytes, let allowed):
            Words(
                .kdfCost,
                "\(Words.size(bytes)) for the key derivation; "
                    + "\(Words.size(allowed.lowerBound)) to \(Words.size(allowed.upperBound)) are allowed")
        case .memoryNotWholeKibibytes(let bytes): Words(.kdfCost, "\(bytes) bytes is not a multiple of 1024")
        case .together:
            Words(.damaged, "the key derivations of all slots together exceed the limit for one slot")
        case .memoryBeyondMachine(let bytes, let machine):
            Words(
                .kdfCost,
                "the key derivation needs \(Words.size(bytes)) of memory; this machine has \(Words.size(machine))",
                hint: "use a machine with more memory, or a smaller cost for a new PIN")
        }
    }
}

extension LabelProblem {
    package var text: String {
        switch self {
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
        case .unknownScript(let offset):
            "byte \(offset + 1) of the label starts a letter that labels can't have"
        case .mixedScripts: "the label mixes letters of several scripts, which can look alike"
        }
    }
}
