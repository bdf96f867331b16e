import SecureMemory

/// The audit key of an earlier master key. It chains the records up to `last` that belong to no
/// earlier segment.
final class AuditSegment {
    let last: Int64
    let key: SecureBytes

    init(last: Int64, key: consuming SecureBytes) {
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
    func withKey<Result: ~Copyable, Failure: Error>(
        of sequence: Int64, _ body: (borrowing SecureBytes) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        for segment in earlier where sequence <= segment.last { return try body(segment.key) }
        return try body(current.audit)
    }
}
