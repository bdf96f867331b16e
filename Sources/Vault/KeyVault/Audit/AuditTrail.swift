/// Follows the records of a log from one that is known to the head. If they lead there, the known
/// record is of this log.
struct AuditTrail {
    let head: AuditHead
    /// The known record, then the last one that was visited.
    private(set) var last: AuditHead
    private(set) var isWhole = true

    /// - Parameter sequence: the number of a record, in ascending order. Records after the head are
    ///   ignored.
    mutating func visit(
        _ sequence: Int64?, body: [UInt8]?, vaultID: [UInt8], keys: AuditKeys
    ) throws(VaultError) {
        guard isWhole, last.sequence < head.sequence else { return }
        guard let sequence, sequence == last.sequence + 1, let body else {
            isWhole = false
            return
        }
        let before = last.mac
        let mac = try keys.withKey(of: sequence) { key throws(VaultError) in
            AuditChain.mac(of: body, sequence: sequence, after: before, vaultID: vaultID, key: key)
        }
        last = AuditHead(sequence: sequence, mac: mac)
    }

    var isComplete: Bool { isWhole && last.sequence == head.sequence && Sodium.areEqual(last.mac, head.mac) }
}
