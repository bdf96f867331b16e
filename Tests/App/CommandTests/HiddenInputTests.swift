import CChild
import Glibc
import TestSupport
import Testing

/// Signals during a question for a secret.
struct HiddenInputTests {
    private static let pin = "a passphrase of several words"

    /// Every signal that ends a process by default and can be held back. This includes the signals
    /// of a fault, if another process sends them.
    private static let ending: [Int32] =
        [
            SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGUSR1, SIGSEGV, SIGUSR2,
            SIGALRM,
            SIGTERM, SIGSTKFLT,
            SIGXCPU, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSYS,
        ] + [__libc_current_sigrtmin(), __libc_current_sigrtmax()]

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func start(_ arguments: [String] = [], flags: Int = 0, shell: String? = nil) throws -> Job {
        // With --keyfile, the program offers no key file, and the PIN is the first question.
        try Job(
            ["init", "--keyfile", "vault.key", "--kdf-passes", "1", "--kdf-memory", "8KiB", "--insecure-kdf"]
                + arguments,
            environment: ["HOME": folder.path, "LANG": "C.UTF-8"], directory: folder.path, flags: flags,
            shell: shell)
    }

    /// Types the new PIN twice.
    private func typePIN(_ job: Job) throws {
        try job.expect("new PIN: ")
        try job.type(Self.pin + "\r")
        try job.expect("new PIN again: ")
        try job.type(Self.pin + "\r")
    }

    /// Waits for the first question, then answers all questions.
    private func answer(_ job: Job) throws {
        try job.expect("new PIN: ")
        #expect(try !job.echoes())
        try answerAsked(job)
    }

    /// Answers all questions. The first one is already shown.
    /// - Parameter isRaw: whether the terminal was in raw mode before, and must be afterwards.
    private func answerAsked(_ job: Job, isRaw: Bool = false) throws {
        // The Return key sends a carriage return, which ends a line if the terminal edits lines.
        try job.type(Self.pin + "\r")
        try job.expect("new PIN again: ")
        #expect(try !job.echoes())
        try job.type(Self.pin + "\r")
        try job.expect("when the PIN is lost? [y/N] ")
        #expect(try job.echoes())
        try job.type("\r")
        #expect(try job.next() == Job.Report(event: .exited(0), echo: !isRaw, lines: !isRaw))
        #expect(!job.screen.contains("passphrase"))
    }

    // MARK: - raw mode

    /// Return sends a carriage return, at hidden prompts and at `[y/N]`, and the terminal is in raw
    /// mode again afterwards.
    @Test func rawTerminalTakesReturn() throws {
        let job = try start(flags: JOB_RAW)
        try job.expect("new PIN: ")
        try answerAsked(job, isRaw: true)
    }

    /// The answer to a question that is not secret is echoed.
    @Test func rawTerminalTakesAnswer() throws {
        let job = try start(flags: JOB_RAW)
        try typePIN(job)
        try job.expect("when the PIN is lost? [y/N] ")
        // Backspace deletes a character.
        try job.type("n\u{7f}y\r")
        try job.expect("n\u{8} \u{8}y")
        try job.expect("24. ")
    }

    @Test(arguments: [("\u{3}", SIGINT), ("\u{1c}", SIGQUIT)])
    func rawTerminalTakesControlKeys(key: String, signal: Int32) throws {
        let job = try start(flags: JOB_RAW)
        try job.expect("new PIN: ")
        try job.type("a passphrase" + key)
        #expect(try job.next() == Job.Report(event: .killed(signal), echo: false, lines: false))
        #expect(!job.screen.contains("passphrase"))
    }

    @Test(arguments: [0, JOB_RAW])
    func controlCAtConfirmation(flags: Int) throws {
        let job = try start(flags: flags)
        try typePIN(job)
        try job.expect("when the PIN is lost? [y/N] ")
        try job.type("y\u{3}")
        #expect(try job.next() == Job.Report(event: .killed(SIGINT), echo: flags == 0, lines: flags == 0))
        #expect(access(folder.path + "/.local/share/eosvault/vault.db", F_OK) != 0)
    }

    /// Also in raw mode, each output line starts in the first column.
    @Test func rawTerminalShowsLines() throws {
        let job = try start(["--recovery"], flags: JOB_RAW)
        try typePIN(job)
        try job.expect("24. ")
        #expect(!job.screen.replacing("\r\n", with: "").contains("\n"))
    }

    // MARK: - signals

    @Test(arguments: ending)
    func endsBySignal(signal: Int32) throws {
        let job = try start()
        try job.expect("new PIN: ")
        #expect(try !job.echoes())
        try job.type(Self.pin + "\r")
        try job.expect("new PIN again: ")
        job.send(signal)
        #expect(try job.next() == Job.Report(event: .killed(signal), echo: true, lines: true))
        #expect(!job.screen.contains("passphrase"))
    }

    /// The terminal turns the key into a signal after it accepted the earlier input.
    @Test(arguments: [("\u{3}", SIGINT), ("\u{1c}", SIGQUIT)])
    func endsByKey(key: String, signal: Int32) throws {
        let job = try start()
        try job.expect("new PIN: ")
        try job.type("a passphrase" + key)
        #expect(try job.next() == Job.Report(event: .killed(signal), echo: true, lines: true))
        #expect(!job.screen.contains("passphrase"))
    }

    @Test(arguments: [0, JOB_PASSIVE, JOB_OWN_MODES])
    func asksAgainAfterControlZ(flags: Int) throws {
        let job = try start(flags: flags)
        try job.expect("new PIN: ")
        try job.type("a passphrase\u{1a}")
        #expect(try job.next() == Job.Report(event: .stopped(SIGTSTP), echo: true, lines: true))
        job.foreground()
        #expect(try job.next().event == .continued)
        try answer(job)
    }

    /// Input from before the stop is not kept: both questions are asked again.
    @Test func asksBothAgainAfterControlZ() throws {
        let job = try start()
        try job.expect("new PIN: ")
        try job.type("another passphrase of words\r")
        try job.expect("new PIN again: ")
        try job.type("another\u{1a}")
        #expect(try job.next() == Job.Report(event: .stopped(SIGTSTP), echo: true, lines: true))
        job.foreground()
        #expect(try job.next().event == .continued)
        try answer(job)
    }

    /// A signal that the parent process holds back stays pending, and does not repeat the question.
    @Test(arguments: [SIGTERM, SIGINT, SIGTSTP, SIGUSR1])
    func heldBackSignalWaits(signal: Int32) throws {
        let job = try start(flags: JOB_HOLDING)
        try job.expect("new PIN: ")
        job.send(signal)
        try answerAsked(job)
        #expect(
            job.screen.split(separator: "new PIN: ", omittingEmptySubsequences: false).count == 2,
            "asked once")
    }

    /// Another program at the same terminal switches echo on during the question.
    @Test func staysHidden() throws {
        let job = try start()
        try job.expect("new PIN: ")
        try job.putEchoBack()
        let start = ContinuousClock.now
        while try job.echoes(), start.duration(to: .now) < .seconds(Int(SafetyLimit.seconds)) {
            usleep(1_000)
        }
        #expect(try !job.echoes())
        try answerAsked(job)
    }

    /// SIGSTOP can't be held back. The program's modes stay while it is stopped; when it continues,
    /// the shell's modes may be set.
    @Test(arguments: [0, JOB_PASSIVE, JOB_OWN_MODES])
    func asksAgainAfterStop(flags: Int) throws {
        let job = try start(flags: flags)
        try job.expect("new PIN: ")
        job.send(SIGSTOP)
        #expect(try job.next() == Job.Report(event: .stopped(SIGSTOP), echo: false, lines: true))
        job.foreground()
        #expect(try job.next().event == .continued)
        try answer(job)
    }

    /// A program that is continued in the background stops at once, and does not change the shell's
    /// modes.
    @Test func waitsForTheForeground() throws {
        let job = try start()
        try job.expect("new PIN: ")
        job.send(SIGSTOP)
        #expect(try job.next().event == .stopped(SIGSTOP))
        job.background()
        // The shell may look only after the program has stopped again.
        var report = try job.next()
        if report.event == .continued { report = try job.next() }
        #expect(report == Job.Report(event: .stopped(SIGTTOU), echo: false, lines: false))
        job.foreground()
        #expect(try job.next().event == .continued)
        try answer(job)
    }

    /// A signal also ends the program in the background, and the shell's modes stay.
    @Test func endsInTheBackground() throws {
        let job = try start()
        try job.expect("new PIN: ")
        job.send(SIGSTOP)
        #expect(try job.next().event == .stopped(SIGSTOP))
        job.send(SIGTERM)
        job.background()
        var report = try job.next()
        if report.event == .continued { report = try job.next() }
        #expect(report == Job.Report(event: .killed(SIGTERM), echo: false, lines: false))
    }

    /// Started with `&` while the shell edits its line, then brought to the foreground: the Return
    /// key ends a line.
    @Test func startsInTheBackground() throws {
        let job = try start(flags: JOB_BACKGROUND)
        #expect(try job.next() == Job.Report(event: .stopped(SIGTTOU), echo: false, lines: false))
        #expect(job.screen.isEmpty)
        job.foreground()
        #expect(try job.next().event == .continued)
        try answer(job)
        #expect(
            job.screen.split(separator: "new PIN: ", omittingEmptySubsequences: false).count == 2,
            "asked once")
    }

    /// `kill %1` for a program that waits for the foreground: the signal, then SIGCONT.
    @Test func endsBeforeTheForeground() throws {
        let job = try start(flags: JOB_BACKGROUND)
        #expect(try job.next().event == .stopped(SIGTTOU))
        job.send(SIGTERM)
        job.background()
        var report = try job.next()
        if report.event == .continued { report = try job.next() }
        #expect(report == Job.Report(event: .killed(SIGTERM), echo: false, lines: false))
        #expect(job.screen.isEmpty)
    }

    /// A signal that is ignored (`nohup`) does not repeat the question.
    @Test func ignoredSignalIsIgnored() throws {
        let job = try start(flags: JOB_NOHUP)
        try job.expect("new PIN: ")
        job.send(SIGHUP)
        try answerAsked(job)
        #expect(
            job.screen.split(separator: "new PIN: ", omittingEmptySubsequences: false).count == 2,
            "asked once")
    }

    /// The recovery phrase does not stay on the screen of a program that was stopped or ended.
    @Test(arguments: [SIGTERM, SIGTSTP])
    func shownSecretIsCleared(signal: Int32) throws {
        let job = try start(["--recovery"])
        try typePIN(job)
        try job.expect("24. ")
        job.send(signal)
        let event: Job.Event = signal == SIGTERM ? .killed(SIGTERM) : .stopped(SIGTSTP)
        #expect(try job.next() == Job.Report(event: event, echo: true, lines: true))
        #expect(job.screen.hasSuffix("\u{1b}[H\u{1b}[J\u{1b}[3J\u{1b}[?1049l"))
    }
}
