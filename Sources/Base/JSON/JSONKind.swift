/// The kind of a value, which its first byte determines.
public enum JSONKind: Equatable, Sendable {
    case null, boolean, number, string, array, object
}

/// Limits for hostile text.
public struct JSONLimits: Equatable, Sendable {
    /// The maximum of any depth limit. Trees are walked by recursion, and the stack is limited.
    public static let greatestDepth = 512

    /// The maximum nesting of arrays and objects.
    public let depth: Int
    /// The maximum length of the text in bytes.
    public let size: Int

    /// - Parameter depth: Reduced to `greatestDepth` if it is greater.
    public init(depth: Int = 128, size: Int = 16 << 20) {
        self.depth = min(depth, Self.greatestDepth)
        self.size = size
    }
}

/// The position of a string or a number in the text.
public struct JSONToken: Equatable, Sendable {
    /// The offset of the first byte; in a string, the byte after the opening quote.
    @usableFromInline let start: Int
    /// The offset after the last byte; in a string, the offset of the closing quote.
    @usableFromInline let end: Int
    /// True if the string has escapes, so that its value differs from its text.
    @usableFromInline let hasEscapes: Bool

    /// At least the number of bytes of the value.
    public var maximumCount: Int { max(0, end - start) }

    @inlinable
    init(start: Int, end: Int, hasEscapes: Bool) {
        self.start = start
        self.end = end
        self.hasEscapes = hasEscapes
    }
}
