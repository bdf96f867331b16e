import CSQLite
import Glibc
import TestSupport
import Testing

/// A secret that is typed before its question, while the vault is opened with the PIN before it.
/// The wait after a failed unlock makes that time long enough to type in.
struct TypedAheadTests {
    private static let pin = "a passphrase of several words"
    private static let early = "5KhnWA9uNDqAB75aiJ9wMp3d83xcuunpUmjKNtkmnAMnkvBRW3J"

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

    /// Counts failed unlocks in the vault, in the future, so that the next attempt waits for two
    /// seconds, no matter how late it is.
    private func fail() throws {
        var database: OpaquePointer?
        let path = folder.path + "/.local/share/eosvault/vault.db"
        defer { sqlite3_close_v2(database) }
        try #require(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
        let now = time(nil)
        let sql = "INSERT OR REPLACE INTO failed_unlocks VALUES (1, 2, \(now), \(now + 3_600))"
        try #require(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
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
        try fail()
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
        try fail()
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
        var left = [UInt8](repeating: 0, count: 128)
        #expect(read(input, &left, left.count) == -1 && errno == EAGAIN)
    }

    /// A signal ends the program when the vault is open, and the terminal is restored.
    @Test func aSignalWaits() throws {
        try fail()
        let job = try start(["import"])
        try job.expect("PIN: ")
        try openVault(job)
        try job.type("\u{3}")
        #expect(try job.next() == Job.Report(event: .killed(SIGINT), echo: true, lines: true))
    }
}
