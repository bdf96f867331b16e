import Glibc
import TestSupport
import Testing

/// A secret that is typed before its question, while the vault is opened with the PIN before it.
/// The wait after a failed unlock makes that time long enough to type in.
struct TypedAheadTests {
    private static let pin = "a passphrase of several words"
    private static let early = "5KhnWA9uNDqAB75aiJ9wMp3d83xcuunpUmjKNtkmnAMnkvBRW3J"

    private static let path = ".local/share/eosvault/vault.db"

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try Files.write(Array(Self.pin.utf8), to: folder.path + "/pin")
        let job = try start(
            ["init", "--pin-file", "pin", "--kdf-passes", "1", "--kdf-memory", "8KiB", "--insecure-kdf"])
        #expect(try job.next().event == .exited(0))
    }

    /// Starts the program with its messages on the terminal.
    private func start(_ arguments: [String]) throws -> Job {
        try Job(
            arguments, environment: ["HOME": folder.path, "LANG": "C.UTF-8"], directory: folder.path,
            shell: #"exec "$@" 2>/dev/tty"#)
    }

    /// Types the PIN, and waits until the program waits. The input must be hidden then.
    private func openVault(_ job: Job, by pin: String = Self.pin) throws {
        try job.type(pin + "\r")
        try job.expect("because of failed unlocks")
        #expect(try !job.echoes())
    }

    @Test(arguments: [
        (["import"], "private key: "), (["pin", "change"], "new PIN: "), (["slot", "add"], "new PIN: "),
    ])
    func isNotShownAndNotUsed(arguments: [String], question: String) throws {
        try folder.countFailedUnlocks(2)
        let job = try start(arguments)
        try job.expect("PIN: ")
        try openVault(job)
        try job.type(Self.early + "\r")
        try job.expect(question)
        #expect(try !job.echoes())
        #expect(!job.screen.contains(Self.early.prefix(8)) && !job.screen.contains("again"))
        // The question still waits for an answer.
        try job.type("\u{3}")
        #expect(try job.next() == Job.Report(event: .killed(SIGINT), echo: true, lines: true))
    }

    /// After a wrong PIN, the shell must not get the secret as its next line.
    @Test func isNotLeftForTheShell() throws {
        try folder.countFailedUnlocks(2)
        let job = try start(["import"])
        let input = try job.openInput()
        defer { close(input) }
        try job.expect("PIN: ")
        try openVault(job, by: "a wrong passphrase")
        try job.type(Self.early + "\r")
        // What was typed too early is not the next try either.
        try job.expect("wrong PIN; try again (2 tries left)")
        for _ in 1...2 {
            try job.expect("PIN: ")
            try job.type("abc\r")
        }
        #expect(try job.next() == Job.Report(event: .exited(77), echo: true, lines: true))
        #expect(try !job.hasInput(input))
    }

    /// Input is hidden also if no other secret is asked for.
    @Test(arguments: [
        ["create"], ["check"], ["list", "--verify"], ["pin", "change", "--new-pin-file", "pin"],
        ["restore", path, "--vault", "new.db"], ["rescue", path, "--output", "new.db"],
    ])
    func isHiddenAfterTheOnlySecret(arguments: [String]) throws {
        try folder.countFailedUnlocks(2)
        let job = try start(arguments)
        let input = try job.openInput()
        defer { close(input) }
        try job.expect("PIN: ")
        try openVault(job)
        try job.type(Self.early + "\r")
        let report = try job.next()
        #expect(report.echo && report.lines)
        // The vault has no key that can be rescued.
        #expect(report.event == .exited(arguments[0] == "rescue" ? 1 : 0))
        #expect(!job.screen.contains(Self.early.prefix(8)))
        #expect(try !job.hasInput(input))
    }

    // MARK: signals

    /// A signal ends the program during the wait, which would take 30 seconds, and the terminal is
    /// restored.
    @Test(arguments: [["import"], ["create"], ["rescue", path, "--output", "new.db"]])
    func aSignalEndsTheWait(arguments: [String]) throws {
        try folder.countFailedUnlocks(9)
        let job = try start(arguments)
        try job.expect("PIN: ")
        try openVault(job)
        let start = ContinuousClock.now
        try job.type("\u{3}")
        #expect(try job.next() == Job.Report(event: .killed(SIGINT), echo: true, lines: true))
        #expect(start.duration(to: .now) < .seconds(20))
    }

    /// A stop does not end the wait, and input is hidden again after it.
    @Test func aStopDoesNotEndTheWait() throws {
        try folder.countFailedUnlocks(3)
        let job = try start(["create"])
        try job.expect("PIN: ")
        try openVault(job)
        let start = ContinuousClock.now
        try job.type("\u{1a}")
        #expect(try job.next() == Job.Report(event: .stopped(SIGTSTP), echo: true, lines: true))
        job.foreground()
        #expect(try job.next().event == .continued)
        while try job.echoes() { usleep(10_000) }
        try job.type(Self.early + "\r")
        #expect(try job.next() == Job.Report(event: .exited(0), echo: true, lines: true))
        #expect(start.duration(to: .now) > .seconds(3))
        #expect(!job.screen.contains(Self.early.prefix(8)))
    }
}
