import TerminalText

/// An error and its place: a file's name, a field's path.
struct Placed: Error {
    let place: String
    let error: any Error
    /// The purpose of the file, if the hint depends on it.
    var use: VaultFileUse?
}

/// Runs a step and adds the place to its error.
/// - Parameter use: The purpose of the file, if it is not the vault that is opened.
func placed<Result: ~Copyable>(
    at place: String?, as use: VaultFileUse? = nil, _ step: () throws -> Result
) throws -> Result {
    do { return try step() } catch {
        guard let place else { throw error }
        throw Placed(place: Printable.line(place), error: error, use: use)
    }
}
