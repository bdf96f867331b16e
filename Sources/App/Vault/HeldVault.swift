import Files
import KeyVault
import Shell

/// A vault that is unlocked while a person reads a review. No database transaction is open, and its
/// master key is in no-access pages until the signature is made.
///
/// It is locked again, and its keys are wiped, when the time is over, or when a signal arrives: a
/// stopped program could not lock it. So a stop (Ctrl-Z) waits until a question finds it.
final class HeldVault {
    /// How long the vault stays unlocked, in seconds. It includes the time of the key derivation,
    /// and time in which the machine sleeps.
    static let limit: Double = 300

    private var vault: UnlockedVault?
    private var stop: HeldStop?
    private let clock: () -> Double
    private let deadline: Double

    /// - Parameters:
    ///   - clock: seconds that pass, from any start.
    ///   - unlock: unlocks the vault.
    init(clock: @escaping () -> Double = { Clock.sinceBoot }, unlocking unlock: () throws -> UnlockedVault) throws {
        self.clock = clock
        deadline = clock() + Self.limit
        stop = HeldStop()
        vault = try unlock()
    }

    /// Locks the vault if the time is over, or if a signal arrived.
    func lockIfNeeded(_ event: TerminalPrompt.Event) {
        guard event == .signal || clock() >= deadline else { return }
        vault = nil
        stop = nil
    }

    /// Takes the vault, for one use.
    /// - Returns: nil if it was locked again.
    func take() -> UnlockedVault? {
        lockIfNeeded(.nothing)
        defer { stop = nil }
        return vault.take()
    }
}
