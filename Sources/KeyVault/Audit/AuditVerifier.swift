import SecureMemory

/// Follows the chain of the audit log from its first record to the one that the manifest names as
/// the last, in constant memory.
///
/// Each record is compared with the mac that follows from the one before. Behind a bad one it goes
/// on with the macs as they stand, so that one bad record doesn't take all later ones with it. What
/// comes right behind a missing record can't be told to be good: the mac that it was chained to is
/// gone. It is not called a fault then, and not a record either.
struct AuditVerifier {
    private let vaultID: [UInt8]
    private let keys: AuditKeys
    private let head: AuditHead
    /// The number that comes next.
    private var next: Int64 = 1
    /// What the next record may be chained to: one mac; two behind a record that was changed, whose
    /// mac or body may be the part that is right; none behind a missing one.
    private var before = [AuditChain.start]

    init(vaultID: [UInt8], keys: AuditKeys, head: AuditHead) {
        self.vaultID = vaultID
        self.keys = keys
        self.head = head
    }

    /// Looks at the record that the table has next.
    /// - Parameters:
    ///   - body: nil for a column of another type; so is `mac`.
    ///   - report: is given each fault that shows; what it throws ends the walk.
    /// - Returns: whether the record is what was written.
    /// - Throws: `damaged(.row(.audit))` when the numbers don't rise: a crafted tree of pages may
    ///   show a row twice. And what `report` throws.
    mutating func visit(
        _ sequence: Int64, body: [UInt8]?, mac: [UInt8]?, _ report: (AuditFault) throws(VaultError) -> Void
    ) throws(VaultError) -> Bool {
        guard sequence >= 1, sequence <= head.sequence else {
            try report(.extra(sequence: sequence))
            return false
        }
        guard sequence >= next else { throw .damaged(.row(.audit)) }
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
        let expected = keys.withKey(of: sequence) { key in
            before.map { AuditChain.mac(of: body, sequence: sequence, after: $0, vaultID: vaultID, key: key) }
        }
        let isLinked = expected.contains { Sodium.areEqual($0, mac) }
        let isHead = sequence != head.sequence || Sodium.areEqual(mac, head.mac)
        if isLinked && isHead {
            before = [mac]
            return true
        }
        if !expected.isEmpty || !isHead { try report(.changed(sequence: sequence)) }
        // A body that was changed leaves the mac right, a mac that was changed the body.
        before = [mac] + expected.prefix(1)
        return false
    }

    /// Looks at the end of the table.
    /// - Throws: what `report` throws.
    func finish(_ report: (AuditFault) throws(VaultError) -> Void) throws(VaultError) {
        guard next <= head.sequence else { return }
        try report(.cut(last: next - 1, expected: head.sequence))
    }
}
