import SecureMemory

/// An audit key of an earlier master key. The records up to `last` that no earlier segment has are
/// chained with it.
final class AuditSegment {
    let last: Int64
    let key: SecureBytes

    init(last: Int64, key: consuming SecureBytes) {
        self.last = last
        self.key = key
    }
}

/// The keys of the whole log: a new master key brings a new audit key, and leaves the older records
/// as they are.
struct AuditKeys {
    /// By rising `last`.
    var earlier: [AuditSegment]
    var current: VaultKeys

    /// Lends the key that the record of this number is chained with.
    func withKey<Result>(of sequence: Int64, _ body: (borrowing SecureBytes) -> Result) -> Result {
        for segment in earlier where sequence <= segment.last { return body(segment.key) }
        return body(current.audit)
    }
}
