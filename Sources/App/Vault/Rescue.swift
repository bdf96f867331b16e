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
            Each entry whose encryption is intact is recovered; the others are listed. If the vault's digests are \
            intact, only entries that they cover are recovered: removed ones and old labels do not return. The damaged \
            file and the journal next to it are not changed, except that failed unlocks are counted in a file that is \
            an intact vault. The new vault has one slot, for the unlock method that opened the damaged vault. Other \
            slots, settings and the audit log are not copied; pinned ABIs and policies are, if the digests \
            cover them. The exit status is 0 only if the digests prove that no entry, no pinned ABI and no policy is \
            missing. If the file is older than the state this machine has recorded, later entries are missing from \
            it. Unless the file is in that state, each rolling limit of a policy counts as used \
            up until its window has passed.

            The slots in the tables of the vault are tried first. If none opens, each other slot in the file is \
            tried. Someone who can write the file may have added many, so this can take long. Ctrl-C ends it. The \
            command states that the PIN is wrong only after it tried all slots.

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
        let memory = (try? VaultOptions.witness()).flatMap { $0.map { FileAccess.readingBeneath($0.folder) } } ?? .none
        return Vault.damagedFiles(file).reduce(
            NewVaultFolder.fileAccess(for: output) + .unlocking(file) + method.fileAccess + memory
        ) {
            $0 + .reading($1)
        }
    }

    func run() throws {
        _ = try VaultOptions.witness()
        try placed(at: output, as: VaultFileUse.rescuedVault) { try VaultLocation.verifyPlace(output) }
        let report = try report()
        if json.isOn {
            try Output.json(report.json(of: output))
        } else {
            try Output.data(
                report.rescued.map {
                    ([$0.name.text] + ($0.label.map { [$0.text] } ?? [])).joined(separator: " ") + "\n"
                }
                .joined())
        }
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
            } catch VaultError.file(.alreadyExists) {
                throw Placed(
                    place: Printable.line(output), error: VaultError.file(.alreadyExists),
                    use: VaultFileUse.rescuedVault)
            } catch let error as VaultError {
                throw Placed(place: Printable.line(file), error: error, use: VaultFileUse.damagedVault)
            }
        }
    }
}

extension Rescue {
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
    fileprivate func json(of vault: String) -> JSONValue {
        [
            "vault": .string(vault), "keys": .array(rescued.filter { $0.kind != .credential }.map(\.json)),
            "credentials": .array(rescued.filter { $0.kind == .credential }.map(\.json)),
            "lost": .array(losses.map(\.json)), "lost_unlisted": .number(Int64(unlistedLosses) + namelessCount),
            "labels_dropped": .array(droppedLabels.map { .string($0.entry.name.text) }),
            "left_out": .array(leftOut.map { .string($0.text) }),
            "unconfirmed": .array(unconfirmed.map { .string($0.text) }), "entries_beyond_count": .number(excessCount),
            "verified": .boolean(isVerified), "state": .string(history.words.code),
            "entry_count_before": .number(entryCount), "complete": .boolean(isComplete),
            "pinned_abis": .array(pinnedABIs.map(\.json)),
            "pinned_abis_complete": .boolean(isVerified && !lacksPinnedABIs), "archives": .array(archives.map(\.json)),
            "policies": .array(policies.map { .string($0.rowName) }),
            "policies_complete": .boolean(isVerified && !lacksPolicies),
            "uses_lost": .array(lostUses.map { .string($0.text) }), "limits_used_up": .number(usedUp?.keyCount ?? 0),
        ]
    }
}
