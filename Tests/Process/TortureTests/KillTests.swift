import CFaults
import Glibc
import TestSupport
import Testing

@testable import KeyVault

/// Kills the program at each of its system calls in turn, and at random times.
struct KillTests {
    static let commands: [Command] = [
        .importing(9), .signing(2), .changingPIN, .removing(3), .rekeying, .signingRequest,
    ]

    @Test(arguments: commands)
    func atEverySystemCall(_ command: Command) throws {
        let bench = try Workbench()
        try bench.make(keys: 1...3)
        try bench.addCredential()
        try bench.save()
        let before = try bench.readState()
        let arguments = command.arguments(pin: "old")
        try bench.restore()
        let whole = try bench.run(arguments, death: .recorded())
        #expect(whole.status == 0 && command.isAcknowledged(by: whole), "\(whole.error)")
        let after = try bench.readState()
        #expect(try after == command.applied(to: before))

        var (kills, acknowledged, journals) = (0, 0, 0)
        // In the short form, each command has every fourth call, and the commands take turns.
        let turn = Self.commands.firstIndex(of: command) ?? 0
        for call in Self.calls(of: whole, every: 4, from: turn) {
            try bench.restore()
            let run = try bench.run(arguments, death: .before(call))
            kills += run.status == nil ? 1 : 0
            acknowledged += command.isAcknowledged(by: run) ? 1 : 0
            journals += bench.hasJournal ? 1 : 0
            let list = try bench.run(["list"])
            #expect(list.status == 0, "killed at \(call): \(list.error)")
            let (isConsistent, state) = try bench.isConsistent(command, run, before: before)
            #expect(
                isConsistent,
                "killed at \(call), acknowledged: \(command.isAcknowledged(by: run)), the state is \(state)")
        }
        #expect(kills > 0 && journals > 0)
        Torture.report(
            "kills at each system call, \(command.name): \(kills), "
                + "\(acknowledged) after the acknowledgement, \(journals) left a journal"
        )
    }

    /// Calls that change only memory: killing the program before one of them has the same result as
    /// before the next other call.
    static let ofMemory: Set = Set(
        [
            FAULTS_SYSTEM_MMAP, FAULTS_SYSTEM_MUNMAP, FAULTS_SYSTEM_MPROTECT, FAULTS_SYSTEM_MADVISE,
            FAULTS_SYSTEM_MLOCK,
            FAULTS_SYSTEM_MUNLOCK, FAULTS_SYSTEM_BRK,
        ].map(Int32.init))

    /// Calls that change a file or a folder, or write output. Between two of them, the state on the
    /// disk is the same.
    static let ofFiles: Set = Set(
        [
            FAULTS_SYSTEM_PWRITE, FAULTS_SYSTEM_WRITE, FAULTS_SYSTEM_FSYNC, FAULTS_SYSTEM_FDATASYNC,
            FAULTS_SYSTEM_RENAME,
            FAULTS_SYSTEM_RENAME_OLD, FAULTS_SYSTEM_LINK, FAULTS_SYSTEM_UNLINK, FAULTS_SYSTEM_UNLINK_OLD,
            FAULTS_SYSTEM_TRUNCATE,
            FAULTS_SYSTEM_MODE, FAULTS_SYSTEM_EXIT,
        ].map(Int32.init))

    /// In the long form: all calls except memory calls. In the short form: every `step`-th of the
    /// file calls, and the last four, which are around the acknowledgement.
    static func calls(of run: Program.Run, every step: Int, from start: Int = 0) -> [Program.Place] {
        let kinds = run.calls.indices.filter { index in
            Torture.isLong ? !ofMemory.contains(run.calls[index]) : ofFiles.contains(run.calls[index])
        }
        let chosen = kinds.enumerated().filter { offset, _ in
            Torture.isLong || offset % step == start % step || offset + 4 >= kinds.count
        }
        return chosen.map { run.place(ofCall: $0.element) }
    }

    /// A new vault is complete or absent, and is synced to the disk before the program reports it.
    /// A vault that is written in place may be incomplete. Then the program has not reported it and
    /// refuses to open it.
    @Test(arguments: Lack.each)
    func whileAVaultIsMade(_ lack: Lack) throws {
        let bench = try Workbench(lacking: lack)
        let arguments = ["init", "--pin-file", "old"] + Workbench.smallestCost
        let whole = try bench.run(arguments, death: .recorded(naming: bench.vault))
        #expect(whole.status == 0 && Self.isMadeAcknowledged(by: whole), "\(whole.error)")
        let (named, naming) = (try #require(whole.named), try #require(whole.naming))
        #expect(naming == lack.union(Lack(of: bench.folder.path)).naming(ofSecret: false))
        let sync = Int32(FAULTS_SYSTEM_FSYNC)
        #expect(naming == .inPlace || whole.calls[..<named].contains(sync))
        #expect(whole.calls[named...].contains(sync))
        var (kills, made, incomplete) = (0, 0, 0)
        for call in Self.calls(of: whole, every: 2) {
            for name in Files.names(in: bench.folder.path + "/data") {
                unlink(bench.folder.path + "/data/" + name)
            }
            let run = try bench.run(arguments, death: .before(call))
            kills += run.status == nil ? 1 : 0
            let isAcknowledged = run.status == 0 || Self.isMadeAcknowledged(by: run)
            if !Files.names(in: bench.folder.path + "/data").contains("vault.db") {
                #expect(!isAcknowledged, "killed at \(call)")
                // A second attempt succeeds.
                try bench.done(arguments)
            } else if naming == .inPlace, !isAcknowledged, try bench.run(["list"]).status == 1 {
                incomplete += 1
            } else {
                made += 1
                #expect(try bench.readState() == Workbench.State(), "killed at \(call)")
            }
        }
        #expect(kills > 0 && made > 0 && (incomplete > 0) == (naming == .inPlace))
        Torture.report(
            "kills at each system call, init, \(lack.testDescription): \(kills), \(made) of them with a vault made, "
                + "\(incomplete) with an incomplete one"
        )
    }

    private static func isMadeAcknowledged(by run: Program.Run) -> Bool {
        run.error.split(separator: "\n").contains { $0.hasPrefix("made the vault ") }
    }

    /// A backup is complete or absent, and the vault records it only if it exists. A backup that is
    /// written in place may be incomplete.
    @Test(arguments: Lack.each)
    func whileABackupIsMade(_ lack: Lack) throws {
        let bench = try Workbench(lacking: lack)
        try bench.make(keys: 1...3)
        try bench.save()
        let before = try bench.readState()
        let backup = bench.folder.path + "/backup.db"
        let arguments = ["backup", "backup.db", "--pin-file", "old"]
        let whole = try bench.run(arguments, death: .recorded(naming: backup))
        #expect(whole.status == 0, "\(whole.error)")
        let naming = try #require(whole.naming)
        #expect(naming == lack.union(Lack(of: bench.folder.path)).naming(ofSecret: false))
        var (kills, made, incomplete, recorded) = (0, 0, 0, 0)
        for call in Self.calls(of: whole, every: 2) {
            try bench.restore()
            unlink(backup)
            let run = try bench.run(arguments, death: .before(call))
            kills += run.status == nil ? 1 : 0
            var after = before
            after.records += 1
            let found = try bench.readState()
            #expect(found == before || found == after, "killed at \(call)")
            recorded += found == after ? 1 : 0
            let isMade = access(backup, F_OK) == 0
            #expect(isMade || found == before, "killed at \(call)")
            guard isMade else { continue }
            if naming == .inPlace, found == before, run.status == nil,
                (try? TrialVault.snapshot(at: backup)) == nil
            {
                incomplete += 1
                continue
            }
            made += 1
            let copy = try TrialVault.snapshot(at: backup)
            #expect(
                Set(copy.entries.map(\.name.text)) == before.names && copy.events.count == before.records,
                "killed at \(call)")
        }
        #expect(kills > made && made > recorded && recorded > 0 && (incomplete > 0) == (naming == .inPlace))
        Torture.report(
            "kills at each system call, backup, \(lack.testDescription): \(kills), \(made) with a backup made, "
                + "\(recorded) of them recorded, \(incomplete) with an incomplete one"
        )
    }

    @Test func atAnyTime() throws {
        let bench = try Workbench()
        try bench.make(keys: 1...3)
        let state = try Self.killAtRandomTimes(bench, "random times", seed: 11) { state, dice in
            try Self.next(state, &dice)
        }
        let list = try bench.done(["list"])
        #expect(list.split(separator: "\n").count == state.names.count)
    }

    /// A nonce is stored before it is printed: it is never printed again.
    @Test func atAnyTimeOfARequest() throws {
        let bench = try Workbench()
        try bench.make(keys: 1...1)
        try bench.addCredential()
        let state = try Self.killAtRandomTimes(bench, "random times, nonces", seed: 12) { _, _ in
            .signingRequest
        }
        #expect(try #require(state.lastNonce) > Workbench.firstNonce)
    }

    /// Kills commands, and compares the vault's state with the expected one after each.
    private static func killAtRandomTimes(
        _ bench: Workbench, _ name: String, seed: UInt64,
        next: (Workbench.State, inout SplitMix) throws -> Command
    ) throws -> Workbench.State {
        var state = try bench.readState()
        var dice = SplitMix(seed: seed)
        // The duration of each command in microseconds, so that kills are spread over all of it.
        var lengths: [String: Int] = [:]
        var kills: [String: Int] = [:]
        var (acknowledged, journals, wholes) = (0, 0, 0)
        let wanted = Torture.pick(short: 20, long: 2_000, variable: "KILLS")
        while kills.values.reduce(0, +) < wanted {
            let command = try next(state, &dice)
            let length = lengths[command.name] ?? 0
            let time = length == 0 ? 30_000_000 : Int.random(in: 0...length, using: &dice)
            let start = ContinuousClock.now
            let run = try bench.run(
                command.arguments(pin: state.pin), death: length == 0 ? .never : .after(time))
            if length == 0 { lengths[command.name] = Int(start.duration(to: .now) / .microseconds(1)) }
            if run.status == nil { kills[command.name, default: 0] += 1 } else { wholes += 1 }
            acknowledged += run.status == nil && command.isAcknowledged(by: run) ? 1 : 0
            journals += bench.hasJournal ? 1 : 0
            let (isConsistent, found) = try bench.isConsistent(command, run, before: state)
            #expect(isConsistent, "\(command) killed after \(time) µs: \(state) became \(found)")
            state = found
        }
        let each = kills.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        Torture.report(
            "kills at \(name): \(kills.values.reduce(0, +)) (\(each)), \(acknowledged) after the acknowledgement"
        )
        Torture.report("kills at \(name): \(journals) left a journal, \(wholes) runs ended first")
        return state
    }

    private static func next(_ state: Workbench.State, _ dice: inout SplitMix) throws -> Command {
        let numbers = try (UInt8(1)...200).filter { try state.names.contains(Workbench.name(of: $0)) }
        let kind = Int.random(in: 0..<5, using: &dice)
        // Keeps between 1 and 40 keys.
        guard let number = numbers.randomElement(using: &dice), kind > 0 || numbers.count >= 40 else {
            return try .importing(
                (UInt8(1)...200).first { try !state.names.contains(Workbench.name(of: $0)) } ?? 1)
        }
        switch kind {
        case 1: return .changingPIN
        case 2 where numbers.count > 1: return .removing(number)
        case 3: return .rekeying
        default: return .signing(number)
        }
    }
}
