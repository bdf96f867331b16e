import Files
import Hardening
import KeyVault
import Shell

/// A key file that is created: 32 secret bytes. It must be kept apart from the vault.
struct NewKeyFile {
    private let file: NewFile

    var fileAccess: FileAccess { OutputFile(path: file.path).fileAccess }

    /// - Throws: if the file exists, or can't be created there.
    init(path: String, vault: String) throws {
        file = try placed(at: path) { try OutputFile(path: path).prepared(for: .secret) }
        if let folder = Self.folder(of: path), folder == Self.folder(of: vault) {
            Messages.warning(Words.keyFileBesideVault)
        }
    }

    /// The identity of a file's folder, the same for every path to it.
    private static func folder(of path: String) -> FileStatus.Identity? {
        (try? FileStatus(of: FilePath.folder(of: path), followingLinks: true))?.identity
    }

    /// Writes the key file of `method`, then runs the step that creates its slot. If the step
    /// creates no slot, the key file is removed. Signals are held back until both are done, so
    /// derive the slot's key before this call.
    func write<Result>(of method: borrowing UnlockMethod, before step: () throws -> Result) throws -> Result {
        try HeldSignals.during {
            let made = try method.withKeyFile { key in
                try key.withBytes { bytes in
                    try placed(at: file.path) { try file.write(bytes, isText: false) }
                }
            }
            do { return try step() } catch {
                // After an uncertain commit the slot may exist, and then it needs its key file.
                let cause = (error as? Placed)?.error ?? error
                if cause as? VaultError != .machine(.commitUncertain) { made?.remove() }
                throw error
            }
        }
    }
}
