import CSQLite
import Glibc
import KeyVault
import SecureMemory
import Shell
import TestSupport
import Testing

@testable import App

/// `sign --unlock-first` at a terminal: the PIN before the review.
struct UnlockFirstTests {
    private static let pin = "a passphrase of several words"
    private static let question = "Sign this 1 action for Vaulta (EOS)? [y/N] "
    private static let cheap = ["--kdf-passes", "1", "--kdf-memory", "8KiB", "--insecure-kdf"]
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try Files.write(Array(Self.pin.utf8), to: folder.path + "/pin")
        for arguments in [["init"] + Self.cheap, ["create"]] {
            try #require(start(arguments + ["--pin-file", "pin"]).next().event == .exited(0))
        }
        let transaction =
            #"{"expiration":"2100-01-01T00:00:00","ref_block_num":1,"ref_block_prefix":1,"actions":["#
            + #"{"account":"eosio.token","name":"transfer","authorization":[{"actor":"alice","permission":"active"}],"#
            + #""data":{"from":"alice","to":"bob","quantity":"1.0000 EOS","memo":""}}]}"# + "\n"
        try Files.write(Array(transaction.utf8), to: folder.path + "/transfer.json")
    }

    private var vault: String { folder.path + "/.local/share/eosvault/vault.db" }

    private func start(_ arguments: [String], shell: String? = nil) throws -> Job {
        try Job(
            arguments, environment: ["HOME": folder.path, "LANG": "C.UTF-8", "TERM": "xterm"],
            directory: folder.path,
            shell: shell)
    }

    private func sign(_ more: [String] = []) throws -> Job {
        try start(
            ["sign", "transfer.json", "--chain", "eos", "--unlock-first"] + more,
            shell: "exec \"$@\" > out 2> /dev/tty")
    }

    private func change(_ sql: String) throws {
        var database: OpaquePointer?
        defer { sqlite3_close_v2(database) }
        try #require(sqlite3_open_v2(vault, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
        try #require(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
    }

    private var isSigned: Bool {
        get throws {
            String(decoding: try ScriptRunner.contents(of: folder.path + "/out"), as: UTF8.self).contains(
                "SIG_K1_")
        }
    }

    @Test func asksForThePINBeforeTheReview() throws {
        let job = try sign()
        try job.expect("PIN: ")
        #expect(!job.screen.contains("SUMMARY"))
        try job.type("a passphrase of several wolds\r")
        try job.expect("wrong PIN; try again (2 tries left)")
        try job.expect("PIN: ")
        try job.type(Self.pin + "\r")
        try job.expect("SUMMARY")
        try job.expect(Self.question)
        try job.type("y\r")
        #expect(try job.next().event == .exited(0))
        #expect(!job.screen.contains("locked again"))
        #expect(try isSigned)
    }

    /// At the question, the vault is unlocked and the review is shown: only the signature is
    /// missing. The key derivation takes 8 KiB here. The program needs 13 MiB; of a file that was
    /// just written, the kernel may map more.
    @Test func needsLittleMemory() throws {
        let job = try sign()
        try job.expect("PIN: ")
        try job.type(Self.pin + "\r")
        try job.expect(Self.question)
        #expect(try job.peakMemory <= 16 << 10)
        try job.type("n\r")
        #expect(try job.next().event == .exited(2))
    }

    /// The key derivation starts without the code that was used before. Without this, the peak
    /// would have all of it in addition to the memory of the derivation.
    @Test func derivationStartsWithLittleMemory() throws {
        let derivation = 64 << 10
        for arguments in [
            ["init", "--kdf-passes", "1", "--kdf-memory", "64MiB", "--insecure-kdf"], ["create"],
        ] {
            let job = try start(arguments + ["--pin-file", "pin", "--vault", "large.db"])
            try #require(job.next().event == .exited(0))
        }
        let job = try sign(["--vault", "large.db"])
        try job.expect("PIN: ")
        let before = try job.peakMemory
        try job.type(Self.pin + "\r")
        try job.expect(Self.question)
        let peak = try job.peakMemory
        #expect(peak > derivation)
        #expect(peak - derivation < before * 3 / 4)
        try job.type("n\r")
        #expect(try job.next().event == .exited(2))
    }

    /// No transaction is open while the person reads: another process changes the vault. The
    /// signature is made with the changed vault.
    @Test func theVaultIsFreeWhileThePersonReads() throws {
        let job = try sign()
        try job.expect("PIN: ")
        try job.type(Self.pin + "\r")
        try job.expect(Self.question)
        let slot = [
            "slot", "add", "--pin-file", "pin", "--new-keyfile", "second.key", "--new-pin-file", "pin",
        ]
        #expect(try start(slot + Self.cheap).next().event == .exited(0))
        try job.type("y\r")
        #expect(try job.next().event == .exited(0))
        #expect(try isSigned)
    }

    /// The vault is verified again when it signs.
    @Test func aChangeWhileThePersonReadsIsFound() throws {
        let job = try sign()
        try job.expect("PIN: ")
        try job.type(Self.pin + "\r")
        try job.expect(Self.question)
        try change("UPDATE slots SET body = x'00'; UPDATE slot_copies SET body = x'00'")
        try job.type("y\r")
        #expect(try job.next().event == .exited(1))
        #expect(try !isSigned)
    }

    /// An older copy that replaces the vault is found too.
    @Test func anOlderVaultIsFound() throws {
        let older = try ScriptRunner.contents(of: vault)
        #expect(try start(["create", "--label", "b", "--pin-file", "pin"]).next().event == .exited(0))
        let key = try start(["list"], shell: "exec \"$@\" > list")
        #expect(try key.next().event == .exited(0))
        let list = String(decoding: try ScriptRunner.contents(of: folder.path + "/list"), as: UTF8.self)
        let first = String(try #require(list.split(separator: " ").first))
        let job = try sign(["--key", first])
        try job.expect("PIN: ")
        try job.type(Self.pin + "\r")
        try job.expect(Self.question)
        let file = open(vault, O_WRONLY | O_TRUNC | O_CLOEXEC)
        #expect(write(file, older, older.count) == older.count)
        close(file)
        try job.type("y\r")
        #expect(try job.next().event == .exited(1))
        #expect(try !isSigned)
    }

    /// A stopped program can't lock the vault when the time is over, so it locks it before.
    @Test func aStopLocksTheVault() throws {
        let job = try sign()
        try job.expect("PIN: ")
        try job.type(Self.pin + "\r")
        try job.expect(Self.question)
        job.send(SIGTSTP)
        #expect(try job.next().event == .stopped(SIGTSTP))
        job.foreground()
        #expect(try job.next().event == .continued)
        try job.expect(Self.question)
        try job.type("y\r")
        try job.expect("note: the vault was locked again, after 5 minutes or a stop")
        try job.expect("PIN: ")
        try job.type(Self.pin + "\r")
        #expect(try job.next().event == .exited(0))
        #expect(try isSigned)
    }

    /// A stop before the question appears waits until the vault is locked. The wait after a failed
    /// unlock makes the time long enough to type in.
    @Test func aStopBeforeTheQuestionLocksTheVault() throws {
        let now = time(nil)
        try change("INSERT OR REPLACE INTO failed_unlocks VALUES (1, 2, \(now), \(now + 3_600))")
        let job = try sign()
        try job.expect("PIN: ")
        try job.type(Self.pin + "\r")
        try job.expect("because of failed unlocks")
        try job.type("\u{1a}")
        // The wait before the question finds the stop, and the question is asked after it.
        #expect(try job.next().event == .stopped(SIGTSTP))
        job.foreground()
        #expect(try job.next().event == .continued)
        try job.expect(Self.question)
        try job.type("y\r")
        try job.expect("note: the vault was locked again")
        try job.expect("PIN: ")
        try job.type(Self.pin + "\r")
        #expect(try job.next().event == .exited(0))
        #expect(try isSigned)
    }

    /// The same for the review of many lines.
    @Test func linesAskForThePINFirst() throws {
        let job = try start(
            ["sign", "--lines", "transfer.json", "--chain", "eos", "--unlock-first"],
            shell: "exec \"$@\" > out 2> /dev/tty")
        try job.expect("PIN: ")
        #expect(!job.screen.contains("SUMMARY"))
        try job.type(Self.pin + "\r")
        try job.expect("[y/N] ")
        try job.type("y\r")
        #expect(try job.next().event == .exited(0))
        #expect(try isSigned)
    }

    // MARK: - the time

    private func unlocked() throws -> UnlockedVault {
        try Vault.open(vault).unlock(PIN(SecureBytes(copyingPublic: Array(Self.pin.utf8))))
    }

    /// The time starts before the key derivation.
    @Test func theTimeOfTheKeyDerivationCounts() throws {
        var now = 0.0
        let held = try QuestionVault(clock: { now }) {
            now = 300
            return try unlocked()
        }
        #expect(held.take() == nil ? true : false)
    }

    @Test(arguments: [TerminalPrompt.Event.input, .nothing]) func theTimeIsCheckedForEachKey(
        event: TerminalPrompt.Event
    ) throws {
        var now = 0.0
        let held = try QuestionVault(clock: { now }, unlocking: unlocked)
        now = 300
        held.lockIfNeeded(event)
        now = 0
        #expect(held.take() == nil ? true : false)
    }

    @Test(arguments: [(0, true), (299.9, true), (300, false), (1e9, false)])
    func theVaultIsLockedAfterFiveMinutes(seconds: Double, isHeld: Bool) throws {
        var now = 1_000.0
        let held = try QuestionVault(clock: { now }, unlocking: unlocked)
        now += seconds
        held.lockIfNeeded(.nothing)
        now = 1_000
        switch held.take() {
        case nil: #expect(!isHeld)
        case .some(let vault):
            #expect(isHeld)
            #expect(try vault.entries().count == 1)
        }
    }

    @Test func aLateAnswerFindsALockedVault() throws {
        var now = 0.0
        let held = try QuestionVault(clock: { now }, unlocking: unlocked)
        now = 300
        #expect(held.take() == nil ? true : false)
    }

    @Test func itIsTakenOnce() throws {
        let held = try QuestionVault(unlocking: unlocked)
        #expect(held.take() == nil ? false : true)
        #expect(held.take() == nil ? true : false)
    }
}
