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

    /// Lends three parts for writing, which follow one another. Counts beyond the capacity are a
    /// programmer's error and trap.
    public mutating func lend<Result: ~Copyable, Failure: Error>(
        _ first: Int, _ second: Int, _ third: Int,
        _ body: (inout MutableRawSpan, inout MutableRawSpan, inout MutableRawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(min(first, second, third) >= 0 && first + second + third <= capacity)
        return unsafe try pages.lendMutable { base throws(Failure) in
            var one = unsafe MutableRawSpan(_unsafeStart: base, byteCount: first)
            var two = unsafe MutableRawSpan(_unsafeStart: base + first, byteCount: second)
            var three = unsafe MutableRawSpan(_unsafeStart: base + first + second, byteCount: third)
            defer {
                one.wipe()
                two.wipe()
                three.wipe()
            }
            return try body(&one, &two, &three)
        }
    }
}
