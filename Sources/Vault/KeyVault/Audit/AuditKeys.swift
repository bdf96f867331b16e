import SecureMemory

/// The audit key of an earlier master key. It chains the records up to `last` that belong to no
/// earlier segment.
final class AuditSegment {
    let last: Int64
    let key: HeldSecret<SecureBytes>

    init(last: Int64, key: HeldSecret<SecureBytes>) {
        self.last = last
        self.key = key
    }
}

/// The keys of the whole log. A new master key brings a new audit key; older records keep their
/// chain.
struct AuditKeys {
    /// In ascending order of `last`.
    var earlier: [AuditSegment]
    var current: VaultKeys

    /// Lends the key that chains the record with this number.
    func withKey<Result: ~Copyable>(
        of sequence: Int64, _ body: (borrowing SecureBytes) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        for segment in earlier where sequence <= segment.last { return try segment.key.lend(body) }
        return try current.audit.lend(body)
    }
}
