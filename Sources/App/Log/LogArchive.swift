import ArgumentParser
import Codecs
import Files
import Hardening
import JSON
import KeyVault
import Shell

struct LogArchive: UnlockingCommand, JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive", abstract: "Move all records of the audit log to a new file.",
        discussion: """
            The records are verified, written to the file, and read back from the disk. Only then are they removed \
            from the vault, which has room for new ones again. The vault keeps the hash of the archive and continues \
            the chain of records, so that `eosvault log verify ARCHIVE` verifies both. The file is encrypted: only \
            the vault opens it, or a backup that was made after the last `rekey`. Keep it, because no other file has \
            these records. Commands that change the vault, such as `sign`, wait up to five seconds, and then report \
            that it is in use.

              eosvault log archive log-2026.archive
            """)

    @Argument(help: "The file to create. An existing file is never overwritten.", completion: .file())
    var file: String

    @OptionGroup var unlocking: UnlockOptions

    @OptionGroup var common: CommonOptions

    func validate() throws { try OutputFile.expectFile(file) }

    var requiredAccess: FileAccess { unlocking.fileAccess + .changing(in: OutputFile(path: file).folder) }

    func run() throws {
        let opened = try vault.open(.writing)
        let output = try placed(at: file) { try OutputFile(path: file).prepared(for: .publicData) }
        let unlocked = try method.unlock(opened)
        let archive: AuditArchive
        do throws(ArchiveFailure) { archive = try unlocked.archiveLog(to: output) } catch {
            switch error {
            case .file(let error): throw Placed(place: Printable.line(file), error: error, use: VaultFileUse.newArchive)
            case .vault(let error):
                if OutputFile(path: file).exists { Messages.note(Words.archiveLeft(file)) }
                throw Placed(place: try vault.name(), error: error)
            }
        }
        if json.isOn {
            try Output.json(Self.object.json((file, archive)))
        } else {
            Output.words(Words.archived(first: archive.first, last: archive.last, to: file))
        }
    }
}

extension LogArchive {
    static let object = JSONObject<(path: String, archive: AuditArchive)>([
        .text("archive", "the path of the new file") { $0.path },
        .number("first", "its first record") { $0.archive.first },
        .number("last", "its last record") { $0.archive.last },
        .number("record_count", "the number of its records") { $0.archive.last - $0.archive.first + 1 },
        .text("blake2b", "the BLAKE2b hash of the file, in hex") { Hex.encode($0.archive.hash) },
    ])
}
