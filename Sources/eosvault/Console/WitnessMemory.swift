import Synchronization

/// Whether this machine remembers the vault as the command left it.
enum WitnessMemory {
    /// errno of the last writing; 0 when nothing failed.
    private static let failure = Atomic<Int32>(0)

    private static let isMissing = Atomic(false)

    /// Whether there is a place for it.
    static var exists: Bool {
        get { !isMissing.load(ordering: .relaxed) }
        set { isMissing.store(!newValue, ordering: .relaxed) }
    }

    static func warnIfNone() {
        if !exists { Messages.warning(Words.noWitness) }
    }

    static func keep(_ failure: Int32?) { Self.failure.store(failure ?? 0, ordering: .relaxed) }

    /// Said after the command: the last writing comes after its last change.
    static func warnIfMissing() {
        let failure = failure.load(ordering: .relaxed)
        if failure != 0 { Messages.warning(Words.notRemembered(errno: failure)) }
    }
}
