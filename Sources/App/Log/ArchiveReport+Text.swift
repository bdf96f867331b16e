import Codecs
import JSON
import KeyVault
import Shell

// Archives of the audit log, for people (text) and for programs (JSON).

extension ArchiveDescription: JSONDescribed {
    /// The records, and what identifies their archive.
    var text: String {
        "\(Words.records(first, last)) are in the archive of \(Clock.text(time)) UTC, BLAKE2b \(Hex.encode(hash))"
    }

    static let object = JSONObject<ArchiveDescription>([
        .number("first", "its first record") { $0.first }, .number("last", "its last record") { $0.last },
        .text("time", "when it was made, in UTC") { Clock.rfc3339($0.time) },
        .text("blake2b", "the BLAKE2b hash of the file, in hex") { Hex.encode($0.hash) },
    ])

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

    static func archiveLeft(_ path: String) -> String {
        "\(Printable.line(path)) has the records too; before you delete it, check with "
            + "`eosvault log verify \(Printable.line(path))` that the vault does not refer to it"
    }
}
