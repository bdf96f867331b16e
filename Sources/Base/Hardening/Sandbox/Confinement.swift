import CSandbox
import Files
import Glibc

/// Drops the privileges of this process permanently, as far as the kernel supports it.
///
/// Call it while the process has one thread and before it reads any input: Landlock applies to the
/// calling thread and to the threads it starts later.
package enum Confinement {
    /// The task of the process, which determines the system calls that it needs.
    package enum Profile: CaseIterable, Sendable {
        /// Opens a vault, asks on a terminal, and signs.
        case signer
        /// Reads pictures and a camera, and starts a child for each picture.
        case scanner
        /// Finds codes in a picture that is in memory, and writes them to an open pipe.
        case decoder
        /// Opens a vault, asks on a terminal, and signs for the clients of a socket that listens
        /// already. It can start threads.
        case agent
        /// Sends requests over a socket that is connected already.
        case agentClient

        var filter: sandbox_profile {
            switch self {
            case .signer: SANDBOX_SIGNER
            case .scanner: SANDBOX_SCANNER
            case .decoder: SANDBOX_DECODER
            case .agent: SANDBOX_AGENT
            case .agentClient: SANDBOX_AGENT_CLIENT
            }
        }
    }

    /// Forbids new privileges, all files, sockets and descriptors that are not in `access`,
    /// starting programs, the network, and access to other processes.
    /// - Parameters:
    ///   - support: the features of the kernel. Restrictions that it lacks are skipped.
    ///   - connect: connects to a Unix socket of `access`, before the sandbox begins.
    /// - Throws: when the kernel refuses an operation that it offers.
    @discardableResult
    package static func begin(
        _ access: FileAccess, _ profile: Profile = .signer, support: SandboxSupport = .ofThisKernel(),
        connecting connect: OpenSockets.Connect = OpenSockets.refuse
    ) throws(SandboxError) -> OpenSockets {
        if let refusal = support.refusal { throw refusal }
        let sockets = access.prepare(connecting: connect)
        guard sandbox_forbid_new_privileges() == 0 else { throw .system(.privileges, errno: errno) }
        try narrow(to: access, support: support)
        try filter(profile, support)
        return sockets
    }

    /// Forbids all files, and the calls that a profile does not need, in a process that is confined
    /// already: the child of a scanner.
    package static func tighten(
        to profile: Profile, support: SandboxSupport = .ofThisKernel()
    ) throws(SandboxError) {
        try narrow(to: .none, support: support)
        try filter(profile, support)
    }

    private static func filter(_ profile: Profile, _ support: SandboxSupport) throws(SandboxError) {
        guard support.hasSeccomp else { return }
        guard sandbox_filter_calls(profile.filter) == 0 else { throw .system(.filter, errno: errno) }
    }

    /// From now on the process can open only files of `access` that were allowed before. Open files
    /// stay open.
    package static func narrow(to access: FileAccess, support: SandboxSupport = .ofThisKernel())
        throws(SandboxError)
    {
        guard let version = support.landlockVersion else { return }
        let known = LandlockRights.known(toVersion: version)
        let ruleset = sandbox_make_ruleset(
            known.rawValue, LandlockScope.network(ofVersion: version),
            LandlockScope.processes(ofVersion: version))
        guard ruleset >= 0 else { throw .system(.ruleset, errno: errno) }
        defer { close(ruleset) }
        for grant in access.grants { try add(grant, to: ruleset, known) }
        guard sandbox_enforce_ruleset(ruleset) == 0 else { throw .system(.enforcing, errno: errno) }
    }

    private static func add(_ grant: FileAccess.Grant, to ruleset: Int32, _ known: LandlockRights)
        throws(SandboxError)
    {
        // A path that can't be reached now is not allowed later.
        let file: OpenFile
        do { file = try OpenFile(inspecting: grant.path) } catch {
            if [EMFILE, ENFILE, ENOMEM].contains(error.number) { throw .system(.rule, errno: error.number) }
            return
        }
        let failure = file.withDescriptor { file -> Int32? in
            guard let status = try? file.status else { return errno }
            let rights = grant.use.rights(to: status).intersection(known)
            // The kernel refuses an empty rule.
            guard !rights.isEmpty else { return nil }
            return sandbox_add_rule(ruleset, file.number, rights.rawValue) == 0 ? nil : errno
        }
        // A pipe or a socket behind a /proc link is in no mounted file system, and Landlock always
        // allows it.
        if let failure, failure != EBADFD { throw .system(.rule, errno: failure) }
    }
}
