import Codecs

/// The opened bytes of a part of an archive: whole records, each as `u32` length and body.
package struct ArchivePart {
    package private(set) var bodies: [[UInt8]] = []

    /// - Returns: nil for bytes that no writer produces.
    package init?(_ bytes: [UInt8]) {
        do {
            bodies = try ByteReader.readAll(bytes) { reader throws(CodecError) in
                var bodies: [[UInt8]] = []
                while !reader.isAtEnd {
                    bodies.append(try reader.readBytes(Int(try reader.readInteger(UInt32.self))))
                }
                return bodies
            }
        } catch { return nil }
    }

    static func write(_ body: [UInt8], to writer: inout ByteWriter) {
        writer.write(integer: UInt32(truncatingIfNeeded: body.count))
        writer.write(bytes: body)
    }
}

/// The frame before each part of an archive. It states whether the part is the last one, and the
/// part's sealed length.
package struct ArchiveFrame: Equatable, Sendable {
    package static let count = 5

    package let isLast: Bool
    package let sealedCount: Int

    init(isLast: Bool, sealedCount: Int) { (self.isLast, self.sealedCount) = (isLast, sealedCount) }

    /// - Returns: nil for bytes that no writer produces.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.count, bytes[0] <= 1 else { return nil }
        isLast = bytes[0] == 1
        sealedCount = bytes[1...].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard (Sodium.tagCount...ArchiveSeal.maximumPartSize + Sodium.tagCount).contains(sealedCount) else {
            return nil
        }
    }

    package var bytes: [UInt8] {
        [isLast ? 1 : 0] + UInt32(truncatingIfNeeded: sealedCount).littleEndianBytes
    }
}
