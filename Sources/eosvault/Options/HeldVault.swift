import KeyVault

/// A vault that is unlocked while a person reads a review. No database transaction is open, and its
/// master key is in no-access pages until the signature is made.
///
/// It is locked again, and its keys are wiped, when the time is over, or when a signal stops the
/// program: a stopped program could not lock it.
final class HeldVault {
    /// How long the vault stays unlocked, in seconds. It includes time in which the machine sleeps.
    static let limit: Double = 300

    private var vault: UnlockedVault?
    private let clock: () -> Double
    private let deadline: Double

    /// - Parameter clock: seconds that pass, from any start.
    init(_ vault: consuming UnlockedVault, clock: @escaping () -> Double = { Clock.sinceBoot }) {
        self.vault = consume vault
        self.clock = clock
        deadline = clock() + Self.limit
    }

    /// Locks the vault if the time is over, or if a signal arrived.
    func lockIfNeeded(_ event: TerminalPrompt.Event) {
        if event == .signal || clock() >= deadline { vault = nil }
    }

    /// Takes the vault, for one use.
    /// - Returns: nil if it was locked again.
    func take() -> UnlockedVault? {
        lockIfNeeded(.nothing)
        return vault.take()
    }
}
