/// A result that could not be written after the audit log recorded it.
package struct Undelivered: Error {
    package enum Result {
        case signature, privateKey, secret, wallet
        /// A signed HTTP request: the file with its body if it was written, and whether the user
        /// chose its nonce.
        case request(bodyFile: String?, hasNonce: Bool)
        /// Of one or more lines.
        case signatures
    }

    package let result: Result
    /// The cause: `Output.Failure`, or a `Placed` with it.
    package let cause: any Error
}

/// Runs the step that writes a result to a file or standard output.
/// - Parameters:
///   - result: the result that the audit log has recorded; nil for none.
///   - output: the value of `--output`.
package func delivering(_ result: Undelivered.Result?, to output: String?, _ step: () throws -> Void) throws {
    do { try placed(at: output == "-" ? nil : output, step) } catch {
        guard let result else { throw error }
        throw Undelivered(result: result, cause: error)
    }
}
