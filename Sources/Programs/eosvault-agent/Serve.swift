import App
import ArgumentParser
import Files
import Glibc
import Hardening
import KeyVault
import Keys
import Shell

/// Answers requests until it is stopped.
struct Serve: ConfinedCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Answer requests at a Unix socket until `stop`.")

    @OptionGroup var vault: VaultOptions

    @Option(help: ArgumentHelp("The socket (default: $XDG_RUNTIME_DIR/eosvault/agent.sock).", valueName: "path"))
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "Lock the vault this long after its last use: seconds, or a number with m or h (default: 15m).",
            valueName: "time"))
    var ttl: Duration = .usual

    @Option(help: ArgumentHelp("Who accepts requests: `terminal`, `policy`.", valueName: "who"))
    var confirm: Confirmation = .policy

    @OptionGroup var sandbox: SandboxOption

    var requiredAccess: FileAccess { vault.comparedAccess + .terminal }

    /// Made before the sandbox begins, and used after it.
    nonisolated(unsafe) private static var ends: Agent.Ends?

    func confine() throws {
        let listener = try Listener(path: socket ?? "", allowing: [])
        let ends = try Agent.Ends(
            listener: listener, results: Bell(), jobs: Bell(), watch: Bell(), questions: Bell())
        let access = ends.descriptors.reduce(requiredAccess) { $0 + .descriptor($1) }
        try sandbox.begin(access)
        unsafe Self.ends = ends
    }

    func run() throws {
        guard let ends = unsafe Self.ends else { return }
        BeforeSecrets.prepare()
        let vault = vault
        try Agent(ends, confirm, timeout: ttl.seconds, digestKeys: []).run { try vault.openLocked() }
    }
}

/// A time in options: `900`, `900s`, `15m`, `1h`.
struct Duration: ExpressibleByArgument {
    let seconds: Int64

    static let usual = Duration(seconds: 900)
    /// At most a day.
    private static let allowed: ClosedRange<Int64> = 1...86_400

    private init(seconds: Int64) { self.seconds = seconds }

    init?(argument: String) {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600]
        let unit = argument.last.flatMap { units[$0] }
        let digits = unit == nil ? argument[...] : argument.dropLast()
        guard (1...6).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int64(digits), Self.allowed.contains(number * (unit ?? 1))
        else { return nil }
        seconds = number * (unit ?? 1)
    }
}

extension Confirmation: ExpressibleByArgument {
    init?(argument: String) {
        switch argument {
        case "terminal": self = .terminal
        case "policy": self = .policy
        default: return nil
        }
    }
}
