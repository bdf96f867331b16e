import Machine

/// The memory that a derivation works in is too large to be locked, so what it leaves can reach a
/// disk.
enum DiskTraces {
    private static let found = {
        let tree = SystemTree()
        return Words.diskTraces(swapAreas: tree.swapAreas, hibernation: tree.hibernation)
    }()

    /// To be done before the process gives away the right to see it.
    static func look() { _ = found }

    /// Said where a new PIN is set, before anything is asked.
    static func warn() { for text in found { Messages.warning(text) } }
}
