import CSystem
import Glibc
import Messages

/// Facts about this process.
package enum ThisProcess {
    /// True if the process was started without random addresses; nil where the kernel does not
    /// report it.
    package static var hasFixedAddresses: Bool? {
        let state = machine_addresses_are_fixed()
        return state < 0 ? nil : state == 1
    }

    /// Protects the memory of this process from other processes of the same user, from core files
    /// and from a backtracer, which prints registers, and allows as much locked memory as the
    /// system does. Swift's backtracer runs for SIGQUIT too.
    /// - Returns: false if the kernel refuses to protect the memory.
    package static func protectMemory() -> Bool {
        for signal in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGQUIT] {
            _ = Glibc.signal(signal, SIG_DFL)
        }
        ProcessLimit.core.forbid()
        ProcessLimit.lockedMemory.raise()
        return process_forbid_dumping() == 0
    }

    /// The protections that the program was linked without, according to its own ELF headers.
    package static var missingProtections: [LinkerProtection] {
        let program = machine_this_program()
        return [
            (program.position_independent, LinkerProtection.randomAddress),
            (program.read_only_relocations, .readOnlyRelocations), (program.bound_at_start, .bindingAtStart),
            (program.writes_no_code, .readOnlyCode), (program.no_search_path, .noSearchPath),
        ].filter { !$0.0 }.map(\.1)
    }

    /// Gives back the memory of the code and the constants that the program has used up to now.
    /// Pages that it needs again are mapped again from its file.
    package static func dropReadOnlyPages() { machine_drop_read_only_pages() }

    /// The objects that the dynamic linker loaded, and that the program does not need or that come
    /// from an unexpected folder.
    /// - Returns: their paths, and whether there are further linker namespaces: an object that
    ///   audits the program has its own.
    package static func foreignObjects() -> (paths: [String], isAudited: Bool) {
        var paths: [String] = []
        let namespaces = unsafe withUnsafeMutablePointer(to: &paths) { list in
            unsafe machine_foreign_objects(
                { path, list in
                    guard let path = unsafe path else { return }
                    unsafe list?.assumingMemoryBound(to: [String].self).pointee.append(String(cString: path))
                }, list)
        }
        return (paths, namespaces > 0)
    }
}

/// A protection against the exploitation of faults.
package enum LinkerProtection: CaseIterable, Sendable {
    /// The program can be loaded at any address.
    case randomAddress
    /// Relocated data becomes read-only.
    case readOnlyRelocations
    /// All relocations are applied before the program runs.
    case bindingAtStart
    /// No segment is writable and executable, including the stack.
    case readOnlyCode
    /// The program has no search path for shared objects.
    case noSearchPath
}

extension Words {
    /// `ThisProcess.protectMemory` failed.
    package static let readableProcess = Words(
        .sandbox,
        "the kernel refuses to protect this process's memory from other processes (PR_SET_DUMPABLE)",
        hint: "run the program on another system")
}
