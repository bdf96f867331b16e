import Codecs
import Files
import Glibc

/// The location of a vault: its folder with every symbolic link resolved, and the file's name,
/// which must not be a link.
///
/// Files are inspected by name and not opened. Closing a second descriptor of the vault would drop
/// SQLite's locks on it.
package struct VaultLocation: Hashable, Sendable {
    /// An absolute path without symbolic links.
    let folder: String
    let name: String

    var path: String { folder == "/" ? "/" + name : folder + "/" + name }

    /// - Throws: `invalidPath`, `noSuchFile` when the folder is missing, `system`.
    package init(_ path: String) throws(VaultError) {
        let (folder, name) = try Self.split(path)
        let resolved = try converting(VaultError.init(opening:), FilePath.resolved(folder))
        guard let resolved else { throw .file(.invalidPath) }
        self.folder = resolved
        self.name = name
    }

    /// The folder's path without doubled slashes and `.`, and the file's name. `..` is kept,
    /// because a link may come before it.
    private static func split(_ path: String) throws(VaultError) -> (folder: String, name: String) {
        guard !path.utf8.contains(0) else { throw .file(.invalidPath) }
        let slash = UInt8(ascii: "/")
        var parts = path.utf8.split(separator: slash, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        guard let name = parts.popLast(), !name.isEmpty, name != ".", name != ".." else {
            throw .file(.invalidPath)
        }
        let folder = parts.filter { !$0.isEmpty && $0 != "." }.joined(separator: "/")
        guard path.utf8.first == slash else { return (folder.isEmpty ? "." : folder, name) }
        return ("/" + folder, name)
    }

    /// `eosvault/vault.db` in the user's data folder (XDG Base Directory).
    /// - Parameters: the values of XDG_DATA_HOME and HOME.
    /// - Returns: nil when neither is set, or both are empty.
    /// - Throws: `relativeFolder`.
    package static func defaultPath(dataHome: String?, home: String?) throws(VaultError) -> String? {
        try FolderVariable.dataHome.folder(dataHome, home: home, otherwise: ".local/share").map {
            $0 + "/eosvault/vault.db"
        }
    }

    /// Creates the folder for `path` and its missing parents, each with mode 0700 and synced into
    /// its parent. An existing folder is not changed.
    /// - Returns: the created folders, the innermost last.
    /// - Throws: `invalidPath`, `system`, `diskFull`, `readOnly`.
    @discardableResult
    package static func createFolder(for path: String) throws(VaultError) -> [String] {
        let folder = try split(path).folder
        _ = try missing(from: folder)
        return try converting(VaultError.init(file:), Folder.create(folder, synced: true))
    }

    /// The folder for `path`. When it is missing, the nearest parent that exists.
    /// - Throws: `invalidPath`, `system`.
    package static func nearestFolder(for path: String) throws(VaultError) -> (
        folder: String, isMissing: Bool
    ) {
        let folder = try split(path).folder
        let nearest = try missing(from: folder).nearest
        return (nearest, isMissing: nearest != folder)
    }

    /// - Returns: the missing folders, the innermost first, and the nearest one that exists.
    private static func missing(from folder: String) throws(VaultError) -> (
        folders: [String], nearest: String
    ) {
        let found = try converting(VaultError.init(file:), Folder.missing(from: folder))
        // A path with `..` after a missing folder does not exist.
        guard !found.folders.contains(where: { $0 == ".." || $0.hasSuffix("/..") }) else {
            throw .file(.invalidPath)
        }
        return found
    }

    // MARK: checks

    /// Refuses a path where no vault can be made, before the user types a PIN: the path exists, or
    /// other users can write its folder. A missing folder is accepted, because `createFolder`
    /// creates it.
    /// - Throws: `invalidPath`, `alreadyExists`, `notOwned`, `permissionsTooOpen`,
    ///   `notARegularFile`, `system`.
    package static func verifyPlace(_ path: String) throws(VaultError) {
        let location: VaultLocation
        do { location = try VaultLocation(path) } catch .file(.noSuchFile) { return } catch { throw error }
        try location.verifyFolder()
        try location.verifyAbsent()
    }

    /// Refuses a path that exists, before the user types a PIN.
    /// - Throws: `alreadyExists`, `noSuchFile` when its folder is missing, `invalidPath`, `system`.
    package static func verifyAbsent(_ path: String) throws(VaultError) {
        try VaultLocation(path).verifyAbsent()
    }

    /// Refuses a folder that another user owns or may write to. Anyone who can write there can put
    /// a journal next to the vault.
    func verifyFolder() throws(VaultError) {
        try Self.verifyFolder(Self.inspect(folder), .folder)
    }

    /// True if the file's mode lets the owner write.
    static func isWritableByOwner(_ path: String) throws(VaultError) -> Bool {
        try inspect(path).mode & 0o200 != 0
    }

    static func verifyFolder(_ status: FileStatus, _ role: FileRole) throws(VaultError) {
        try verify(status, role, is: .directory, forbidding: 0o022)
    }

    /// Refuses a file of another kind or of another user, or with any of these permission bits.
    private static func verify(
        _ status: FileStatus, _ role: FileRole, is kind: FileKind, forbidding bits: UInt32
    ) throws(VaultError) {
        guard status.kind == kind else { throw .file(.notARegularFile(role, status.kind)) }
        guard status.owner == geteuid() else { throw .file(.notOwned(role, owner: status.owner)) }
        guard status.mode & bits == 0 else { throw .file(.permissionsTooOpen(role, mode: status.mode)) }
    }

    /// Refuses a file that is longer than a vault can be.
    static func verifySize(_ status: FileStatus) throws(VaultError) {
        let limit = VaultFormat.maximumFileSize
        guard status.size <= limit else { throw .file(.tooLarge(limit: limit)) }
    }

    /// The number of names (hard links) of the vault's file. With more than one, a journal that a
    /// crash leaves under one name is not found under another.
    /// - Throws: `noSuchFile`, `system`; `replacedWhileOpening` when the path now leads to another
    ///   file.
    func linkCount(of identity: FileStatus.Identity) throws(VaultError) -> Int {
        let status = try Self.inspect(path)
        guard status.identity == identity else { throw .file(.replacedWhileOpening) }
        return status.linkCount
    }

    /// Refuses a vault that is not a regular file, is a symbolic link, belongs to another user, or
    /// is open to group or others. Refuses a journal that is not a regular file,
    /// belongs to another user, or is writable by group or others: SQLite would play it back.
    /// Refuses any write-ahead log.
    func verifyFiles() throws(VaultError) -> FileStatus.Identity {
        let status = try Self.inspect(path)
        try Self.verify(status, .vault, is: .regular, forbidding: 0o077)
        try Self.verifySize(status)
        if let journal = try Self.inspectIfPresent(path + "-journal") {
            try Self.verify(journal, .journal, is: .regular, forbidding: 0o022)
        }
        _ = try VaultJournal(at: path + "-journal", vaultSize: status.size)
        // SQLite reads pages from a write-ahead log whenever it finds one, whatever the header
        // contains.
        guard try Self.inspectIfPresent(path + "-wal") == nil else { throw .file(.strayWriteAheadLog) }
        return status.identity
    }

    private static func inspect(_ path: String) throws(VaultError) -> FileStatus {
        guard let status = try inspectIfPresent(path) else { throw .file(.noSuchFile) }
        return status
    }

    private static func inspectIfPresent(_ path: String) throws(VaultError) -> FileStatus? {
        try converting(VaultError.init(file:), FileStatus.ifPresent(path))
    }

    /// The journal that SQLite would play back, if there is one.
    func journal() throws(VaultError) -> VaultJournal? {
        try VaultJournal(at: path + "-journal", vaultSize: Self.inspect(path).size)
    }

    /// Refuses a path that exists, before the user types a PIN twice. `createFile` does not
    /// replace a file either.
    func verifyAbsent() throws(VaultError) {
        guard !SQLiteFile.isReserved(name) else { throw .file(.reservedName) }
        // A journal left by another file with this name would be played back into the new file.
        for suffix in ["", "-journal", "-wal"] {
            guard try Self.inspectIfPresent(path + suffix) == nil else { throw .file(.alreadyExists) }
        }
    }

    // MARK: creating

    /// Creates a file, complete or not at all (`NewFile`), and syncs it and its folder.
    /// - Parameter onAnyFileSystem: also accepts a file system without modes, such as a USB
    ///   stick's.
    /// - Throws: `alreadyExists`, `diskFull`, `readOnly`, `permissionsTooOpen`, `incompleteFile`,
    ///   `system`; `commitUncertain` when the file was created but its folder could not be synced.
    @discardableResult
    func createFile(_ bytes: [UInt8], onAnyFileSystem: Bool = false) throws(VaultError) -> MadeFile {
        try verifyAbsent()
        let made = try converting(VaultError.init(file:), NewFile(path, holding: .publicData).write(bytes))
        guard onAnyFileSystem || !made.isOpenToOthers else {
            made.remove()
            throw .file(.permissionsTooOpen(.vault, mode: made.mode))
        }
        guard made.isDurable else { throw .machine(.commitUncertain) }
        return made
    }

    /// Compares what the disk returns with what was written. A file that differs is removed.
    /// - Throws: `readBackDiffers`, `system`.
    func readBack(_ bytes: [UInt8], of made: MadeFile) throws(VaultError) {
        do throws(VaultError) {
            guard try VaultImage(contentsOf: path).bytes == bytes else { throw .file(.readBackDiffers) }
        } catch {
            made.remove()
            throw error
        }
    }
}

extension VaultError {
    init(_ operation: SystemOperation, errno number: Int32) {
        self =
            switch number {
            case EEXIST: .file(.alreadyExists)
            case ENOSPC, EFBIG, EDQUOT: .machine(.diskFull)
            case EROFS: .machine(.readOnly)
            default: .machine(.system(operation, errno: number))
            }
    }

    /// The error for a path that does not exist is `noSuchFile`.
    init(opening error: FileError) { self = error.isAbsence ? .file(.noSuchFile) : VaultError(file: error) }

    init(file error: FileError) {
        self =
            switch error {
            case .exists: .file(.alreadyExists)
            case .system(let operation, let number): VaultError(operation, errno: number)
            case .incomplete(let number, let isRemoved):
                .file(.incompleteFile(errno: number, isRemoved: isRemoved))
            }
    }
}
