extension String {
    /// True if both have the same bytes. Swift's `==` compares strings by canonical equivalence, so
    /// strings with different bytes can be equal. For a hostile text of many combining marks, `==`
    /// takes minutes.
    package func hasBytes(of other: String) -> Bool {
        let (own, others) = (utf8.span, other.utf8.span)
        guard own.count == others.count else { return false }
        for index in own.indices where own[index] != others[index] { return false }
        return true
    }

    /// True if one of the texts has the same bytes.
    package func isAny(of texts: some Sequence<String>) -> Bool { texts.contains { hasBytes(of: $0) } }
}
