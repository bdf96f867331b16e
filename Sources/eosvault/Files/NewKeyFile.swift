import Files
import Glibc
import KeyVault
import Sandbox

/// A key file that is created: 32 secret bytes. It must be kept apart from the vault.
struct NewKeyFile {
    private let file: NewFile

    var fileAccess: FileAccess { OutputFile(path: file.path).fileAccess }

    /// - Throws: if the file exists, or can't be created there.
    init(path: String, vault: String) throws {
        file = try placed(at: path) { try OutputFile(path: path).prepared(for: .secret) }
        if let folder = Folder(of: path), folder == Folder(of: vault) {
            Messages.warning(Words.keyFileBesideVault)
        }
    }

    /// Writes the key file of `method`, then runs the step that creates its slot. If the step
    /// creates no slot, the key file is removed. Signals are held back until both are done, so
    /// derive the slot's key before this call.
    func write(of method: borrowing UnlockMethod, before step: () throws -> Void) throws {
        try HeldSignals.during {
            let made = try method.withKeyFile { key in
                try key.withBytes { bytes in try placed(at: file.path) { try file.write(bytes, isText: false) } }
            }
            do { try step() } catch {
                // After an uncertain commit the slot may exist, and then it needs its key file.
                let cause = (error as? Placed)?.error ?? error
                if cause as? VaultError != .machine(.commitUncertain) { made?.remove() }
                throw error
            }
        }
    }
}

/// The identity of a file's folder, the same for every path to it.
private struct Folder: Equatable {
    private let device: dev_t
    private let number: ino_t

    init?(of path: String) {
        var status = stat()
        guard unsafe stat(NewFile.folder(of: path), &status) == 0 else { return nil }
        (device, number) = (status.st_dev, status.st_ino)
    }
}
