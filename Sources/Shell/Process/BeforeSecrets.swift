import Synchronization

/// Runs once before a secret is read or shown. Every function that reads a secret from a file or
/// the terminal calls it.
package enum BeforeSecrets {
    private static let isDone = Atomic(false)
    /// The program has one thread.
    nonisolated(unsafe) private static var steps: [() -> Void] = []

    /// Adds a step of the program, such as the start of its libraries. Called before the command
    /// runs.
    package static func add(_ step: @escaping () -> Void) { unsafe steps.append(step) }

    /// Runs the steps of the program, and prints the warnings that the user needs before a secret
    /// is at risk.
    package static func prepare() {
        guard !isDone.exchange(true, ordering: .relaxed) else { return }
        let objects = LoadedObjects.atStart
        if !objects.isEmpty { Messages.warning(Words.loaded(objects)) }
        SandboxOption.warnIfLacking()
        LockedMemory.warnIfTooSmall()
        for step in unsafe steps { step() }
    }
}
