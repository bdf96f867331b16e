import Machine

/// The memory that a derivation works in is too large to be locked, so what it leaves can reach a disk.
enum DiskTraces {
    /// Said where a new PIN is set, before anything is asked.
    static func warn() {
        let tree = SystemTree()
        for text in Words.diskTraces(swapAreas: tree.swapAreas, hibernation: tree.hibernation) { Messages.warning(text) }
    }
}
