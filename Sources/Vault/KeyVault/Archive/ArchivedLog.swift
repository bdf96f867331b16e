import Codecs

/// The setting `log-archives`: the part that was removed from the log. The first record of the
/// table is chained to the last archived one.
package struct ArchivedLog: Equatable {
    static let settingName = "log-archives"
    private static let version: UInt8 = 1

    /// In the order of their records. The first one begins with record 1, and each other one with
    /// the record after the one before. There is at least one.
    package private(set) var archives: [ArchiveDescription]
    /// The last archived record.
    private(set) var last: AuditHead

    /// Adds an archive of the records up to `last`.
    /// - Parameter before: the part that was archived earlier; nil for none.
    init(_ before: ArchivedLog?, addingUpTo last: AuditHead, time: Int64, hash: [UInt8]) {
        let first = (before?.last ?? .empty).sequence + 1
        let archive = ArchiveDescription(first: first, last: last.sequence, time: time, hash: hash)
        archives = (before?.archives ?? []) + [archive]
        self.last = last
    }

    /// - Throws: `damaged(.row(.settings))`.
    package init(setting: [UInt8]) throws(VaultError) {
        do {
            self = try ByteReader.readStored(setting, version: Self.version) {
                reader throws(AuditEvent.BodyError) in
                try Self(from: &reader)
            }
        } catch { throw .damaged(.settings) }
        guard !archives.isEmpty, last.sequence < Int64.max,
            archives.allSatisfy({ $0.first <= $0.last && VaultFormat.allowedTimes.contains($0.time) })
        else { throw .damaged(.settings) }
    }

    private init(from reader: inout ByteReader) throws(AuditEvent.BodyError) {
        (archives, last) = ([], .empty)
        for _ in 0..<(try reader.read() as UInt32) {
            let first = last.sequence &+ 1
            last.sequence = try reader.read()
            archives.append(
                ArchiveDescription(
                    first: first, last: last.sequence, time: try reader.read(), hash: try reader.readHash()))
        }
        last.mac = try reader.readHash()
    }

    package var setting: [UInt8] {
        let list = archives.flatMap { $0.last.littleEndianBytes + $0.time.littleEndianBytes + $0.hash }
        return [Self.version] + UInt32(truncatingIfNeeded: archives.count).littleEndianBytes + list + last.mac
    }
}

extension RowSource {
    /// The archived part of the log; nil if there is none.
    func archivedLog() throws(VaultError) -> ArchivedLog? {
        try setting(ArchivedLog.settingName).map { setting throws(VaultError) in
            try ArchivedLog(setting: setting)
        }
    }
}
