import ArgumentParser
import Sandbox
import Synchronization

/// A command that says what it touches, so that it can be kept to that before it runs.
protocol ConfinedCommand: ParsableCommand {
    var sandbox: SandboxOption { get }

    /// The files, by what was parsed.
    var touches: FileAccess { get }

    /// Looks at what can't be seen any more from within the sandbox: the machine, and nothing that
    /// anybody could have sent here.
    func lookAround()
}

extension ConfinedCommand {
    func lookAround() {}
}

/// What a command gives up before it reads anything: whatever it does not touch.
struct SandboxOption: ParsableArguments {
    @Flag(name: .customLong("no-sandbox"), help: "Run without the sandbox, for debugging alone.")
    var isOff = false

    /// Nothing but `access` from here on.
    func begin(_ access: FileAccess) throws {
        guard !isOff else { return Messages.warning(Words.noSandbox) }
        try Confinement.begin(access)
        Self.isBegun.store(true, ordering: .relaxed)
    }

    private static let isBegun = Atomic(false)

    /// Says that this process is not confined as it should be, because the kernel lacks what that
    /// takes.
    static func warnIfLacking() {
        let support = SandboxSupport.ofThisKernel()
        if isBegun.load(ordering: .relaxed), !support.isWhole { Messages.warning(Words.weakSandbox(support)) }
    }

    /// Less than before: what was needed to get here is behind.
    func narrow(to access: FileAccess) throws {
        if !isOff { try Confinement.narrow(to: access) }
    }
}
