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
            ? "\(objects.variables.joined(separator: " and ")) is set" : "loaded into this process: \(named.joined(separator: ", "))"
        return
            "\(what); code that is loaded so sees each secret: if you don't know it, stop here, and look at LD_PRELOAD, LD_AUDIT, LD_LIBRARY_PATH and /etc/ld.so.preload"
    }
}
