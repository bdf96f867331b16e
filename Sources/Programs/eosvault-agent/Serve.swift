import App
import ArgumentParser
import Codecs
import Files
import Glibc
import Hardening
import KeyVault
import Keys
import Shell

/// Answers requests until it is stopped.
struct Serve: ConfinedCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Answer requests at a Unix socket until `stop`.",
        discussion: """
            The agent serves the wallet API of keosd for cleos, and the other commands of eosvault-agent. It starts \
            locked. `eosvault-agent unlock` or `cleos wallet unlock` unlocks the vault, which is its only wallet, \
            `default`. It is locked again after --ttl, by `lock`, by SIGUSR1, and when another program changes its \
            keys or replaces its file.

              eosvault-agent --confirm policy
              cleos --wallet-url unix:///run/user/1000/eosvault/agent.sock wallet unlock

            --confirm decides who accepts a request. With `terminal`, the review and the question are at the \
            terminal of the agent. With `policy`, the agent signs what the policies of the keys allow, and nothing \
            else. A program gets the review as JSON on its standard input: it accepts with status 0 and the \
            transaction id on its standard output, and for each danger a line with its subject.
            """)

    @OptionGroup var vault: VaultOptions
    @OptionGroup var socket: SocketOption

    @Option(
        help: ArgumentHelp(
            "Lock the vault this long after its last use: seconds, or a number with m or h.",
            valueName: "time"))
    var ttl: Duration = .usual

    @Option(
        help: ArgumentHelp(
            "Who accepts requests: `terminal`, `policy`, or the absolute path of a program (default: `terminal` in "
                + "the foreground of one, else `policy`).", valueName: "who"))
    var confirm: String?

    @Option(help: ArgumentHelp("How long a program of --confirm may take (default: 25s).", valueName: "time"))
    var confirmTimeout: Duration?

    @Option(
        name: .customLong("allow-digest"),
        help: ArgumentHelp(
            "Let `sign_digest` sign with this key, which must be in no permission of an account: a digest shows "
                + "nothing of what it signs. Repeat the option for several keys.", valueName: "public key"))
    var allowedDigests: [DigestKey] = []

    @Option(
        defaultAsFlag: DeviceName.firstTPM, parsing: .next,
        help: ArgumentHelp(
            "Open the vault with a PIN and this TPM: a path, or fd:N for an open descriptor.",
            valueName: "device"))
    var tpm: DeviceName?

    @Option(
        help: ArgumentHelp(
            "Sign also with keys in PKCS#11 tokens, whose PIN is in this file. It is read at each unlock. "
                + "A login that a token refused is not repeated until the agent is started again.",
            valueName: "path"))
    var tokenPinFile: InputFile?
    @OptionGroup var modules: ModuleOptions

    @OptionGroup var sandbox: SandboxOption

    func validate() throws {
        try tpm?.validate("--tpm")
        if !modules.module.isEmpty, tokenPinFile == nil {
            throw ValidationError("--module needs --token-pin-file")
        }
        if tokenPinFile?.isStandardInput == true {
            throw ValidationError("--token-pin-file is read at each unlock, so it is a file")
        }
        let isProgram = confirm.map { !["terminal", "policy"].contains($0) } ?? false
        if confirmTimeout != nil, !isProgram {
            throw ValidationError("--confirm-timeout needs a program as --confirm")
        }
        if let confirmTimeout, !ConsentProgram.timeouts.contains(Int(confirmTimeout.seconds)) {
            throw ValidationError("--confirm-timeout is from 1 second to 10 minutes")
        }
    }

    var requiredAccess: FileAccess {
        vault.comparedAccess + (tokenPinFile?.fileAccess ?? .none) + TokenHelper.access
            + (tpm?.fileAccess ?? .none)
    }

    /// Made before the sandbox begins, and used after it.
    nonisolated(unsafe) private static var started: (ends: Agent.Ends, confirmation: Confirmation)?

    func confine() throws {
        // Both fork, so they are first.
        let confirmation = try confirmation()
        if tokenPinFile != nil { TokenHelper.offer(modules.module) }
        let ends = try Agent.Ends(
            socket: socket.open(), allowed: socket.allowed, notify: Notify(to: Environment["NOTIFY_SOCKET"]),
            results: Bell(), jobs: Bell(), watch: Bell(), questions: Bell())
        do { try sandbox.begin(requiredAccess + ends.access + confirmation.access, .agent) } catch {
            ends.socket.remove()
            throw error
        }
        unsafe Self.started = (ends, confirmation)
    }

    private func confirmation() throws -> Confirmation {
        switch confirm {
        case "terminal":
            guard Self.hasTerminal(where: { _ in true }) else { throw AgentError.noTerminal }
            return .terminal
        case "policy": return .policy
        case nil: return Self.hasTerminal { tcgetpgrp($0.number) == getpgrp() } ? .terminal : .policy
        case let path?:
            return .program(
                try ConsentProgram(path),
                timeout: confirmTimeout.map { Double($0.seconds) } ?? ConsentProgram.defaultTimeout)
        }
    }

    /// True if the process has a terminal with this property. It is closed again: the sandbox
    /// closes all descriptors when it begins.
    private static func hasTerminal(where isUsable: (FileDescriptor) -> Bool) -> Bool {
        (try? OpenFile("/dev/tty").withDescriptor { isUsable($0) }) ?? false
    }

    func run() throws {
        guard let (ends, confirmation) = unsafe Self.started else { return }
        defer { ends.socket.remove() }
        BeforeSecrets.prepare()
        let vault = vault
        let keys = Set(allowedDigests.map(\.key))
        // Only the thread of the vault uses it.
        nonisolated(unsafe) let tokens = try tokenPinFile.map { file in
            let program = try modules.connect()
            let refusals = TokenKeys.Refusals()
            return { custody in
                TokenKeys(
                    program, .given { try TokenPINOptions.read(file) }, in: custody, after: refusals,
                    notify: Messages.report)
            }
        }
        try Agent(ends, confirmation, timeout: ttl.seconds, digestKeys: keys).run(
            tpm: tpm, tokens: unsafe tokens
        ) {
            let opened = try vault.openLocked()
            // Only the requests that try a PIN wait.
            opened.vault.clock = .withoutWaits
            return opened
        }
    }
}

extension Confirmation {
    /// What questions need in the sandbox.
    fileprivate var access: FileAccess {
        switch self {
        case .policy: .none
        case .terminal: .terminal
        case .program(let program, _): program.access
        }
    }
}

/// A time in options: `900`, `900s`, `15m`, `1h`.
struct Duration: ExpressibleByArgument {
    let seconds: Int64

    static let usual = Duration(seconds: 900)

    /// For the help.
    var defaultValueDescription: String { "\(seconds / 60)m" }

    /// At most a day.
    private static let allowed: ClosedRange<Int64> = 1...86_400

    private init(seconds: Int64) { self.seconds = seconds }

    init?(argument: String) {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600]
        let unit = argument.last.flatMap { units[$0] }
        let digits = unit == nil ? argument[...] : argument.dropLast()
        guard (1...6).contains(digits.utf8.count), digits.allSatisfy({ ("0"..."9").contains($0) }),
            let number = Int64(digits), Self.allowed.contains(number * (unit ?? 1))
        else { return nil }
        seconds = number * (unit ?? 1)
    }
}

/// A public key in options.
struct DigestKey: ExpressibleByArgument {
    let key: PublicKey

    init?(argument: String) {
        guard let key = try? PublicKey(argument) else { return nil }
        self.key = key
    }
}
