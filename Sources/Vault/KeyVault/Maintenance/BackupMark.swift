import Codecs

/// The vault's record of its last verified backup: the setting `backup`.
struct BackupMark: Equatable {
    static let settingName = "backup"
    /// The setting of a restored vault: the backup that it was made from, and when.
    static let restoredName = "restored"
    private static let version: UInt8 = 1

    /// The generation of the vault in the backup. Every entry that was added in this generation or
    /// before is in the backup.
    let generation: Int64
    /// Seconds since 1970.
    let time: Int64

    var setting: [UInt8] { [Self.version] + generation.littleEndianBytes + time.littleEndianBytes }
}

extension BackupMark {
    /// - Throws: `damaged(.row(.settings))`.
    init(setting: [UInt8]) throws(VaultError) {
        do {
            self = try ByteReader.readStored(setting, version: Self.version) {
                reader throws(AuditEvent.BodyError) in
                BackupMark(generation: try reader.readCount(), time: try reader.readTime())
            }
        } catch { throw .damaged(.settings) }
    }

}

extension RowSource {
    /// The last verified backup; nil when there was none.
    func lastBackup() throws(VaultError) -> BackupMark? {
        try setting(BackupMark.settingName).map(BackupMark.init(setting:))
    }

    /// When the vault was restored last; nil if it never was.
    func lastRestore() throws(VaultError) -> Int64? {
        try setting(BackupMark.restoredName).map(BackupMark.init(setting:))?.time
    }
}

extension EntryRow {
    /// True if the backup contains the key, because the key was added no later than the backup's
    /// generation.
    func isHeld(by backup: BackupMark?) -> Bool { generation <= backup?.generation ?? 0 }
}

extension VaultTransaction {
    /// Records a verified backup, unless a newer one is recorded.
    mutating func remember(_ mark: BackupMark) throws(VaultError) {
        guard mark.generation > (try buckets.lastBackup()?.generation ?? -1) else { return }
        try set(BackupMark.settingName, to: mark.setting)
        rememberedBackup = mark.generation
    }
}
