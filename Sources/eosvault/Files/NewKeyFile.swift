import Glibc
import KeyVault
import Sandbox

/// A key file that is to be made: 32 secret bytes, kept elsewhere than the vault.
struct NewKeyFile {
    private let file: OutputFile

    var fileAccess: FileAccess { file.fileAccess }

    /// - Throws: when something stands there, or nothing can be made there.
    init(path: String, vault: String) throws {
        file = OutputFile(path: path)
        try placed(at: path, file.expectMissing)
        if let folder = Folder(of: path), folder == Folder(of: vault) {
            Messages.warning(Words.keyFileBesideVault)
        }
    }

    /// Makes it, whole and durable.
    func write() throws -> KeyFile {
        let key = try KeyFile.random()
        try placed(at: file.path) { try key.withBytes { bytes in try file.write(bytes, isText: false) } }
        return key
    }

    /// Runs the step that makes a slot of it, and takes it away again when none was made.
    func keptUnlessFailing(_ step: () throws -> Void) throws {
        do { try step() } catch {
            // A slot that may not last is there, and needs its key file.
            let cause = (error as? Placed)?.error ?? error
            if cause as? VaultError != .commitUncertain { unsafe unlink(file.path) }
            throw error
        }
    }
}

/// Which folder a file is in, whatever leads there.
private struct Folder: Equatable {
    private let device: dev_t
    private let number: ino_t

    init?(of path: String) {
        var status = stat()
        guard unsafe stat(path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".", &status) == 0 else { return nil }
        (device, number) = (status.st_dev, status.st_ino)
    }
}
