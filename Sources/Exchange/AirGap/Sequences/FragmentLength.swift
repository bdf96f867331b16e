/// The length of the fragments of a message: equal, as long as allowed (BCR-2024-001).
package enum FragmentLength {
    /// The smallest number of fragments of at most `maximum` bytes. A message of less than two
    /// times `minimum` bytes is one fragment, even if it is longer than `maximum`.
    /// - Parameters:
    ///   - messageLength: at least 1.
    ///   - minimum: at least 1.
    ///   - maximum: at least `minimum`.
    package static func nominal(messageLength: Int, minimum: Int, maximum: Int) -> Int {
        let most = max(1, messageLength / minimum)
        let count = min(most, (messageLength + maximum - 1) / maximum)
        return (messageLength + count - 1) / count
    }
}
