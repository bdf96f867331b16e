import Codecs
import SecureMemory

/// The setting `audit-keys`: the audit keys of the segments before the current one. Each is sealed
/// together with the number of the last record that it chained.
extension AuditKeys {
    static let settingName = "audit-keys"
    private static let version: UInt8 = 1
    private static let sealedCount = Sodium.keyCount + Sodium.tagCount

    /// - Parameter setting: nil when the vault never had another master key.
    /// - Throws: `damaged(.row(.settings))`.
    init(setting: [UInt8]?, vaultID: [UInt8], current: VaultKeys) throws(VaultError) {
        self.init(earlier: [], current: current)
        for row in try Self.rows(setting) {
            guard row.last > earlier.last?.last ?? 0 else { throw .damaged(.settings) }
            let key = try current.seal.lend { key throws(VaultError) in
                let opened = try Sodium.open(
                    row.sealed, binding: Self.associated(vaultID, row.last), nonce: row.nonce, key: key)
                guard let opened else { throw .damaged(.settings) }
                return try HeldSecret(opened, in: current.custody)
            }
            earlier.append(AuditSegment(last: row.last, key: key))
        }
    }

    private typealias Row = (last: Int64, nonce: [UInt8], sealed: [UInt8])

    private static func rows(_ setting: [UInt8]?) throws(VaultError) -> [Row] {
        guard let setting else { return [] }
        do {
            return try ByteReader.readStored(setting, version: version) {
                reader throws(AuditEvent.BodyError) in
                try (0..<(try reader.read() as UInt16)).map { _ throws(AuditEvent.BodyError) in
                    (try reader.read(), try reader.read(Sodium.nonceCount), try reader.read(sealedCount))
                }
            }
        } catch { throw .damaged(.settings) }
    }

    /// Makes the current key an earlier one and `renewed` the current keys.
    /// - Parameter last: the last record that the current key chained. If the key chained no
    ///   record, it is not kept.
    mutating func advance(to renewed: VaultKeys, last: Int64) throws(VaultError) {
        if last > earlier.last?.last ?? 0 {
            earlier.append(AuditSegment(last: last, key: current.audit))
        }
        current = renewed
    }

    /// The value of the setting, sealed under the current keys.
    func setting(vaultID: [UInt8]) throws(VaultError) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(byte: Self.version)
        writer.write(integer: UInt16(truncatingIfNeeded: earlier.count))
        for segment in earlier {
            let nonce = Sodium.randomBytes(Sodium.nonceCount)
            let associated = Self.associated(vaultID, segment.last)
            writer.write(integer: segment.last)
            writer.write(bytes: nonce)
            let sealed = try segment.key.lend { earlier throws(VaultError) in
                try current.seal.lend { key throws(VaultError) in
                    earlier.withBytes { Sodium.seal($0, binding: associated, nonce: nonce, key: key) }
                }
            }
            writer.write(bytes: sealed)
        }
        return writer.bytes
    }

    private static func associated(_ vaultID: [UInt8], _ last: Int64) -> [UInt8] {
        Domain.auditKey.bytes + vaultID + last.littleEndianBytes
    }
}
