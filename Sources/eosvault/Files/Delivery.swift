/// A result that the vault's log records before it is written, and that could not be written.
struct Undelivered: Error {
    enum Result {
        case signature, privateKey
    }

    let result: Result
    /// Why: `Output.Failure`, perhaps with its place.
    let cause: any Error
}

/// Runs the step that writes a result to a file or standard output.
/// - Parameters:
///   - result: what the vault recorded already; nil when it recorded nothing.
///   - output: as `--output` has it.
func delivering(_ result: Undelivered.Result?, to output: String?, _ step: () throws -> Void) throws {
    do { try placed(at: output == "-" ? nil : output, step) } catch {
        guard let result else { throw error }
        throw Undelivered(result: result, cause: error)
    }
}
