import Glibc
import KeyVault
import Sandbox

/// The folder that a new vault is to stand in.
enum NewVaultFolder {
    /// Makes it, and those above it, where they are missing; runs the step that makes the vault, and takes away again what it made where none
    /// came to stand there. Once it is there, the command that makes it keeps to it.
    static func keptUnlessFailing<Result>(
        for path: String, of command: some ConfinedCommand, _ step: () throws -> Result
    ) throws -> Result {
        let made = try placed(at: path) { try VaultLocation.createFolder(for: path) }
        do {
            if let outermost = made.first {
                let removal = FileAccess.removingFolders(in: OutputFile(path: outermost).folder)
                try command.sandbox.narrow(to: command.touches + removal)
            }
            return try step()
        } catch {
            // One that is not empty is left: a vault that may not last is in it, or somebody else's file.
            for folder in made.reversed() { unsafe rmdir(folder) }
            throw error
        }
    }
}
