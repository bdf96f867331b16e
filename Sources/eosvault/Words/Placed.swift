/// An error and where it came up: a file's name, a field's path.
struct Placed: Error {
    let place: String
    let error: any Error
    /// What the file is, where that decides what to do next.
    var use: VaultFileUse?
}

/// Runs a step; its error is told with the place before it.
/// - Parameter use: what the file there is, where it is not the vault that is opened.
func placed<Result>(at place: String?, as use: VaultFileUse? = nil, _ step: () throws -> Result) throws -> Result {
    do { return try step() } catch {
        guard let place else { throw error }
        throw Placed(place: Printable.line(place), error: error, use: use)
    }
}
