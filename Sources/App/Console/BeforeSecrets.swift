import KeyVault
import Synchronization

/// Runs once before a secret is read or shown. Every function that reads a secret from a file or
/// the terminal calls it.
enum BeforeSecrets {
    private static let isDone = Atomic(false)

    /// Starts the libraries, and prints the warnings that the user needs before a secret is at
    /// risk.
    static func prepare() {
        guard !isDone.exchange(true, ordering: .relaxed) else { return }
        Vault.startLibraries()
        let objects = LoadedObjects.atStart
        if !objects.isEmpty { Messages.warning(Words.loaded(objects)) }
        SandboxOption.warnIfLacking()
        LockedMemory.warnIfTooSmall()
        WitnessMemory.warnIfNone()
    }
}
