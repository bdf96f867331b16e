import JSON
import KeyVault
import Shell

extension RescueReport {
    /// The warnings about the result: what could not be rescued, and what is uncertain.
    func notes(_ file: String) -> [String] {
        var notes = [history.words.warning].compactMap(\.self)
        if linkCount > 1 { notes.append(Words.hardLinked(file, count: linkCount)) }
        if !isVerified {
            notes.append(
                "the vault's digests are damaged: the result may contain removed entries and old labels; "
                    + "check each rescued entry and label")
        }
        if hasOtherVault {
            notes.append("the file or its -journal file has a slot of another vault, whose entries are not rescued")
        }
        if lacksPolicies {
            notes.append(
                "the rows of policies are damaged: \(Words.count(policies.count, "policy", "policies")) rescued, "
                    + "others may be lost; compare with your list of policies, and set each lost one again before "
                    + "you sign"
            )
        }
        notes += lostUses.map {
            "\($0): what it used of its limits is lost, so each rolling limit counts as used up until its window has "
                + "passed"
        }
        if lacksPinnedABIs {
            notes.append(
                "the rows of pinned ABIs are damaged: \(Words.count(pinnedABIs.count, "pinned ABI")) rescued, others "
                    + "may be lost; check `eosvault abi list`")
        }
        notes += archives.map {
            "keep the damaged vault: the new one can't open archives of its audit log: \($0.text)"
        }
        notes += losses.map { "\($0.name?.text ?? "an entry whose name can't be read"): lost: \($0.reason.words.text)" }
        if unlistedLosses > 0 { notes.append("\(Words.count(unlistedLosses, "more entry", "more entries")) lost") }
        if namelessCount > 0 {
            notes.append(
                "\(Words.count(namelessCount, "entry", "entries")) lost, without any data in the file: "
                    + "the vault had \(Words.count(entryCount ?? 0, "entry", "entries"))")
        }
        if excessCount > 0 {
            notes.append(
                "rescued \(Words.count(excessCount, "more entry", "more entries")) than the vault had "
                    + "(\(entryCount ?? 0)): the result contains removed entries, and others may be missing")
        }
        if entryCount == nil {
            notes.append("the original number of entries is lost: check that no key and no credential is missing")
        }
        notes += droppedLabels.map {
            "\($0.entry.name): its label was dropped: \($0.reason.text); see `eosvault rename`"
        }
        notes += unconfirmed.map {
            "\($0): rescued, but not confirmed by the vault's digests: it may have been removed; "
                + ($0.isKindAndName ? "check whether the service still accepts it" : "check the account's permissions")
        }
        notes += leftOut.map {
            "\($0): not rescued: the vault's digests do not cover its row: it was removed, or a change was interrupted"
        }
        return notes
    }
}

extension RescueReport.History {
    /// For programs, and the warning for people.
    var words: (code: String, warning: String?) {
        switch self {
        case .unknown: ("unknown", nil)
        case .newest: ("newest", nil)
        case .lastBackup: ("last-backup", nil)
        case .older(let found, let seen):
            (
                "older",
                "the vault is older (generation \(found)) than the copy last seen on this machine (\(seen)): "
                    + "later entries are missing, and the result may contain removed ones"
            )
        case .forked:
            (
                "forked",
                "the vault is an older copy that was changed separately: "
                    + "entries that were added to the newer copy are missing, and the result may contain removed ones"
            )
        case .notComparable:
            (
                "not-comparable",
                "the vault can't be compared with the copy last seen on this machine: it may be an older copy"
            )
        }
    }
}

extension RescueReport.DroppedLabel.Reason {
    fileprivate var text: String {
        switch self {
        case .ofSeveralKeys: "another entry has the same label"
        case .rowsDisagree: "the file has rows of this entry with different labels"
        case .notInTable: "the vault's verified table of labels does not assign it to this entry"
        case .notProved: "the vault's digests do not confirm it, so it may be an older label"
        }
    }
}

extension RescueReport.Loss {
    var faultWords: FaultWords {
        let words = reason.words
        return FaultWords(words.code, words.text, words.members.adding(name?.json ?? [:]))
    }
}

extension RescueReport.Reason {
    fileprivate var words: FaultWords {
        switch self {
        case .malformed: .init(.malformed, "its entry has invalid values")
        case .seal: FaultWords(.entrySeal, EntryFault.seal.text)
        case .key: FaultWords(.entryKey, EntryFault.key.text)
        case .rowGone: .init(.rowGone, "only its name was found; its entry is missing")
        }
    }
}
