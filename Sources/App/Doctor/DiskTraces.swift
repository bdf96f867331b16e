import Hardening
import Shell

/// Warnings before a new PIN is set: its key derivation uses more memory than can be locked, so
/// unencrypted data may reach a disk.
enum DiskTraces {
    private static let found = {
        let tree = SystemTree()
        return Words.diskTraces(swapAreas: tree.swapAreas, hibernation: tree.hibernation)
    }()

    /// Reads the state of the machine. Call it before the sandbox starts, which hides that state.
    static func inspect() { _ = found }

    /// Prints the warnings. Call it before the first question.
    static func warn() { for text in found { Messages.warning(text) } }
}

extension Words {
    static func diskTraces(swapAreas: [SwapArea]?, hibernation: Hibernation) -> [String] {
        var texts: [String] = []
        let risk = "parts of the memory of the key derivation, which is not locked, may stay in the swap"
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
                "this machine can hibernate, which writes all memory to a disk that may be unencrypted: don't "
                    + "hibernate while a command runs; `eosvault doctor` shows how to disable hibernation")
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
