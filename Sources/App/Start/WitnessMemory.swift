import Shell
import Synchronization

/// Warns if the witness did not record the state of the vault.
enum WitnessMemory {
    /// errno of the last write to the witness; 0 for success.
    private static let failure = Atomic<Int32>(0)

    private static let isMissing = Atomic(false)

    /// True if there is a folder for the witness.
    static var exists: Bool {
        get { !isMissing.load(ordering: .relaxed) }
        set { isMissing.store(!newValue, ordering: .relaxed) }
    }

    /// The folder of the witness, if the machine loses it before the vault.
    nonisolated(unsafe) static var lostFolder: String?

    static func warnIfNone() {
        if !exists { Messages.warning(Words.noWitness) }
        if let folder = unsafe lostFolder { Messages.note(Words.lostWitness(folder)) }
    }

    static func keep(_ failure: Int32?) { Self.failure.store(failure ?? 0, ordering: .relaxed) }

    /// Called after the command, because the witness is written after the last change of the vault.
    static func warnIfMissing() {
        let failure = failure.load(ordering: .relaxed)
        if failure != 0 { Messages.warning(Words.notRemembered(errno: failure)) }
    }
}
