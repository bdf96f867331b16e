import Hardening
import Shell

/// Warnings of secrets that can reach a disk: a key derivation uses more memory than can be locked.
enum DiskTraces {
    private static let found = {
        let tree = SystemTree()
        return Words.diskTraces(swapAreas: tree.swapAreas, hibernation: tree.hibernation)
    }()

    /// Reads the state of the machine. Call it before the sandbox starts, which hides that state.
    static func inspect() { _ = found }

    /// Prints the warnings. Commands that set a new PIN call it before the first question.
    static func warn() { for text in found { Messages.warning(text) } }
}
