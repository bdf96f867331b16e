import Codecs
import Files
import Glibc

/// The state file of this machine: the vaults that it has seen, to detect an older copy of a vault.
/// There is one small file for each vault, outside the vault's folder
/// (`$XDG_STATE_HOME/eosvault/<vault id>`). It contains no secret. It does not stop an attacker who
/// can write this file too.
package struct Witness: Sendable {
    /// The folder of the files; it is created when missing.
    package let folder: String

    /// Called after each write with the errno of a failure, or nil.
    let written: @Sendable (_ failure: Int32?) -> Void

    /// - Parameter written: called after each write with the errno of a failure, or nil. The
    ///   witness is written after the vault was changed, so its failure is not a failure of the
    ///   change.
    package init(folder: String, written: @escaping @Sendable (_ failure: Int32?) -> Void = { _ in }) {
        self.folder = folder
        self.written = written
    }

    /// `eosvault` in the user's state folder (XDG Base Directory).
    /// - Parameters: the values of XDG_STATE_HOME and HOME.
    /// - Returns: nil when neither is set, or both are empty.
    /// - Throws: `relativeFolder`. The specification ignores relative paths, so the vault would not
    ///   be remembered, without notice.
    package static func defaultFolder(stateHome: String?, home: String?) throws(VaultError) -> String? {
        try FolderVariable.stateHome.folder(stateHome, home: home, otherwise: ".local/state").map {
            $0 + "/eosvault"
        }
    }

    /// Refuses a folder that another user owns or may write to, like for the vault's folder.
    /// Symbolic links are followed. A missing folder is created at the first write.
    /// - Throws: `notOwned`, `permissionsTooOpen`.
    package func verifyFolder() throws(VaultError) {
        // If the path is not a folder or can't be inspected, its files can't be read either: `seen`
        // and `write` report that.
        guard let status = try? FileStatus(of: folder, followingLinks: true), status.kind == .directory else {
            return
        }
        try VaultLocation.verifyFolder(status, .stateFolder)
    }

    /// True if the folder is lost at the next start of the machine, or with the container, while
    /// the vault may be kept, because it is on another file system. Then an older copy of the vault
    /// would go undetected.
    package func isLost(before vault: String) -> Bool {
        func inspect<Value>(_ path: String, _ body: (FileDescriptor) throws(FileError) -> Value) -> Value? {
            try? OpenFile(inspecting: Folder.missing(from: path).nearest).withDescriptor(body)
        }
        guard inspect(folder, { $0.losesFiles }) == true,
            let state = inspect(folder, { file throws(FileError) in try file.status }),
            let kept = inspect(FilePath.folder(of: vault), { file throws(FileError) in try file.status })
        else { return false }
        return !state.sharesFileSystem(with: kept)
    }

    /// The last seen state of a vault: its generation, and the last record of its log.
    struct Seen: Equatable {
        var generation: Int64
        var head: AuditHead
        /// The generation in the last backup that was made on this machine; 0 when there is none.
        var backup: Int64 = 0
        /// The generation in which this machine saw the vault first, or accepted an older copy
        /// last.
        var since: Int64 = 0

        /// One line: `eosvault-witness 1 <generation> <sequence> <mac> <backup> <since>`.
        var text: String {
            "eosvault-witness 1 \(generation) \(head.sequence) \(Hex.encode(head.mac)) \(backup) \(since)\n"
        }
    }

    private func path(_ vaultID: [UInt8]) -> String { folder + "/" + Hex.encode(vaultID) }

    /// The last seen state of the vault; nil when it was not seen yet.
    /// - Throws: the errors of `verifyFolder`; `witnessUnreadable` for a malformed file or one that
    ///   others may write. Ignoring such a file would accept every older copy.
    func seen(_ vaultID: [UInt8]) throws(VaultError) -> Seen? {
        try verifyFolder()
        do {
            let file = try OpenFile(path(vaultID), followsLinks: false)
            let text = try file.withDescriptor { file throws(FileError) in
                let status = try file.status
                let isOurs = status.kind == .regular && status.owner == geteuid() && status.mode & 0o022 == 0
                return isOurs ? try file.bytes(256, at: 0) : []
            }
            guard let seen = Seen(text: text) else { throw VaultError.integrity(.witnessUnreadable) }
            return seen
        } catch let error as FileError where error.isAbsence {
            return nil
        } catch { throw .integrity(.witnessUnreadable) }
    }

    /// Writes what was seen: a new file replaces the old one.
    func write(_ seen: Seen, of vaultID: [UInt8]) { written(replaceFile(by: seen, of: vaultID)) }

    private func replaceFile(by seen: Seen, of vaultID: [UInt8]) -> Int32? {
        do {
            try Folder.create(folder)
            try ReplacementFile(path(vaultID)).write(Array(seen.text.utf8))
        } catch { return error.number }
        // The folder is not synced. After a power loss the older witness may be back; it refuses
        // fewer copies, but it is readable.
        return nil
    }
}

extension Witness.Seen {
    init?(text: [UInt8]) {
        guard text.last == UInt8(ascii: "\n") else { return nil }
        let parts = String(decoding: text.dropLast(), as: UTF8.self)
            .split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 7, parts[0] == "eosvault-witness", parts[1] == "1",
            let generation = Int64(parts[2]), generation >= 0,
            let sequence = Int64(parts[3]), sequence >= 0, let mac = try? Hex.decode(parts[4]),
            mac.count == Sodium.digestCount, let backup = Int64(parts[5]), backup >= 0,
            let since = Int64(parts[6]), since >= 0
        else { return nil }
        self.init(
            generation: generation, head: AuditHead(sequence: sequence, mac: mac), backup: backup,
            since: since)
    }
}
