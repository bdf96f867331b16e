import KeyVault
import Synchronization

/// What happens once before a secret is read or shown. Every way to read one, from a file and at
/// the terminal, comes through here.
enum BeforeSecrets {
    private static let isDone = Atomic(false)

    /// Starts the libraries, and warns of what a person must know while nothing is lost yet.
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
