import Glibc
import KeyVault
import Sandbox

/// The folder that a new vault is to stand in.
enum NewVaultFolder {
    /// Makes it, and those above it, where they are missing; runs the step that reads what secrets
    /// it takes and makes the vault, and takes away again what it made where none came to stand
    /// there. The step keeps to `access`: a place that was missing is not open any more.
    static func keptUnlessFailing<Result>(
        for path: String, in sandbox: SandboxOption, keepingTo access: () -> FileAccess, _ step: () throws -> Result
    ) throws -> Result {
        let made = try placed(at: path) { try VaultLocation.createFolder(for: path) }
        do {
            let removal = made.first.map { FileAccess.removingFolders(in: OutputFile(path: $0).folder) } ?? .none
            try sandbox.narrow(to: access() + removal)
            return try step()
        } catch {
            // One that is not empty is left: a vault that may not last is in it, or somebody else's
            // file.
            for folder in made.reversed() { unsafe rmdir(folder) }
            throw error
        }
    }
}
