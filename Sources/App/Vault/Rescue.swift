import ArgumentParser
import Hardening
import JSON
import KeyVault
import Shell

struct Rescue: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "rescue",
        abstract: "Recover the intact keys and credentials of a damaged vault into a new vault.",
        discussion: """
            Each intact entry is recovered; the others are listed. If the digests of the vault are intact, they \
            prevent removed entries and old labels from returning. Pinned ABIs and policies are recovered if the \
            digests cover them; other slots, settings and the audit log are not. The new vault opens with the unlock \
            method that opened the damaged one. The exit status is 0 only if the digests prove that no entry, pinned \
            ABI or policy is missing. The damaged file and its journal stay as they are, except that an intact vault \
            counts failed unlocks.

            A file that is older than the state this machine has recorded lacks later entries. Unless the file is in \
            that state, rolling limits of policies stay blocked for one full window.

            The command tries the slots in the tables of the vault first, then all other slots in the file. Someone \
            who can write the file may have added many; Ctrl-C ends the search. A wrong PIN is reported only after \
            all slots were tried.

              eosvault rescue damaged.db --output rescued.db
            """)

    @Argument(help: "The damaged vault file.", completion: .file())
    var file: String

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The new vault; the file must not exist.", valueName: "path"),
        completion: .file())
    var output: String

    @OptionGroup var method: UnlockMethodOptions
    @OptionGroup var common: CommonOptions

    var requiredAccess: FileAccess {
        let memory =
            (try? VaultOptions.witness()).flatMap { $0.map { FileAccess.readingBeneath($0.folder) } } ?? .none
        let access = NewVaultFolder.fileAccess(for: output) + .unlocking(file) + method.fileAccess + memory
        return Vault.damagedFiles(file).reduce(access) { $0 + .reading($1) }
    }

    func run() throws {
        _ = try VaultOptions.witness(of: output)
        try placed(at: output, as: VaultFileUse.rescuedVault) { try VaultLocation.verifyPlace(output) }
        let report = try report()
        if json.isOn {
            try Output.json(Self.object.json((output, report)))
        } else {
            try Output.data(report.rescued.map { $0.line() + "\n" }.joined())
        }
        Messages.note(Words.recovered(report))
        Messages.note(Words.historyIsLost)
        Messages.note(Words.opensOnly(with: report.unlockMethod))
        Messages.note(Words.useInstead(output, of: try? VaultOptions(locked: nil).path()))
        if !report.isComplete { throw ExitStatus.failed }
    }

    /// The unlock secret is wiped when this returns.
    private func report() throws -> RescueReport {
        try NewVaultFolder.createFolders(for: output, in: sandbox, allowing: { requiredAccess }) {
            let report = try method.opening { method, hidden in try rescue(by: method, hidden) }
            for words in report.notes(Printable.line(file)) { Messages.warning(words) }
            if let usedUp = report.usedUp { Messages.note(Words.usedUp(usedUp, by: "the damaged vault")) }
            if let note = Words.unsupported(UnsupportedRows(entries: report.unsupported.entries)) {
                Messages.note(note)
            }
            if let note = Words.unsupportedSlots(report.unsupported.slots) { Messages.note(note) }
            let inTokens = report.rescued.count { !$0.tokens.isEmpty }
            if inTokens > 0 { Messages.note(Words.keysInTokens(inTokens)) }
            if report.rescued.contains(where: \.usesNonces) { Messages.note(Words.noncesOfCopy) }
            guard !report.rescued.isEmpty else {
                throw Placed(place: Printable.line(file), error: CommandError.nothingRescued)
            }
            return report
        }
    }

    private func rescue(by method: borrowing UnlockMethod, _ hidden: HiddenInput?) throws -> RescueReport {
        try Progress.during("searching for entries") {
            let witness = try VaultOptions.witness()
            do {
                return try Vault.rescue(
                    file, to: output, with: method, witness: witness, clock: .withNotes(hiding: hidden)
                ) { tried, total in
                    hidden?.deliverSignals()
                    Self.showTry(tried, total)
                }
            } catch let error as VaultError {
                let isNew = error == .file(.alreadyExists)
                throw Placed(
                    place: Printable.line(isNew ? output : file), error: error,
                    use: isNew ? VaultFileUse.rescuedVault : VaultFileUse.damagedVault)
            }
        }
    }

    /// States how many slots outside of the tables remain, before each of them is tried.
    private static func showTry(_ tried: Int, _ total: Int) {
        if tried == 0 {
            Progress.clear()
            Messages.note(Words.otherSlots(total))
        }
        Progress.show("trying the other slots: \(tried) of \(total) tried, \(total - tried) remain …")
    }
}

extension RescueReport {
    static let object = JSONObject<RescueReport>([
        .list("keys", of: EntryDescription.object, "the rescued keys") {
            $0.rescued.filter(\.isListedAsKey)
        },
        .list("credentials", of: EntryDescription.object, "the rescued credentials") {
            $0.rescued.filter { $0.kind == .credential }
        },
        .list("seeds", of: EntryDescription.object, "the rescued seeds") {
            $0.rescued.filter { $0.kind == .seed }
        },
        .list("lost", of: FaultWords.object, "the entries that could not be rescued") {
            $0.losses.map(\.faultWords)
        },
        .number("lost_unlisted", "how many more were lost, without a name") {
            Int64($0.unlistedLosses) + $0.namelessCount
        },
        .texts("labels_dropped", "the entries whose label was dropped") {
            $0.droppedLabels.map(\.entry.name.text)
        },
        .texts("left_out", "the entries that the digests do not cover, which are not rescued") {
            $0.leftOut.map(\.text)
        },
        .texts("unconfirmed", "the rescued entries that the digests do not confirm") {
            $0.unconfirmed.map(\.text)
        },
        .number("entries_beyond_count", "how many more entries were rescued than the vault had") {
            $0.excessCount
        },
        .boolean("verified", "whether the digests of the vault are intact") { $0.isVerified },
        .text(
            "state",
            "compared with this machine's state file: unknown, newest, last-backup, older, forked or not-comparable"
        ) { $0.history.words.code },
        .number(orNull: "entry_count_before", "the entries that the vault had; null if this is lost") {
            $0.entryCount
        },
        .boolean("complete", "whether the digests prove that no entry is missing") { $0.isComplete },
        .list("pinned_abis", of: ContractAddress.object, "the rescued pinned ABIs") { $0.pinnedABIs },
        .boolean("pinned_abis_complete", "true if the digests prove that no pinned ABI is missing") {
            $0.isVerified && !$0.lacksPinnedABIs
        },
        .list("named_chains", of: NamedChain.object, "the rescued names of chains") { $0.namedChains },
        .boolean("named_chains_complete", "true if the digests prove that no name is missing") {
            !$0.lacksNamedChains
        },
        .list("archives", of: ArchiveDescription.object, "the archives that only the damaged vault opens") {
            $0.archives
        },
        .texts("policies", "the keys whose policies were rescued, and * for the policy of all keys") {
            $0.policies.map(\.rowName)
        },
        .boolean("policies_complete", "true if the digests prove that no policy is missing") {
            $0.isVerified && !$0.lacksPolicies
        },
        .texts("uses_lost", "the keys whose uses of the limits were lost") { $0.lostUses.map(\.text) },
        .number("limits_used_up", "how many keys have blocked rolling limits") { $0.usedUp?.keyCount ?? 0 },
    ])
}

extension Rescue {
    static let object = JSONObject<(vault: String, report: RescueReport)>([
        .text("vault", "the path of the new vault") { $0.vault },
        .text("slot_kind", "the unlock method of the new vault: " + SlotKind.codes) {
            $0.report.unlockMethod.code
        },
    ]).adding(RescueReport.object) { $0.report }
}

extension RescueReport {
    /// The warnings about the result: the data that could not be rescued, and the uncertain facts.
    func notes(_ file: String) -> [String] {
        var notes = [history.words.warning].compactMap(\.self)
        if linkCount > 1 { notes.append(Words.hardLinked(file, count: linkCount)) }
        if !isVerified {
            notes.append(
                "the digests of the vault are damaged, so the result may contain removed entries and old labels; "
                    + "check each rescued entry and label")
        }
        if hasOtherVault {
            notes.append(
                "the file or its -journal file has a slot of another vault, whose entries are not rescued")
        }
        notes += tableNotes
        notes += archives.map {
            "keep the damaged vault, because the new one can't open its archives: \($0.text)"
        }
        notes += losses.map {
            "\($0.name?.text ?? "an entry whose name can't be read"): lost: \($0.reason.words.text)"
        }
        if unlistedLosses > 0 {
            notes.append("\(Words.count(unlistedLosses, "more entry", "more entries")) lost")
        }
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
            notes.append("the number of entries is lost; check that no key and no credential is missing")
        }
        notes += droppedLabels.map {
            "\($0.entry.name): its label was dropped: \($0.reason.text); see `eosvault rename`"
        }
        notes += unconfirmed.map {
            "\($0): rescued, but no digest confirms it, so it may have been removed; check "
                + ($0.isKindAndName ? "that the service still accepts it" : "the account's permissions")
        }
        notes += leftOut.map {
            "\($0): not rescued, because no digest covers its row: it was removed, or a change was interrupted"
        }
        return notes
    }

    /// The warnings about policies, pinned ABIs and names of chains.
    private var tableNotes: [String] {
        var notes: [String] = []
        if lacksPolicies {
            notes.append(
                "the rows of policies are damaged: \(Words.count(policies.count, "policy", "policies")) rescued, "
                    + "others may be lost; before you sign, set each policy again that is missing from your list"
            )
        }
        notes += lostUses.map {
            "\($0): what it used of its limits is lost, so its rolling limits stay blocked for one full window"
        }
        if lacksPinnedABIs {
            notes.append(
                "the rows of pinned ABIs are damaged: \(Words.count(pinnedABIs.count, "pinned ABI")) rescued, others "
                    + "may be lost; check `eosvault abi list`")
        }
        if lacksNamedChains {
            notes.append(
                "the rows of settings are damaged: "
                    + Words.count(namedChains.count, "name of a chain", "names of chains")
                    + " rescued, others may be lost; check `eosvault chains`")
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
