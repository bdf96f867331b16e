/// A guarded buffer for many secrets that have the same role in a batch, one after another: the
/// nonce of each signature, the bytes of each imported key.
///
/// Making and ending guarded memory takes more than ten system calls, lending it takes two. The
/// bytes are zero when they are lent. They are wiped when the closure ends, also by an error.
/// Between two uses the page is no-access. A secret that outlives the closure needs `SecureBytes`.
public struct ReusedBytes: ~Copyable {
    private var pages: GuardedPages
    private let capacity: Int

    /// - Parameter capacity: the most bytes that can be lent.
    public init(capacity: Int) throws(SecureMemoryError) {
        pages = try GuardedPages(count: capacity)
        self.capacity = capacity
    }

    /// Lends `count` bytes for writing. A count beyond the capacity is a programmer's error and
    /// traps.
    public mutating func lend<Result: ~Copyable, Failure: Error>(
        _ count: Int, _ body: (inout MutableRawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition((0...capacity).contains(count))
        return unsafe try pages.lendMutable { base throws(Failure) in
            var span = unsafe MutableRawSpan(_unsafeStart: base, byteCount: count)
            defer { span.wipe() }
            return try body(&span)
        }
    }
}
