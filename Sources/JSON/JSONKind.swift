/// What a value is, known by its first byte.
package enum JSONKind: Equatable, Sendable {
    case null, boolean, number, string, array, object
}

/// What a hostile text may ask of a reader.
package struct JSONLimits: Equatable, Sendable {
    /// The deepest that any reader goes: trees are walked by recursion, whose stack is limited.
    package static let greatestDepth = 512

    /// Arrays and objects in each other.
    package let depth: Int
    /// Length of the text in bytes.
    package let size: Int

    /// - Parameter depth: Held to `greatestDepth`.
    package init(depth: Int = 128, size: Int = 16 << 20) {
        self.depth = min(depth, Self.greatestDepth)
        self.size = size
    }
}

/// Where a string or a number stands in the text that a reader reads.
package struct JSONToken: Equatable, Sendable {
    /// Offset of the first byte, after the opening quote of a string.
    @usableFromInline let start: Int
    /// Offset past the last byte, of the closing quote of a string.
    @usableFromInline let end: Int
    /// Whether the bytes of the text differ from those of the value.
    @usableFromInline let hasEscapes: Bool

    @inlinable
    init(start: Int, end: Int, hasEscapes: Bool) {
        self.start = start
        self.end = end
        self.hasEscapes = hasEscapes
    }
}
