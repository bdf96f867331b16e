import Files
import KeyVault
import Shell

/// A vault that is unlocked while a person reads a review.
///
/// It is also locked when a signal arrives: a stopped program could not lock it. So a stop (Ctrl-Z)
/// waits until a question finds it.
final class QuestionVault {
    /// How long the vault stays unlocked, in seconds.
    static let limit: Double = 300

    private let vault: HeldVault
    private var stop: HeldStop?

    /// - Parameter clock: seconds that pass, from any start.
    init(clock: @escaping () -> Double = { Clock.sinceBoot }, unlocking unlock: () throws -> UnlockedVault)
        throws
    {
        stop = HeldStop()
        vault = try HeldVault(for: Self.limit, clock: clock, unlocking: unlock)
    }

    /// Locks the vault if the time is over, or if a signal arrived.
    func lockIfNeeded(_ event: TerminalPrompt.Event) {
        if event == .signal { vault.lock() } else { vault.lockIfOver() }
        if vault.secondsLeft == 0 { stop = nil }
    }

    /// Takes the vault, for one use.
    /// - Returns: nil if it was locked again.
    func take() -> UnlockedVault? {
        defer { stop = nil }
        return vault.take()
    }
}
