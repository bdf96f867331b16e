import CShim
import Glibc

/// Gives away what a process could do, for good: as much of it as the kernel lets it give away.
///
/// To be done while there is one thread, and before anything is read: Landlock binds the thread
/// that asks for it and those that it starts.
package enum Confinement {
    /// No new privileges, no file but those of `access`, no program, no network, no other process.
    /// - Parameter support: what the kernel offers; what it lacks is left out.
    /// - Throws: when the kernel refuses what it offers.
    package static func begin(_ access: FileAccess, support: SandboxSupport = .ofThisKernel()) throws(SandboxError) {
        if let refusal = support.refusal { throw refusal }
        for grant in access.grants where grant.use == .keeping { makeFolder(grant.path) }
        guard sandbox_forbid_new_privileges() == 0 else { throw .system(.privileges, errno: errno) }
        try narrow(to: access, support: support)
        guard support.hasSeccomp else { return }
        guard sandbox_filter_calls() == 0 else { throw .system(.filter, errno: errno) }
    }

    /// From now on only those files of `access` that were allowed before. What is open stays open.
    package static func narrow(to access: FileAccess, support: SandboxSupport = .ofThisKernel()) throws(SandboxError) {
        guard let version = support.landlockVersion else { return }
        let known = LandlockRights.known(toVersion: version)
        let ruleset = sandbox_make_ruleset(
            known.rawValue, LandlockScope.network(ofVersion: version), LandlockScope.processes(ofVersion: version))
        guard ruleset >= 0 else { throw .system(.ruleset, errno: errno) }
        defer { close(ruleset) }
        for grant in access.grants { try add(grant, to: ruleset, known) }
        guard sandbox_enforce_ruleset(ruleset) == 0 else { throw .system(.enforcing, errno: errno) }
    }

    /// With those above it. What can't be made stays missing, and whoever needs it says so.
    private static func makeFolder(_ path: String) {
        guard unsafe mkdir(path, 0o700) != 0, errno == ENOENT, let end = path.lastIndex(of: "/"), end != path.startIndex
        else { return }
        makeFolder(String(path[..<end]))
        unsafe mkdir(path, 0o700)
    }

    private static func add(_ grant: FileAccess.Grant, to ruleset: Int32, _ known: LandlockRights) throws(SandboxError)
    {
        // Nothing is opened by it: a FIFO does not block, and no lock of SQLite is dropped. What
        // can't be reached now is not allowed later.
        let file = unsafe sandbox_open_path(grant.path)
        guard file >= 0 else {
            if [EMFILE, ENFILE, ENOMEM].contains(errno) { throw .system(.rule, errno: errno) }
            return
        }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { throw .system(.rule, errno: errno) }
        let rights = grant.use.rights(to: status).intersection(known)
        // An empty rule is refused.
        guard !rights.isEmpty, sandbox_add_rule(ruleset, file, rights.rawValue) != 0 else { return }
        // A pipe or a socket that /proc leads to is in no file system that can be seen, and always
        // allowed.
        guard errno == EBADFD else { throw .system(.rule, errno: errno) }
    }
}
