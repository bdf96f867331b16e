import Codecs

/// What the vault records about its last verified backup: the setting `backup`.
struct BackupMark: Equatable {
    static let settingName = "backup"
    private static let version: UInt8 = 1

    /// The generation of the vault in the backup. Every entry that was added in this generation or
    /// before is in the backup.
    let generation: Int64
    /// Seconds since 1970.
    let time: Int64

    var setting: [UInt8] {
        var writer = ByteWriter()
        writer.write(byte: Self.version)
        writer.write(integer: generation)
        writer.write(integer: time)
        return writer.bytes
    }

}

extension BackupMark {
    /// - Throws: `damaged(.row(.settings))`.
    init(setting: [UInt8]) throws(VaultError) {
        do {
            self = try ByteReader.readAll(setting) { reader throws(CodecError) in
                guard try reader.readByte() == Self.version else {
                    throw CodecError.trailingBytes(offset: 0, count: setting.count)
                }
                return BackupMark(generation: try reader.readInteger(), time: try reader.readInteger())
            }
        } catch { throw .damaged(.settings) }
    }

    /// The mark in the file; nil when there was no backup.
    static func unverified(in connection: SQLiteConnection) throws(VaultError) -> BackupMark? {
        guard let setting = try SettingRow.value(settingName, in: connection) else { return nil }
        return try BackupMark(setting: setting)
    }
}

extension EntryRow {
    /// Whether the backup contains the key, because the key was added no later than the backup's
    /// generation.
    func isHeld(by backup: BackupMark?) -> Bool { generation <= backup?.generation ?? 0 }
}

extension VaultTransaction {
    /// The last verified backup; nil when there was none.
    func lastBackup() throws(VaultError) -> BackupMark? {
        guard let setting = try setting(BackupMark.settingName) else { return nil }
        return try BackupMark(setting: setting)
    }

    /// Records a verified backup, unless a newer one is recorded.
    mutating func remember(_ mark: BackupMark) throws(VaultError) {
        guard mark.generation > (try lastBackup()?.generation ?? -1) else { return }
        try set(BackupMark.settingName, to: mark.setting)
        rememberedBackup = mark.generation
    }
}
