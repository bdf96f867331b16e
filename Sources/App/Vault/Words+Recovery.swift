import Files
import KeyVault
import Shell

extension Words {
    static let beforePhrase = """
        This is the recovery phrase of the vault. It opens the vault's file when the PIN
        or the key file is lost. Without that file it restores nothing: keep backups of
        the file. It is not a wallet seed: no wallet accepts it.

        Write the words on paper, in this order:


        """

    static let afterPhrase =
        "\nPress Return when you have written them down. eosvault then asks for three of them."

    static let phraseAgain = "Wrong word. Press Return to see the words again."

    static let phraseNote = "the recovery phrase opens this vault file; without the file, it restores nothing"

    // MARK: the words of a phrase, typed

    static func askFor(_ words: String, isShown: Bool) -> String {
        "Type \(words), one or several on each line. The first four letters of a word are enough."
            + (isShown ? "" : " The words are not shown.")
    }

    static func wordQuestion(_ position: Int, of count: Int) -> String { "word \(position) of \(count):" }

    static func unknownWords(_ positions: [Int]) -> String {
        if positions.count == 1 { return "Word \(positions[0]) is not in the list of words. Type it again." }
        let list = positions.map(String.init).joined(separator: ", ")
        return "Words \(list) are not in the list of words. Type each one again."
    }

    /// - Parameter positions: the positions that the line could fill.
    static func tooManyWords(_ count: Int, for positions: Range<Int>) -> String {
        let asked =
            positions.count == 1
            ? "word \(positions.lowerBound)" : "words \(positions.lowerBound) to \(positions.last ?? 0)"
        return
            "The line has \(count) words, but only \(asked) can be typed now. The line is ignored: type it again."
    }

    static func tooLongLine(_ limit: Int) -> String {
        "The line has more than \(limit) bytes. The line is ignored: type it again."
    }

    /// Why the 24 words are no phrase of a vault. One wrong word in 256 gives the checksum of a
    /// wallet seed.
    static func phraseMismatch(_ problem: RecoveryPhraseProblem) -> String {
        let words = problem.words
        let accident = problem == .walletSeed ? ", or a word is wrong" : ""
        return "The checksum does not match: \(words.message)\(accident)."
    }

    static func positionQuestion(of count: Int) -> String {
        "number of the word to type again (1 to \(count)), or `all`:"
    }
    static func notAPosition(of count: Int) -> String {
        "This is not a number from 1 to \(count), and not `all`."
    }

    static let offerKeyFile = "Make a key file, which is then needed in addition to the PIN?"
    static let offerTPM = """
        This machine has a TPM. With it, nobody can guess the PIN from a copy of the file. Because a TPM can fail, \
        you then also write down a recovery phrase. Use the TPM?
        """
    static let offerPhrase = "Make a recovery phrase, which opens the vault when the PIN is lost?"

    /// Describes a slot, for a question.
    static func slot(_ slot: SlotDescription) -> String {
        "slot \(slot.number), \(slot.kind.words), made \(Clock.text(slot.createdAt))"
    }
    static func damagedSlot(_ number: Int) -> String { "slot \(number), with both copies damaged" }
    /// The question comes before the PIN, so the description of the slot is not verified.
    static func removeSlot(_ slot: String) -> String {
        "\(slot) (not verified)\nRemove this unlock method from the vault?"
    }

    static func changedPIN(from old: Int, to new: Int) -> String {
        old == new ? "changed the PIN of slot \(new)" : "changed the PIN: slot \(new) replaces slot \(old)"
    }

    static let oldPIN =
        "older copies of the file still open with the old PIN, and older backups need it: keep it until you have "
        + "made a new backup and destroyed them"

    // MARK: next steps

    static let nextSteps =
        "next, make a key with `eosvault create` or `eosvault import`, then a backup with `eosvault backup FILE`"

    /// After `restore`.
    static func opens(with slots: [SlotKind]) -> String {
        "the vault opens as it did when the backup was made: with " + methods(slots)
    }

    /// For a copy of a vault that has slots with devices.
    static func opensElsewhere(with slots: [SlotKind]) -> String? {
        let bound = slots.filter { $0.isKnown && !$0.opensElsewhere }
        guard !bound.isEmpty else { return nil }
        let others = slots.filter(\.opensElsewhere)
        guard !others.isEmpty else {
            return "nothing opens the copy on another machine: add a recovery phrase with "
                + "`eosvault slot add --new-recovery`, and make another copy"
        }
        return "on another machine, the copy opens with \(methods(others)), and not with \(methods(bound))"
    }

    /// `a PIN, or with a recovery phrase`.
    static func methods(_ slots: [SlotKind]) -> String {
        slots.map(\.words).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
            .joined(separator: ", or with ")
    }

    /// The end of `rescue`, which may follow many warnings.
    static func recovered(_ report: RescueReport) -> String {
        let entries = entries(EntryCounts(report.rescued.map(\.kind)))
        let others = [
            report.pinnedABIs.isEmpty ? nil : count(report.pinnedABIs.count, "pinned ABI"),
            report.policies.isEmpty ? nil : count(report.policies.count, "policy", "policies"),
            report.namedChains.isEmpty
                ? nil : count(report.namedChains.count, "name of a chain", "names of chains"),
        ]
        let recovered = "recovered " + (entries + others.compactMap(\.self)).joined(separator: ", ")
        let lost = report.losses.count + report.unlistedLosses + Int(clamping: report.namelessCount)
        if lost > 0 { return "\(recovered); LOST \(count(lost, "entry", "entries")): see the warnings above" }
        if report.isComplete, !report.lacksPinnedABIs, !report.lacksPolicies, !report.lacksNamedChains {
            return "\(recovered); no entry, policy, pinned ABI or name of a chain was lost"
        }
        return "\(recovered); others may be missing: see the warnings above"
    }

    /// After `rescue`, which recovers neither the audit log nor the payment history.
    static let historyIsLost =
        "the new vault has no payment history: before you pay again, look for the payment on the chain, and in the log "
        + "of the damaged vault if it opens"

    /// After `restore`.
    static let historyIsOlder =
        "the payment history ends with the backup: before you pay again, look for the payment on the chain"

    /// After `rescue`.
    static func opensOnly(with kind: SlotKind) -> String {
        "the new vault opens only with what opened the damaged one, \(kind.words); other unlock methods, such as "
            + "an old recovery phrase, are void: add new ones with `eosvault slot add`"
            + (kind.mayBeOnly
                ? "" : ", and at once a recovery phrase, because the device can fail or be lost")
    }

    /// After `restore` and `rescue`.
    /// - Parameters:
    ///   - standard: The path of the vault without --vault; nil if there is none.
    ///   - isOlder: True if this machine has seen a newer state, so that the vault is refused once.
    static func useInstead(_ path: String, of standard: String?, isOlder: Bool = false) -> String {
        let (new, old) = (
            try? FileStatus(of: path).identity, standard.flatMap { try? FileStatus(of: $0).identity }
        )
        let check = "eosvault check" + (isOlder ? " --accept-rollback" : "")
        guard path != standard, new != old else {
            return "next, run `\(check)`, and make a new backup"
        }
        let name = ShellWord.quoted(path)
        let next = "next, run `\(check) --vault \(name)` and make a new backup"
        guard let standard else { return next }
        return next + "; to use the vault without --vault, "
            + (old == nil ? "run " : "move the old file and its -journal file aside, then run ")
            + "`mv -n \(name) \(ShellWord.quoted(standard))`"
    }

    static let keyFileGone =
        "the new PIN opens the vault without a key file; "
        + "to require one again, run `eosvault slot add --new-keyfile` and remove this slot"
    static let keyFileNotNeeded = "the new PIN opens the vault without a key file"
    static let oldCopies =
        "older copies of the file still open as before, with all their keys"
}

extension VaultError: WordRefusal {
    var wrongWords: String? {
        if case .input(.recoveryPhrase(let problem)) = self { Words.phraseMismatch(problem) } else { nil }
    }
}
