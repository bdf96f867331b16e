import Files
import Glibc
import KeyVault
import Sandbox

/// A key file that is to be made: 32 secret bytes, kept elsewhere than the vault.
struct NewKeyFile {
    private let file: NewFile

    var fileAccess: FileAccess { OutputFile(path: file.path).fileAccess }

    /// - Throws: when there is a file of this name, or none can be made there.
    init(path: String, vault: String) throws {
        file = try placed(at: path) { try OutputFile(path: path).prepared(for: .secret) }
        if let folder = Folder(of: path), folder == Folder(of: vault) {
            Messages.warning(Words.keyFileBesideVault)
        }
    }

    /// Writes the key file of `way`, then runs the step that makes a slot of it; removes the file
    /// when the step made none. Signals wait until both are done, so that the derivation must come
    /// before.
    func write(of method: borrowing UnlockMethod, before step: () throws -> Void) throws {
        try HeldSignals.during {
            let made = try method.withKeyFile { key in
                try key.withBytes { bytes in try placed(at: file.path) { try file.write(bytes, isText: false) } }
            }
            do { try step() } catch {
                // A slot that may not last is there, and needs its key file.
                let cause = (error as? Placed)?.error ?? error
                if cause as? VaultError != .commitUncertain { made?.remove() }
                throw error
            }
        }
    }
}

/// Which folder a file is in, by any path.
private struct Folder: Equatable {
    private let device: dev_t
    private let number: ino_t

    init?(of path: String) {
        var status = stat()
        guard unsafe stat(NewFile.folder(of: path), &status) == 0 else { return nil }
        (device, number) = (status.st_dev, status.st_ino)
    }
}
