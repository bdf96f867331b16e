import Codecs
import KeyVault

/// The parts of an archive of the audit log, and the vault's list of archives, have one form. The
/// first byte selects the parser: header, frame, opened part, list.
public enum AuditArchiveLaw: Law {
    public static let name = "AuditArchive"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let (zero, mac) = ([UInt8](repeating: 0, count: 8), [UInt8](repeating: 0xcc, count: 32))
        let header: [UInt8] =
            Array("eosvault.alog..1".utf8) + [UInt8](repeating: 0xaa, count: 16) + zero + [9]
            + zero.dropLast() + mac
            + mac + mac.prefix(16)
        let record: [UInt8] = [10, 0, 0, 0, 1, 1, 0, 0xf1, 0x53, 0x65, 0, 0, 0, 0]
        let archive = [9] + zero.dropLast() + [0, 0xf1, 0x53, 0x65, 0, 0, 0, 0] + mac
        let list: [UInt8] = [1, 1, 0, 0, 0] + archive + mac
        return [
            [0] + header, [0] + header.dropLast(),
            [0] + header.prefix(32) + header.prefix(16) + header.dropFirst(48),
            [1, 0, 16, 0, 0, 0], [1, 1, 16, 0, 1, 0], [1, 2, 16, 0, 0, 0], [1, 1, 0xff, 0xff, 0xff, 0xff],
            [2], [2] + record, [2] + record + record, [2, 0xff, 0xff, 0xff, 0xff], [2, 0, 0, 0, 0],
            [3] + list, [3] + list + [0], [3, 1, 0xff, 0xff, 0xff, 0xff] + archive,
        ]
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        let bytes = Array(input.dropFirst())
        switch input.first {
        case 0:
            guard let header = ArchiveHeader(bytes) else { return }
            try law(header.bytes == bytes, "a header is written as it was read")
            try law(bytes.count == ArchiveHeader.count, "a header has one length")
        case 1:
            guard let frame = ArchiveFrame(bytes) else { return }
            try law(frame.bytes == bytes, "a frame is written as it was read")
            try law((16...17 << 20).contains(frame.sealedCount), "a frame requests at most 17 MiB")
        case 2:
            guard let part = ArchivePart(bytes) else { return }
            var writer = ByteWriter()
            for body in part.bodies {
                writer.write(integer: UInt32(truncatingIfNeeded: body.count))
                writer.write(bytes: body)
            }
            try law(writer.bytes == bytes, "a part is written as it was read")
        default:
            guard let list = try? ArchivedLog(setting: bytes) else { return }
            try law(list.setting == bytes, "a list is written as it was read")
            try law(list.archives.first?.first == 1, "a list begins with record 1")
            try law(
                zip(list.archives, list.archives.dropFirst()).allSatisfy { $1.first == $0.last + 1 },
                "archives follow one another")
        }
    }
}
