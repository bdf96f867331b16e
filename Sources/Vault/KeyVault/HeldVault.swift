/// A vault that is unlocked for a limited time. No database transaction is open, and its master key
/// is in no-access pages until it is used.
///
/// The program calls `lockIfOver` while it waits: at a question, or after `secondsLeft` in a loop
/// of events. A vault whose time is over is never returned, whether or not that was called.
package final class HeldVault {
    private var vault: UnlockedVault?
    private let clock: () -> Double
    private let deadline: Double

    /// - Parameters:
    ///   - limit: how long the vault stays unlocked, in seconds, with the key derivation.
    ///   - clock: seconds that pass, from any start, with the time in which the machine sleeps.
    ///   - unlock: unlocks the vault.
    package init<Failure: Error>(
        for limit: Double, clock: @escaping () -> Double,
        unlocking unlock: () throws(Failure) -> UnlockedVault
    ) throws(Failure) {
        self.clock = clock
        deadline = clock() + limit
        vault = try unlock()
    }

    /// Locks the vault, and wipes its keys.
    package func lock() { vault = nil }

    /// How many seconds the vault stays unlocked; 0 for a locked vault.
    package var secondsLeft: Double { vault == nil ? 0 : max(0, deadline - clock()) }

    /// Locks the vault if its time is over.
    package func lockIfOver() { if secondsLeft == 0 { lock() } }

    /// Takes the vault, for one use.
    /// - Returns: nil if it is locked.
    package func take() -> UnlockedVault? {
        lockIfOver()
        return vault.take()
    }
}
