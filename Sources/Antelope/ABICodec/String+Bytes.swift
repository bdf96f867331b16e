extension String {
    /// True if both have the same bytes. Swift's `==` compares strings by canonical equivalence, so
    /// strings with different bytes can be equal.
    package func hasBytes(of other: String) -> Bool {
        // Most strings differ, and `==` finds that faster than a comparison of single bytes.
        self == other && utf8.elementsEqual(other.utf8)
    }
}
