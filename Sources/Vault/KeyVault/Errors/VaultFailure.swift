/// A caller's error that can contain a vault's error. The closures that a vault runs may throw it.
package protocol VaultFailure: Error {
    init(vault error: VaultError)
}

extension VaultError: VaultFailure {
    package init(vault error: VaultError) { self = error }
}
