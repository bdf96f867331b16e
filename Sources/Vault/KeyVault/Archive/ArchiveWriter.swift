import Codecs
import Files

/// Writes an archive: the header, then the parts. Each part has a frame in plain and sealed
/// records.
struct ArchiveWriter: ~Copyable {
    private let file: FileDescriptor
    private var seal: ArchiveSeal
    /// The records of the next part.
    private var part = ByteWriter()
    /// The header, until the first part is written.
    private var pending: [UInt8]

    init(_ header: ArchiveHeader, _ keys: AuditKeys, to file: FileDescriptor) throws(VaultError) {
        seal = try ArchiveSeal(header, keys)
        self.file = file
        pending = header.bytes
    }

    mutating func append(_ body: [UInt8]) throws(VaultError) {
        if part.count >= ArchiveSeal.partSize { try endPart(isLast: false) }
        ArchivePart.write(body, to: &part)
    }

    mutating func finish() throws(VaultError) { try endPart(isLast: true) }

    private mutating func endPart(isLast: Bool) throws(VaultError) {
        let sealed = try seal.seal(part.bytes, isLast: isLast)
        part.removeAll()
        let bytes = pending + ArchiveFrame(isLast: isLast, sealedCount: sealed.count).bytes + sealed
        pending = []
        try converting(VaultError.init(file:), unsafe file.write(bytes.span.bytes))
    }
}
