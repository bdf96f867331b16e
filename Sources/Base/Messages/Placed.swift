/// An error and its place: a file's name, a field's path.
package struct Placed: Error {
    package let place: String
    package let error: any Error
    /// The purpose of the file, if the hint depends on it.
    package let use: (any FileUse)?

    package init(place: String, error: any Error, use: (any FileUse)? = nil) {
        (self.place, self.error, self.use) = (place, error, use)
    }
}

/// The purpose of a file that is not the one that a command is about.
package protocol FileUse: Sendable {
    /// - Returns: nil for an error whose text does not depend on the purpose.
    func words(of error: any Error) -> Words?
}

/// Runs a step and adds the place to its error.
/// - Parameter use: The purpose of the file, if the hint depends on it.
package func placed<Result: ~Copyable>(
    at place: String?, as use: (any FileUse)? = nil, _ step: () throws -> Result
) throws -> Result {
    do { return try step() } catch {
        guard let place else { throw error }
        throw Placed(place: Printable.line(place), error: error, use: use)
    }
}
