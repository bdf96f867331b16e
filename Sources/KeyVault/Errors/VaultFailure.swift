/// A caller's error that can contain a vault's error. The closures that a vault runs may throw it.
public protocol VaultFailure: Error {
    init(vault error: VaultError)
}

extension VaultError: VaultFailure {
    public init(vault error: VaultError) { self = error }
}

/// Runs a step that throws `VaultError` inside a function that throws a caller's error.
func lifting<Result: ~Copyable, Failure: VaultFailure>(
    to failure: Failure.Type, _ step: () throws(VaultError) -> Result
) throws(Failure) -> Result {
    do { return try step() } catch { throw Failure(vault: error) }
}
