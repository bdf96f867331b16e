import Codecs

/// Requests that a policy refused after the unlock. They are counted in one setting, so that they
/// can't fill the log; the next change of the vault records their number.
struct PolicyRefusals: Equatable {
    static let settingName = "policy-refusals"
    private static let version: UInt8 = 1

    var count: Int64
    /// Seconds since 1970.
    var first: Int64
    var last: Int64

    var value: [UInt8] { [count, first, last].reduce(into: [Self.version]) { $0 += $1.littleEndianBytes } }
}

extension PolicyRefusals {
    /// - Throws: `damaged(.row(.settings))` for a value that no writer produces.
    init(_ value: [UInt8]) throws(VaultError) {
        do {
            self = try ByteReader.readStored(value, version: Self.version) { reader throws(AuditEvent.BodyError) in
                PolicyRefusals(
                    count: try reader.readCount(from: 1), first: try reader.readTime(), last: try reader.readTime())
            }
        } catch { throw .damaged(.settings) }
    }
}

extension UnlockedVault {
    /// Counts requests that a policy refused after the unlock.
    package borrowing func countPolicyRefusals(_ number: Int) throws(VaultError) {
        guard number > 0 else { return }
        try transaction(recordingFailuresFirst: false) { (transaction: inout VaultTransaction) throws(VaultError) in
            let now = try transaction.now()
            var refusals =
                try transaction.setting(PolicyRefusals.settingName).map(PolicyRefusals.init)
                ?? PolicyRefusals(count: 0, first: now, last: now)
            let (count, overflow) = refusals.count.addingReportingOverflow(Int64(number))
            refusals.count = overflow ? .max : count
            refusals.last = now
            try transaction.set(PolicyRefusals.settingName, to: refusals.value)
        }
    }
}

extension VaultTransaction {
    /// Moves the counted refusals to the log.
    mutating func adoptPolicyRefusals() throws(VaultError) {
        // Without a row in the file, the settings are not read: a change of another part of the
        // vault must not need them. A row that was removed is found when they are.
        let isInFile =
            try connection.integer(
                "SELECT 1 FROM settings WHERE name = ?1", [.text(PolicyRefusals.settingName)]) != nil
        guard isInFile, let value = try setting(PolicyRefusals.settingName) else { return }
        let refusals = try PolicyRefusals(value)
        try record(.policyRefusals(count: refusals.count, first: refusals.first, last: refusals.last))
        try removeSetting(PolicyRefusals.settingName)
    }
}
