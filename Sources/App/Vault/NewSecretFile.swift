import Files
import Hardening
import KeyVault
import Shell

/// A file that is created with an unlock secret: a key file, or a random PIN. It must be kept apart
/// from the vault.
struct NewSecretFile {
    private let file: NewFile

    var fileAccess: FileAccess { OutputFile(path: file.path).fileAccess }

    /// - Throws: if the file exists, or can't be created there.
    init(path: String, vault: String) throws {
        try OutputFile.expectFile(path)
        file = try placed(at: path) { try OutputFile(path: path).prepared(for: .secret) }
        if let folder = Self.folder(of: path), folder == Self.folder(of: vault) {
            Messages.warning(Words.secretBesideVault)
        }
    }

    /// The identity of a file's folder, the same for every path to it.
    private static func folder(of path: String) -> FileStatus.Identity? {
        (try? FileStatus(of: FilePath.folder(of: path), followingLinks: true))?.identity
    }

    /// Writes the key file or the PIN of `method`, then runs the step that creates its slot. If the
    /// step creates no slot, the file is removed. Signals are held back until both are done, so
    /// derive the slot's key before this call.
    func write<Result>(of method: borrowing UnlockMethod, before step: () throws -> Result) throws -> Result {
        try HeldSignals.during {
            let made = try method.withStoredSecret { secret, isText in
                try placed(at: file.path) { try file.write(secret, isText: isText) }
            }
            do { return try step() } catch {
                // After an uncertain commit the slot may exist, and then it needs its file.
                let cause = (error as? Placed)?.error ?? error
                if cause as? VaultError != .machine(.commitUncertain) { made?.remove() }
                throw error
            }
        }
    }
}
