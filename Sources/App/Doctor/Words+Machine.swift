import Hardening
import TerminalText

// Warnings about the machine and about this process.

extension Words {
    /// - Parameters:
    ///   - limit: bytes; nil if the limit is unknown.
    ///   - needed: bytes.
    static func lockedMemory(limit: Int?, needed: Int) -> String {
        let allowed =
            limit.map { $0 < 1024 ? "no memory" : "only \(size(UInt64($0))) of memory" } ?? "not enough memory"
        return """
            \(allowed) can be locked, but \(size(UInt64(needed))) are needed: secrets may be swapped to disk; \
            run `ulimit -l \(needed / 1024)` first; if that fails, root must raise memlock in /etc/security/limits.conf
            """
    }

    static let auditLibrary = "a library of LD_AUDIT"

    /// Code in this process that is not part of eosvault and its libraries.
    static func loaded(_ objects: LoadedObjects) -> String {
        let named = objects.foreign.map { Printable.line($0) } + (objects.isAudited ? [auditLibrary] : [])
        let what =
            named.isEmpty
            ? "set in the environment: \(objects.variables.joined(separator: ", "))"
            : "foreign code is loaded into eosvault: \(named.joined(separator: ", "))"
        return """
            \(what); such code can read every secret: if you did not load it, stop here, and check LD_PRELOAD, \
            LD_AUDIT, LD_LIBRARY_PATH and /etc/ld.so.preload
            """
    }

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
