import Files
import Messages

extension VaultError.File {
    package var words: Words {
        switch self {
        case .reservedName: .reservedName
        case .invalidPath: Words(.invalidPath, "not a valid file name")
        case .noSuchFile: Words(.noVault)
        case .alreadyExists: Words(.exists, "already exists")
        case .notARegularFile(let role, let kind):
            Words(.notAFile, "\(role.name) is \(kind.name)", hint: Words.fileHint(role, kind))
        case .notOwned(let role, let owner):
            Words(
                .permissions, "\(role.name) belongs to user id \(owner)",
                hint: "run eosvault as that user, or change the owner with chown")
        case .permissionsTooOpen(let role, let mode): .permissions(role, mode)
        case .strayWriteAheadLog:
            Words(
                .strayFile,
                "a file whose name ends in -wal is next to the vault; eosvault never writes such a file",
                hint: "move the -wal file to another folder")
        case .strayJournal:
            Words(
                .strayFile, "a -journal file that eosvault did not write is next to this file",
                hint: "move the -journal file to another folder")
        case .unfinishedChange: Words(.unfinishedChange)
        case .replacedWhileOpening:
            Words(.changedMeanwhile, "the file was replaced while it was being opened", hint: "try again")
        case .hardLinked(let count):
            Words(
                .notAFile,
                "the vault's file has \(count) names (hard links), so eosvault does not change it: "
                    + "an interrupted change could not be rolled back",
                hint: "copy the file with `cp`, and use the copy")
        case .tooLarge(let limit):
            Words(
                .tooLarge, "too large for a vault: more than \(Words.size(UInt64(limit)))",
                hint: "check that this is the vault's file")
        case .incompleteFile(let number, let isRemoved): .incompleteFile(errno: number, isRemoved: isRemoved)
        case .readBackDiffers: Words(.readBack)
        case .notAVault(let reason): Words(.notAVault, reason.text)
        case .newerVersion(let found, let supported):
            Words(
                .newerVersion,
                "the vault has format version \(found); this program supports versions up to \(supported)")
        case .vaultFull:
            Words(.vaultFull, "the vault has reached its maximum size, 1 GiB; nothing was changed")
        case .backupNotRecorded(let cause):
            Words(
                .backupNotRecorded,
                "backup written and verified, but not recorded in the vault: \(cause.words.message)")
        }
    }
}

extension Words {
    fileprivate static func permissions(_ role: FileRole, _ mode: UInt32) -> Words {
        Words(
            .permissions,
            "\(role.name) has mode \(String(mode, radix: 8)): "
                + "other users can \(role == .vault ? "read or write" : "write") it",
            hint: role == .vault
                ? "if it is your vault, run `chmod 600` on it"
                : "run `chmod go-w` on the \(role == .journal ? "journal" : "folder")")
    }

    fileprivate static func fileHint(_ role: FileRole, _ kind: FileKind) -> String {
        switch (role, kind) {
        case (.journal, _): "move the -journal file to another folder"
        case (.stateFolder, _): "$XDG_STATE_HOME/eosvault must be a folder: rename what is there"
        case (_, .symbolicLink): "symbolic links are not followed: name the file itself"
        case (.vault, .directory): "name the file in it"
        case (.vault, .regular), (.vault, .other), (.folder, .regular), (.folder, .directory),
            (.folder, .other):
            "name another file"
        }
    }
}

extension NotAVault {
    fileprivate var text: String {
        switch self {
        case .empty: "the file is empty"
        case .tooShort(let count): "the file has only \(count) bytes"
        case .notSQLite: "the file is not a vault"
        case .applicationID: "the file is a database of another program"
        case .noVersion: "the file has no format version"
        }
    }
}

extension FileRole {
    fileprivate var name: String {
        switch self {
        case .vault: "the vault"
        case .folder: "the vault's folder"
        case .stateFolder: "the state folder"
        case .journal: "the vault's journal"
        }
    }
}

extension FileKind {
    fileprivate var name: String {
        switch self {
        case .regular: "a file"
        case .directory: "a folder"
        case .symbolicLink: "a symbolic link"
        case .other: "not a regular file"
        }
    }
}
