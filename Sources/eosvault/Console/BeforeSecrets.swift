import Synchronization

/// What a person must know before a secret is read or shown: said once, while nothing is lost yet.
enum BeforeSecrets {
    private static let isSaid = Atomic(false)

    static func warn() {
        guard !isSaid.exchange(true, ordering: .relaxed) else { return }
        let objects = LoadedObjects.atStart
        if !objects.isEmpty { Messages.warning(Words.loaded(objects)) }
        SandboxOption.warnIfLacking()
        LockedMemory.warnIfTooSmall()
        WitnessMemory.warnIfNone()
    }
}
