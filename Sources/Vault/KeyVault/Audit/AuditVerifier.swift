/// Follows the chain of the audit log in constant memory, from the first record, or from one that
/// was verified before, to the last record according to the manifest.
///
/// Each record is compared with the MAC computed from the record before it. After a bad record the
/// verifier continues from the stored MACs, so that one bad record does not invalidate all later
/// ones. The record right after a missing one can't be verified, because the MAC that it was
/// chained to is gone. It is reported neither as a fault nor as a record.
struct AuditVerifier {
    private let vaultID: [UInt8]
    private let keys: AuditKeys
    private let head: AuditHead
    /// The record before the first one.
    private let start: AuditHead
    /// The number of the next record.
    private var next: Int64
    /// The MACs that the next record may be chained to. After an intact record there is one. After
    /// a changed record there are two, because either its MAC or its body may be the intact part.
    /// After a missing record there is none.
    private var before: [[UInt8]]

    /// - Parameter start: the record before the first one that is visited.
    init(vaultID: [UInt8], keys: AuditKeys, head: AuditHead, after start: AuditHead = .empty) {
        self.vaultID = vaultID
        self.keys = keys
        self.head = head
        self.start = start
        next = start.sequence + 1
        before = [start.mac]
    }

    /// Verifies the next row of the table.
    /// - Parameters:
    ///   - body: nil when the column has another type. The same rule applies to `mac`.
    ///   - report: receives each fault; an error that it throws ends the walk.
    /// - Returns: true if the record is intact.
    /// - Throws: `damaged(.row(.audit))` when the numbers are not ascending, because a crafted page
    ///   tree may return a row twice. Also the errors of `report`.
    mutating func visit(
        _ sequence: Int64, body: [UInt8]?, mac: [UInt8]?, _ report: (AuditFault) throws(VaultError) -> Void
    ) throws(VaultError) -> Bool {
        guard sequence > start.sequence, sequence <= head.sequence else {
            try report(.extra(sequence: sequence))
            return false
        }
        guard sequence >= next else { throw .damaged(.audit) }
        while next < sequence {
            try report(.missing(sequence: next))
            next += 1
            before = []
        }
        next = sequence + 1
        guard let body, let mac, mac.count == Sodium.digestCount else {
            try report(.changed(sequence: sequence))
            before = []
            return false
        }
        let expected = try keys.withKey(of: sequence) { key throws(VaultError) in
            before.map { AuditChain.mac(of: body, sequence: sequence, after: $0, vaultID: vaultID, key: key) }
        }
        let isLinked = expected.contains { Sodium.areEqual($0, mac) }
        let isHead = sequence != head.sequence || Sodium.areEqual(mac, head.mac)
        if isLinked && isHead {
            before = [mac]
            return true
        }
        if !expected.isEmpty || !isHead { try report(.changed(sequence: sequence)) }
        // If the body was changed, the stored MAC is correct; if the MAC was changed, the body is.
        before = [mac] + expected.prefix(1)
        return false
    }

    /// Verifies the end of the table.
    /// - Throws: the errors of `report`.
    func finish(_ report: (AuditFault) throws(VaultError) -> Void) throws(VaultError) {
        guard next <= head.sequence else { return }
        try report(.cut(last: next - 1, expected: head.sequence))
    }
}
