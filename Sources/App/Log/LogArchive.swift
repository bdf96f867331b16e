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
            The command verifies the records, writes them to the file, and reads them back from the disk. Only then \
            does it remove them from the vault, which frees their room. The vault keeps the hash of the archive and \
            continues the chain of records, so that `eosvault log verify ARCHIVE` verifies both. Keep the file: the \
            vault no longer has these records. It is encrypted, and opens only with the vault, or with a backup that \
            was made after the last `rekey`. Other commands wait up to five seconds for the vault, then report that it \
            is in use.

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
            case .file(let error):
                throw Placed(place: Printable.line(file), error: error, use: VaultFileUse.newArchive)
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

extension ArchiveDescription: JSONDescribed {
    /// The records, and the time and hash of their archive.
    var text: String {
        "\(Words.records(first, last)) are in the archive of \(Clock.text(time)) UTC, BLAKE2b \(Hex.encode(hash))"
    }

    static let object = JSONObject<ArchiveDescription>([
        .number("first", "its first record") { $0.first }, .number("last", "its last record") { $0.last },
        .text("time", "when it was made, in UTC") { Clock.rfc3339($0.time) },
        .text("blake2b", "the BLAKE2b hash of the file, in hex") { Hex.encode($0.hash) },
    ])

    /// For an archive that was not given.
    var notVerified: FaultWords {
        .init(.archiveMissing, "not verified: \(text); give the file, or --recent", json)
    }

    fileprivate var missing: FaultWords {
        .init(.archiveMissing, "an archive is missing: \(text)", json)
    }
}

extension [ArchiveDescription] {
    /// A line for each archive that the vault refers to.
    var listing: String { map { "     \($0.text)\n" }.joined() }
}

extension ArchiveReport {
    var intact: [File] { files.filter { $0.fault == nil } }

    var faults: [FaultWords] { files.compactMap(\.faultWords) + missing.map(\.missing) }

    /// A line for each archive, and for each one that is missing.
    var text: String {
        let lines = files.map { file in
            file.faultWords.map { "FAIL \($0.text)\n" }
                ?? "ok   \(Printable.line(file.path)): \(Words.records(file.first, file.last))\n"
        }
        return (lines + missing.map { "FAIL \($0.missing.text)\n" }).joined()
    }
}

extension ArchiveReport.File: JSONDescribed {
    static let object = JSONObject<ArchiveReport.File>([
        .text("file", "its path") { $0.path }, .number("first", "its first record") { $0.first },
        .number("last", "its last record") { $0.last },
        .text("blake2b", "the BLAKE2b hash of the file, in hex") { Hex.encode($0.hash) },
    ])

    fileprivate var faultWords: FaultWords? {
        let (name, members) = (Printable.line(path), ["file": .string(path)] as JSONValue)
        return switch fault {
        case nil: nil
        case .damaged(let last):
            .init(.archiveDamaged, "\(name): \(Words.archiveDamaged(intactUpTo: last).message)", members)
        case .ofOtherVault: .init(.archiveOfOtherVault, "\(name): the archive is of another vault", members)
        case .notReferredTo:
            .init(
                .archiveNotReferredTo,
                "\(name): \(Words.records(first, last)) are intact, but the vault does not refer to this archive",
                members)
        }
    }
}

extension Words {
    static func archived(first: Int64, last: Int64, to path: String) -> String {
        "moved \(records(first, last)) to \(Printable.line(path)); keep this file: the vault no longer has them"
    }

    static func earlierRecords(_ number: Int64) -> String {
        "\(count(number, "earlier record")) not shown: --all prints the ones in the vault, and --archive FILE prints "
            + "an archive"
    }

    static func archivedRecords(_ number: Int64) -> String {
        "\(count(number, "record")) in archives not shown: give --archive FILE"
    }

    static func archiveLeft(_ path: String) -> String {
        "\(Printable.line(path)) has the records too; before you delete it, check with "
            + "`eosvault log verify \(Printable.line(path))` that the vault does not refer to it"
    }
}
