extension String {
    /// True if both have the same bytes. Swift's `==` compares strings by canonical equivalence, so
    /// strings with different bytes can be equal.
    package func hasBytes(of other: String) -> Bool {
        // Most strings differ, and `==` finds that faster than a comparison of single bytes.
        guard self == other else { return false }
        let (own, others) = (utf8.span, other.utf8.span)
        guard own.count == others.count else { return false }
        for index in own.indices where own[index] != others[index] { return false }
        return true
    }
}
