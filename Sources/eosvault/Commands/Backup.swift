import ArgumentParser
import JSON
import KeyVault
import Sandbox

struct Backup: ConfinedCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a verified copy of the vault to a new file.",
        discussion: """
            Other processes can use the vault during the backup. The copy is fully verified: it is read back from the \
            disk and compared. It opens with the current PIN of the vault.

              eosvault backup vault-copy.db
            """)

    @Argument(help: ArgumentHelp("The file to create. An existing file is never overwritten.", valueName: "file"))
    var file: String

    @OptionGroup var vault: VaultOptions
    @OptionGroup var method: UnlockMethodOptions

    @OptionGroup var json: JSONOption

    @OptionGroup var sandbox: SandboxOption

    var requiredAccess: FileAccess { vault.fileAccess(by: method) + .changing(in: OutputFile(path: file).folder) }

    func run() throws {
        let opened = try vault.open(.reading)
        try placed(at: file, as: .newBackup) { try VaultLocation.verifyAbsent(file) }
        let unlocked = try method.unlock(opened)
        let backup = try placed(at: file, as: .newBackup) {
            try Progress.counting("verifying keys") { progress in try unlocked.backup(to: file, progress: progress) }
        }
        if !backup.isRecorded { Messages.warning(Words.backupNotRecorded) }
        try backup.print(as: "backup", at: file, json: json.isOn)
    }
}

struct Restore: ConfinedCommand {
    static let configuration = CommandConfiguration(
        abstract: "Create a vault from a backup.",
        discussion: """
            The backup is fully verified before anything is written. An existing vault is never overwritten. The \
            backup can have any file mode, because USB sticks have no modes. If only you can write the backup, the \
            command counts failed unlocks in the backup file. The new vault opens with the PIN that the vault had \
            when the backup was made.

              eosvault restore vault-copy.db --vault restored.db
            """)

    @Argument(help: ArgumentHelp("The backup file.", valueName: "file"))
    var file: String

    @OptionGroup var vault: VaultOptions
    @OptionGroup var method: UnlockMethodOptions

    @OptionGroup var json: JSONOption

    @OptionGroup var sandbox: SandboxOption

    var requiredAccess: FileAccess { .unlocking(file) + vault.newAccess + vault.memory + method.fileAccess }

    func run() throws {
        let path = try vault.path()
        try placed(at: path, as: .newVault) { try VaultLocation.verifyPlace(path) }
        let witness = try VaultOptions.witness()
        let restored = try NewVaultFolder.createFolders(for: path, in: sandbox, allowing: { requiredAccess }) {
            let image = try placed(at: file, as: .backup) { try VaultImage(contentsOf: file) }
            let method = try method.read()
            return try placed(at: file, as: .backup) {
                try Progress.counting("verifying keys") { progress in
                    try Vault.restore(
                        image, to: path, method: method, witness: witness, acceptRollback: vault.acceptRollback,
                        clock: .withNotes,
                        progress: progress)
                }
            }
        }
        if restored.laterChanges > 0 {
            Messages.warning(Words.laterChanges(restored.laterChanges))
        }
        if restored.isOlderThanSeen { Messages.note(Words.restoredOlder) }
        try restored.print(as: "vault", at: path, json: json.isOn)
    }
}

extension BackupDescription {
    fileprivate func print(as what: String, at path: String, json: Bool) throws {
        if json {
            let made: JSONValue = [
                what: .string(path), "key_count": .number(keyCount), "generation": .number(generation),
                "bytes": .number(size),
            ]
            try Output.json(made)
        } else {
            Output.words(Words.madeCopy(what, path, keyCount: keyCount))
        }
    }
}
