import Glibc
import Hardening
import KeyVault
import Shell

/// The folder of a new vault.
enum NewVaultFolder {
    /// Creates the folder and its missing parents, and then runs the step that reads the secrets
    /// and creates the vault. If the step fails, the new folders are removed. While the step runs,
    /// the sandbox allows only `access`: folders can no longer be created.
    static func createFolders<Result>(
        for path: String, in sandbox: SandboxOption, allowing access: () -> FileAccess,
        _ step: () throws -> Result
    ) throws -> Result {
        let made = try placed(at: path) { try VaultLocation.createFolder(for: path) }
        do {
            let removal =
                made.first.map { FileAccess.removingFolders(in: OutputFile(path: $0).folder) } ?? .none
            try sandbox.narrow(to: access() + removal)
            return try step()
        } catch {
            // rmdir keeps a folder that is not empty: a vault after an uncertain commit, or a file
            // of another program.
            for folder in made.reversed() { unsafe rmdir(folder) }
            throw error
        }
    }
}
