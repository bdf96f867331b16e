package import Messages

/// Why a call is refused. Nothing was done, unless the code is one of those that say so.
///
/// All calls of both libraries throw it. Programs decide by ``code``, people read ``message``.
public struct EOSError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of a kind of errors, such as `wrong-pin`. A name never changes; versions add new
    /// ones. `eosvault codes` lists all, with their meanings.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// Lower case, with hyphens.
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        package init(_ code: ErrorCode) { rawValue = code.name }
    }

    public let code: Code
    /// What is wrong, with its position in the input: one line, without a secret.
    public let message: String
    /// What the user can do next; empty if there is no general advice.
    public let nextStep: String

    public var description: String { message }

    package init(_ words: Words) {
        code = Code(words.code)
        message = words.message
        nextStep = words.hint
    }
}

extension EOSError.Code {
    /// The PIN, the PIN or the key file, or the recovery phrase is wrong.
    public static let wrongUnlockMethod = Self(.wrongPIN)
    /// Another thread locked the vault.
    public static let locked = Self(.locked)
    /// Another process used the vault for longer than the call waits, or an unlock failed so
    /// recently that the next one must wait. The message states how long.
    public static let busy = Self(.busy)
    /// The vault has no such key.
    public static let noSuchKey = Self(.noSuchKey)
    /// The vault is older than the copy that was last seen on this machine.
    public static let rolledBack = Self(.rolledBack)
    /// The file is damaged or was modified.
    public static let damaged = Self(.damaged)
    /// A danger of the transaction was not accepted.
    public static let dangerNotAllowed = Self(.dangerNotAllowed)
    /// The change was made, but a power failure may undo it.
    public static let commitUncertain = Self(.commitUncertain)
}

/// Runs `body`, and reports its error.
package func reporting<Result: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Result
) throws(EOSError) -> Result {
    do { return try body() } catch { throw EOSError(Words(for: error)) }
}
