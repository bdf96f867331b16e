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

// Warnings about the machine and about this process.

extension Words {
    /// Warnings before a new PIN is set: its key derivation may leave unencrypted data on a disk.
    /// Empty if there is no such risk.
    static func diskTraces(swapAreas: [SwapArea]?, hibernation: Hibernation) -> [String] {
        var texts: [String] = []
        let risk = "the key derivation for a PIN uses unlocked memory, and parts of it may stay in the swap"
        if let swapAreas, swapAreas.contains(where: { $0.storage == .unknown }) {
            texts.append(
                "swap is in use and may be unencrypted (\(swapAreas.names(of: .unknown))): \(risk); "
                    + "if it is unencrypted, run `swapoff -a` first")
        } else if swapAreas == nil {
            texts.append(
                "unencrypted swap may be in use (/proc/swaps can't be read): \(risk); check with `swapon --show`, "
                    + "and run `swapoff -a`")
        }
        if hibernation == .possible(.unknown) {
            texts.append(
                "this machine can hibernate, which writes all memory to a disk that may be unencrypted: "
                    + "don't hibernate while a command runs; `eosvault doctor` shows how to disable hibernation")
        }
        return texts
    }
}

extension [SwapArea] {
    /// The names of the areas with this storage.
    func names(of storage: Storage) -> String {
        filter { $0.storage == storage }.map { Printable.excerpt($0.name) }.joined(separator: ", ")
    }
}
