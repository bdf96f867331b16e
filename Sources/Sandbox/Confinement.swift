import CShim
import Glibc

/// Drops the privileges of this process permanently, as far as the kernel supports it.
///
/// Call it while the process has one thread and before it reads any input: Landlock applies to the
/// calling thread and to the threads it starts later.
public enum Confinement {
    /// Forbids new privileges, all files except those of `access`, starting programs, the network,
    /// and access to other processes.
    /// - Parameter support: what the kernel offers. Restrictions that it lacks are skipped.
    /// - Throws: when the kernel refuses an operation that it offers.
    public static func begin(_ access: FileAccess, support: SandboxSupport = .ofThisKernel()) throws(SandboxError) {
        if let refusal = support.refusal { throw refusal }
        for grant in access.grants where grant.use == .keeping { makeFolder(grant.path) }
        guard sandbox_forbid_new_privileges() == 0 else { throw .system(.privileges, errno: errno) }
        try narrow(to: access, support: support)
        guard support.hasSeccomp else { return }
        guard sandbox_filter_calls() == 0 else { throw .system(.filter, errno: errno) }
    }

    /// From now on the process can open only files of `access` that were allowed before. Open files
    /// stay open.
    public static func narrow(to access: FileAccess, support: SandboxSupport = .ofThisKernel()) throws(SandboxError) {
        guard let version = support.landlockVersion else { return }
        let known = LandlockRights.known(toVersion: version)
        let ruleset = sandbox_make_ruleset(
            known.rawValue, LandlockScope.network(ofVersion: version), LandlockScope.processes(ofVersion: version))
        guard ruleset >= 0 else { throw .system(.ruleset, errno: errno) }
        defer { close(ruleset) }
        for grant in access.grants { try add(grant, to: ruleset, known) }
        guard sandbox_enforce_ruleset(ruleset) == 0 else { throw .system(.enforcing, errno: errno) }
    }

    /// Creates a folder and its missing parents. Errors are ignored here: the later use of the
    /// folder reports them.
    private static func makeFolder(_ path: String) {
        guard unsafe mkdir(path, 0o700) != 0, errno == ENOENT, let end = path.lastIndex(of: "/"), end != path.startIndex
        else { return }
        makeFolder(String(path[..<end]))
        unsafe mkdir(path, 0o700)
    }

    private static func add(_ grant: FileAccess.Grant, to ruleset: Int32, _ known: LandlockRights) throws(SandboxError)
    {
        // O_PATH does not open the file: a FIFO does not block, and closing the descriptor drops no
        // SQLite lock. A path that can't be reached now is not allowed later.
        let file = unsafe sandbox_open_path(grant.path)
        guard file >= 0 else {
            if [EMFILE, ENFILE, ENOMEM].contains(errno) { throw .system(.rule, errno: errno) }
            return
        }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { throw .system(.rule, errno: errno) }
        let rights = grant.use.rights(to: status).intersection(known)
        // The kernel refuses an empty rule.
        guard !rights.isEmpty, sandbox_add_rule(ruleset, file, rights.rawValue) != 0 else { return }
        // A pipe or a socket behind a /proc link is in no mounted file system, and Landlock always
        // allows it.
        guard errno == EBADFD else { throw .system(.rule, errno: errno) }
    }
}
