// Warnings and notes of Shell itself.

import Hardening

extension Words {
    package static let notCleared =
        "\neosvault can't clear this terminal: the words stay visible until you close or reset it.\n"

    package static func openToOthers(_ path: String, mode: UInt32) -> String {
        "\(Printable.line(path)) has mode \(String(mode, radix: 8)): its file system does not support modes, "
            + "so other users of this machine can read the secret while that file system is mounted"
    }

    package static func readableByOthers(_ name: String, mode: UInt32) -> String {
        "\(name): other users can read it (mode \(String(mode, radix: 8))); run `chmod 600` on it"
    }

    package static let notLocked =
        "not all secrets could be locked in memory: secrets may be swapped to disk; raise `ulimit -l`"

    package static let noSandbox =
        "NO SANDBOX: this process can open all your files, run programs and reach the network; "
        + "use this only for debugging, and never with your keys"

    /// The warning when seccomp, Landlock or both are missing.
    package static func weakSandbox(_ support: SandboxSupport) -> String {
        let (what, missing) =
            switch (support.landlockVersion, support.hasSeccomp) {
            case (nil, false):
                (
                    "NO SANDBOX",
                    "seccomp and no Landlock, so this process can open all your files, run programs "
                        + "and reach the network"
                )
            case (nil, true): ("PARTIAL SANDBOX", "Landlock, so this process can open all your files")
            case (.some, _):
                ("PARTIAL SANDBOX", "seccomp, so this process can make system calls that it does not need")
            }
        return "\(what): the kernel or the container offers no \(missing); see `eosvault doctor`"
    }

    /// - Parameters:
    ///   - limit: bytes; nil if the limit is unknown.
    ///   - needed: bytes.
    package static func lockedMemory(limit: Int?, needed: Int) -> String {
        let allowed =
            limit.map { $0 < 1024 ? "no memory" : "only \(size(UInt64($0))) of memory" }
            ?? "not enough memory"
        return """
            \(allowed) can be locked, but \(size(UInt64(needed))) are needed: secrets may be swapped to disk; \
            run `ulimit -l \(needed / 1024)` first; if that fails, root must raise memlock in /etc/security/limits.conf
            """
    }

    package static let auditLibrary = "a library of LD_AUDIT"

    /// Code in this process that is not part of eosvault and its libraries.
    package static func loaded(_ objects: LoadedObjects) -> String {
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
}
