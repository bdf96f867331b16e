import ArgumentParser
import Hardening
import Synchronization

/// A command that declares its file access, so that the sandbox enforces it before the command
/// runs.
package protocol ConfinedCommand: ParsableCommand {
    var sandbox: SandboxOption { get }

    /// The file access that the parsed arguments need; none by default.
    var requiredAccess: FileAccess { get }

    /// Reads the properties of the machine, which the sandbox hides later. It must not read any
    /// input: an attacker could have written it.
    func inspectMachine()

    /// Starts the sandbox.
    func confine() throws
}

extension ConfinedCommand {
    package var requiredAccess: FileAccess { .none }
    package func inspectMachine() {}
    package func confine() throws { try sandbox.begin(requiredAccess) }
}

/// The sandbox, which starts before a command reads anything and denies all access that the command
/// did not declare.
package struct SandboxOption: ParsableArguments {
    package init() {}

    package init(isOff: Bool) { self.isOff = isOff }

    @Flag(name: .customLong("no-sandbox"), help: "Run without the sandbox, only for debugging.")
    package var isOff = false

    /// Starts the sandbox, which allows only `access`.
    /// - Parameter connect: connects to a Unix socket of `access`, before the sandbox begins.
    @discardableResult
    package func begin(
        _ access: FileAccess, _ profile: Confinement.Profile = .signer,
        connecting connect: OpenSockets.Connect = OpenSockets.refuse
    ) throws -> OpenSockets {
        guard !isOff else {
            Messages.warning(Words.noSandbox)
            return access.prepare(connecting: connect)
        }
        let sockets = try Confinement.begin(access, profile, connecting: connect)
        Self.isBegun.store(true, ordering: .relaxed)
        return sockets
    }

    private static let isBegun = Atomic(false)

    /// Warns if the kernel lacks a feature that the sandbox needs.
    package static func warnIfLacking() {
        let support = SandboxSupport.ofThisKernel()
        if isBegun.load(ordering: .relaxed), !support.isWhole { Messages.warning(Words.weakSandbox(support)) }
    }

    /// Reduces the access to `access`, when the command no longer needs the rest.
    package func narrow(to access: FileAccess) throws {
        if !isOff { try Confinement.narrow(to: access) }
    }
}
