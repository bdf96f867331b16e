import ArgumentParser
import JSON
import KeyVault
import Sandbox

struct Backup: ConfinedCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a verified copy of the vault to a new file.",
        discussion: """
            Others may use the vault meanwhile. The copy is verified whole, read back from the disk and compared. It opens with \
            the PIN that the vault has now.

              eosvault backup vault-copy.db
            """)

    @Argument(help: ArgumentHelp("The file to make; nothing is overwritten.", valueName: "file"))
    var file: String

    @OptionGroup var vault: VaultOptions
    @OptionGroup var method: UnlockMethodOptions

    @OptionGroup var json: JSONOption

    @OptionGroup var sandbox: SandboxOption

    var touches: FileAccess { vault.fileAccess(by: method) + .changing(in: OutputFile(path: file).folder) }

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
        abstract: "Make a vault out of a backup.",
        discussion: """
            The backup is verified whole before anything is written, and an existing vault is never overwritten. \
            The backup may have any file mode: sticks have none. Wrong tries are counted in it where it is a vault that only you can write. It opens with the PIN that the vault had when it was made.

              eosvault restore vault-copy.db --vault restored.db
            """)

    @Argument(help: ArgumentHelp("The backup.", valueName: "file"))
    var file: String

    @OptionGroup var vault: VaultOptions
    @OptionGroup var method: UnlockMethodOptions

    @OptionGroup var json: JSONOption

    @OptionGroup var sandbox: SandboxOption

    var touches: FileAccess { .trying(file) + vault.newAccess + vault.memory + method.fileAccess }

    func run() throws {
        let path = try vault.path()
        try placed(at: path, as: .newVault) { try VaultLocation.verifyPlace(path) }
        let witness = try VaultOptions.witness()
        let restored = try NewVaultFolder.keptUnlessFailing(for: path, in: sandbox, keepingTo: { touches }) {
            let image = try placed(at: file, as: .backup) { try VaultImage(contentsOf: file) }
            let method = try method.read()
            return try placed(at: file, as: .backup) {
                try Progress.counting("verifying keys") { progress in
                    try Vault.restore(
                        image, to: path, method: method, witness: witness, acceptRollback: vault.acceptRollback,
                        clock: .told,
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
            let made = JSONValue.object([
                JSONMember(what, .string(path)), JSONMember("key_count", .number("\(keyCount)")),
                JSONMember("generation", .number("\(generation)")), JSONMember("bytes", .number("\(size)")),
            ])
            try Output.json(made)
        } else {
            Output.words(Words.madeCopy(what, path, keyCount: keyCount))
        }
    }
}
