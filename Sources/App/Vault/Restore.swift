import ArgumentParser
import Hardening
import JSON
import KeyVault
import Shell

struct Restore: ReleasingCommand, JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Create a vault from a backup.",
        discussion: """
            The whole backup is verified before anything is written. An existing vault is never overwritten. The new \
            vault opens with the PIN that the vault had when the backup was made. The backup can have any file mode, \
            because USB sticks have no modes. If only you can write it, failed unlocks are counted in it.

            A backup lacks later signatures, so rolling limits of policies stay blocked for one full window. To keep \
            them open, give the second unlock method of the policy with --second-file or --second-fd; the command \
            does not ask for it.

              eosvault restore vault-copy.db --vault restored.db
              eosvault restore vault-copy.db --vault restored.db --dry-run
            """)

    @Argument(help: "The backup file.", completion: .file())
    var file: String

    @OptionGroup var release: ReleaseOptions

    @Flag(help: "Verify that the backup can be restored, without making a vault.")
    var dryRun = false

    @OptionGroup var common: CommonOptions

    var requiredAccess: FileAccess {
        .unlocking(file) + (dryRun ? .none : vault.newAccess) + vault.memory + method.fileAccess
            + second.inputs.fileAccess
    }

    func run() throws {
        let path = try vault.path()
        try placed(at: path, as: VaultFileUse.restoredVault) { try VaultLocation.verifyPlace(path) }
        let witness = try VaultOptions.witness(of: path)
        let restored =
            try dryRun
            ? restore(to: path, witness)
            : NewVaultFolder.createFolders(for: path, in: sandbox, allowing: { requiredAccess }) {
                try restore(to: path, witness)
            }
        if restored.laterChanges > 0 { Messages.warning(Words.laterChanges(restored.laterChanges)) }
        if restored.unusedRowCount > 0 {
            Messages.warning(Words.unusedRows(restored.unusedRowCount, of: "backup"))
        }
        if let note = Words.unsupported(restored.unsupported) { Messages.note(note) }
        if restored.isOlderThanSeen { Messages.note(Words.restoredOlder) }
        if restored.usesNonces { Messages.note(Words.noncesOfCopy) }
        if let usedUp = restored.usedUp { Messages.note(Words.usedUp(usedUp, by: "the backup")) }
        if json.isOn {
            try Output.json(
                Self.object.json((MadeCopy(path: path, copy: restored), dryRun)))
        } else {
            Output.words(dryRun ? Words.restorable(path, restored) : Words.madeCopy("vault", path, restored))
        }
        guard !dryRun else { return }
        Messages.note(Words.historyIsOlder)
        Messages.note(Words.opens(with: restored.slots))
        if let note = Words.opensElsewhere(with: restored.slots) { Messages.note(note) }
        Messages.note(
            Words.useInstead(
                path, of: try? VaultOptions(locked: nil).path(), isOlder: restored.isOlderThanSeen))
    }

    /// The unlock secret is wiped when this returns.
    private func restore(to path: String, _ witness: Witness?) throws -> BackupDescription {
        let image = try placed(at: file, as: VaultFileUse.backup) { try VaultImage(contentsOf: file) }
        let policies =
            second.inputs.isEmpty
            ? [] : try placed(at: file, as: VaultFileUse.backup) { try image.unverifiedPolicies() }
        let second = try second.readGiven(for: policies)
        return try method.opening { method, hidden in
            try placed(at: file, as: VaultFileUse.backup) {
                try Progress.counting("verifying entries", hiding: hidden) { progress in
                    try dryRun
                        ? Vault.verifyRestorable(
                            image, method: method, second: second, witness: witness,
                            acceptRollback: vault.acceptRollback,
                            clock: .withNotes(hiding: hidden), progress: progress)
                        : Vault.restore(
                            image, to: path, method: method, second: second, witness: witness,
                            acceptRollback: vault.acceptRollback,
                            clock: .withNotes(hiding: hidden), progress: progress)
                }
            }
        }
    }
}

extension Restore {
    static let object = JSONObject<(made: MadeCopy, isDryRun: Bool)>([]).adding(MadeCopy.restored) { $0.made }
        .adding([
            .boolean("dry_run?", "true with --dry-run: nothing was made") { $0.isDryRun ? true : nil }
        ])
}
