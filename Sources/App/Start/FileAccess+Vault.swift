import Glibc
import Hardening
import KeyVault
import Shell

// The file access that each group of options needs.

extension NewSecondMethodOptions {
    var fileAccess: FileAccess { source?.fileAccess ?? (second == nil ? .none : .terminal) }
}

extension UnlockMethodOptions {
    package var fileAccess: FileAccess {
        inputs.fileAccess + (asks ? .terminal : .none) + (device.tpm?.fileAccess ?? .none)
            + (device.fido2?.authenticatorAccess ?? .none)
    }
}

extension TransactionOptions {
    var fileAccess: FileAccess { abis.files.fileAccess + (isLink ? .none : input.fileAccess) }
}

extension VaultOptions {
    /// Access to a vault that stays locked. A crash can leave a journal, and then even a read
    /// changes the file.
    package var lockedAccess: FileAccess {
        guard let path = try? path() else { return .none }
        return .changing(in: OutputFile(path: path).folder) + .random
    }

    /// Access to a vault that is unlocked, and to the witness that records its state.
    func fileAccess(by method: UnlockMethodOptions) -> FileAccess {
        comparedAccess + method.fileAccess + (method.defaultTPM?.fileAccess ?? .none)
    }

    /// Access to a vault that stays locked, and to the witness.
    package var comparedAccess: FileAccess { lockedAccess + (isThere ? memory : .none) }

    /// True if the vault exists. Without a vault, the witness is not needed and no folder is
    /// created for it.
    var isThere: Bool { (try? path()).map { unsafe access($0, F_OK) == 0 } ?? false }

    /// Access to a vault that is created.
    var newAccess: FileAccess { (try? path()).map { NewVaultFolder.fileAccess(for: $0) } ?? .none }

    /// Access to the witness.
    var memory: FileAccess {
        // Ignore an error here: the command reports it when it uses the witness.
        guard let witness = try? Self.witness() else { return .none }
        return .keeping(in: witness.folder)
    }
}

extension FileAccess {
    /// Access to a file that `restore` and `rescue` unlock. A vault that counts failed attempts is
    /// changed; any other file is only read.
    static func unlocking(_ path: String) -> FileAccess {
        guard Vault.mayCountTries(on: path) else { return .reading(path) }
        return .changing(in: OutputFile(path: path).folder) + .random
    }
}

extension NewVaultFolder {
    /// Access to a new vault, and to its missing folders. If a folder is missing, this is
    /// everything below the nearest existing folder, until the missing folders are created.
    static func fileAccess(for path: String) -> FileAccess {
        guard let (folder, isMissing) = try? VaultLocation.nearestFolder(for: path) else { return .none }
        return .changing(in: folder) + .random + (isMissing ? .makingFolders(in: folder) : .none)
    }
}
