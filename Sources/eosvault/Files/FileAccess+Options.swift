import Glibc
import KeyVault
import Sandbox

// What the files that options name are touched for.

extension InputFile {
    /// What is open already needs no access.
    var fileAccess: FileAccess { isOpen ? .none : .reading(path) }
}

extension OutputFile {
    var fileAccess: FileAccess { .making(in: folder) }

    /// - Parameter path: as `--output` takes it: nil or `-` for standard output.
    static func fileAccess(to path: String?) -> FileAccess {
        named(by: path)?.fileAccess ?? .none
    }
}

extension PINOptions {
    var fileAccess: FileAccess { source?.fileAccess ?? .terminal }
}

extension NewPINOptions {
    var fileAccess: FileAccess { source?.fileAccess ?? .terminal }
}

extension UnlockMethodOptions {
    var fileAccess: FileAccess { inputs.reduce(asks ? .terminal : .none) { $0 + $1.fileAccess } }
}

extension TransactionOptions {
    var fileAccess: FileAccess { abiFiles.reduce(input.fileAccess) { $0 + $1.fileAccess } }
}

extension VaultOptions {
    /// A vault that stays locked. A crash may have left a journal, so that reading it may change
    /// it.
    var lockedAccess: FileAccess {
        guard let path = try? path() else { return .none }
        return .changing(in: OutputFile(path: path).folder) + .random
    }

    /// One that a way in opens, so that this machine remembers its state.
    func fileAccess(by method: UnlockMethodOptions) -> FileAccess {
        lockedAccess + (isThere ? memory : .none) + method.fileAccess
    }

    /// Of a vault that is missing nothing is remembered, nor a folder made for it.
    private var isThere: Bool { (try? path()).map { unsafe access($0, F_OK) == 0 } ?? false }

    /// One that is to be made.
    var newAccess: FileAccess { (try? path()).map { NewVaultFolder.fileAccess(for: $0) } ?? .none }

    /// What this machine remembers of vaults.
    var memory: FileAccess {
        // What is refused is refused again where it is used.
        guard let witness = try? Self.witness() else { return .none }
        return .keeping(in: witness.folder)
    }
}

extension FileAccess {
    /// Of a file that `restore` and `rescue` read with a PIN: a vault in which wrong tries are
    /// counted is changed, and any other is read.
    static func trying(_ path: String) -> FileAccess {
        guard Vault.mayCountTries(on: path) else { return .reading(path) }
        return .changing(in: OutputFile(path: path).folder) + .random
    }
}

extension NewVaultFolder {
    /// A new vault, and the folders that it is to stand in where they are missing: then all that is
    /// below the one that is there, until they are made.
    static func fileAccess(for path: String) -> FileAccess {
        guard let (folder, isMissing) = try? VaultLocation.nearestFolder(for: path) else { return .none }
        return .changing(in: folder) + .random + (isMissing ? .makingFolders(in: folder) : .none)
    }
}
