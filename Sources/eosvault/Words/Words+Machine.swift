import Machine

// What is said of the machine and of what it did to this process.

extension Words {
    /// - Parameters:
    ///   - limit: bytes; nil for none.
    ///   - needed: bytes.
    static func lockedMemory(limit: Int?, needed: Int) -> String {
        let allowed = limit.map { $0 < 1024 ? "no memory" : "\(size(UInt64($0))) of memory" } ?? "not enough memory"
        return """
            \(allowed) may be locked, and \(size(UInt64(needed))) are needed: the swap may get to hold secrets; \
            run `ulimit -l \(needed / 1024)` before, and where that is refused have root raise memlock in /etc/security/limits.conf
            """
    }

    /// Code that nobody asked for, in this process.
    static func loaded(_ objects: LoadedObjects) -> String {
        let named = objects.foreign.map { Printable.line($0) } + (objects.isAudited ? ["an auditing object"] : [])
        let what =
            named.isEmpty
            ? "\(objects.variables.joined(separator: " and ")) is set"
            : "loaded into this process: \(named.joined(separator: ", "))"
        return
            "\(what); code that is loaded so sees each secret: if you don't know it, stop here, and look at LD_PRELOAD, LD_AUDIT, LD_LIBRARY_PATH and /etc/ld.so.preload"
    }

    /// What may come to lie on a disk in the clear while a PIN is worked on: nothing where all is
    /// well.
    static func diskTraces(swapAreas: [SwapArea]?, hibernation: Hibernation) -> [String] {
        var texts: [String] = []
        let left = "a PIN's derivation works in memory that is not locked, and what it leaves may stay there"
        func named(_ storage: Storage) -> String {
            (swapAreas ?? []).filter { $0.storage == storage }.map { Printable.excerpt($0.name) }.joined(
                separator: ", ")
        }
        switch swapAreas?.map(\.storage).max() {
        case .plain?:
            texts.append(
                "swap that is not encrypted is in use (\(named(.plain))): \(left); `swapoff -a` first, or have it encrypted"
            )
        case .unknown?:
            texts.append(
                "whether swap is encrypted can't be told (\(named(.unknown))): \(left); if it is not, `swapoff -a` first"
            )
        case .memory?, .encrypted?, nil: break
        }
        if swapAreas == nil {
            texts.append("what swap is in use can't be told: \(left); look with `swapon --show`, and `swapoff -a`")
        }
        switch hibernation {
        case .possible(.plain):
            texts.append(
                "the machine may hibernate to a disk that is not encrypted, all of its memory with it: don't while a command runs; "
                    + "`eosvault doctor` says how to forbid it")
        case .possible, .withoutSwap, .impossible, .unknown: break
        }
        return texts
    }
}
