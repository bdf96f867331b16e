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
}

extension ConfinedCommand {
    package var requiredAccess: FileAccess { .none }
    package func inspectMachine() {}
}

/// The sandbox, which starts before a command reads anything and denies all access that the command
/// did not declare.
package struct SandboxOption: ParsableArguments {
    package init() {}

    @Flag(name: .customLong("no-sandbox"), help: "Run without the sandbox, only for debugging.")
    package var isOff = false

    /// Starts the sandbox, which allows only `access`.
    package func begin(_ access: FileAccess) throws {
        guard !isOff else {
            access.prepare()
            return Messages.warning(Words.noSandbox)
        }
        try Confinement.begin(access)
        Self.isBegun.store(true, ordering: .relaxed)
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
