import SecureMemory

/// What binds each record of the audit log to the one before (VaultFormat.md, "The audit log").
enum AuditChain {
    /// What stands before the first record.
    static let start = [UInt8](repeating: 0, count: Sodium.digestCount)

    /// The mac of a record.
    static func mac(
        of body: [UInt8], sequence: Int64, after before: [UInt8], vaultID: [UInt8], key: borrowing SecureBytes
    ) -> [UInt8] {
        var encoder = RowEncoder(.audit)
        encoder.append(raw: vaultID)
        encoder.append(raw: before)
        encoder.append(raw: UInt64(bitPattern: sequence))
        encoder.append(raw: body)
        return Sodium.keyedHash(encoder.bytes, key: key)
    }
}
