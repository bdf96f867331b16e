import CFaults
import Glibc
import TestSupport
import Testing

@testable import KeyVault

/// Sends signals at each system call while the program writes a file with a secret. The file is
/// complete or absent, and no hidden file is left.
struct SignalTests {
    /// Signals that end the program, and signals that a terminal, a shutdown or another program
    /// sends. The program ignores SIGPIPE and SIGXFSZ.
    private static let signals: [Int32] = [
        SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGPOLL, SIGPWR,
        SIGXCPU,
        SIGSTKFLT, SIGABRT,
    ]

    private static let key = Workbench.text(of: 2)

    /// Calls that make a file, between two of which what is left is the same.
    private static let kinds: Set = Set(
        [
            FAULTS_SYSTEM_MODE, FAULTS_SYSTEM_WRITE, FAULTS_SYSTEM_FSYNC, FAULTS_SYSTEM_RENAME,
            FAULTS_SYSTEM_LINK,
            FAULTS_SYSTEM_UNLINK,
            FAULTS_SYSTEM_UNLINK_OLD,
        ].map(Int32.init))
    /// In the long form also those that open and close a file, and that hold signals back.
    private static let longKinds = kinds.union(
        [FAULTS_SYSTEM_OPEN, FAULTS_SYSTEM_CLOSE, FAULTS_SYSTEM_MASK].map(Int32.init))

    private static func calls(of run: Program.Run) -> [Program.Place] {
        let kinds = Torture.isLong ? longKinds : kinds
        return run.calls.indices.filter { kinds.contains(run.calls[$0]) }.map { run.place(ofCall: $0) }
    }

    /// - Parameter file: in the folder `out`.
    private func expect(
        _ signals: [Int32], making file: String, isSecret: Bool = true, by arguments: [String],
        in bench: Workbench,
        _ isConsistent: (_ folder: String) throws -> Bool
    ) throws {
        let out = bench.folder.path + "/out"
        mkdir(out, 0o700)
        try bench.save()
        let whole = try bench.run(arguments, death: .recorded(naming: out + "/" + file))
        #expect(whole.status == 0, "\(whole.error)")
        #expect(whole.naming == bench.program.lack.union(Lack(of: out)).naming(ofSecret: isSecret))
        var (complete, absent, missed) = (0, 0, 0)
        for (index, call) in Self.calls(of: whole).enumerated() {
            // In the short form, each call gets one of the signals in turn.
            for signal in Torture.isLong ? signals : [signals[index % signals.count]] {
                for name in Files.names(in: out) { unlink(out + "/" + name) }
                try bench.restore()
                let run = try bench.run(arguments, death: .bySignal(signal, before: call))
                #expect(
                    run.status == nil || !run.isReached,
                    "signal \(signal) at \(call) did not end the program: \(run.error)")
                if !run.isReached { missed += 1 }
                if Files.names(in: out).isEmpty { absent += 1 } else { complete += 1 }
                #expect(try isConsistent(out), "signal \(signal) at \(call): \(Files.names(in: out))")
            }
        }
        #expect(complete > 0 && absent > 0 && missed < (complete + absent) / 2)
        Torture.report(
            "signals, \(arguments[0]), \(bench.program.lack.testDescription): "
                + "\(complete) with a complete file, \(absent) with none"
        )
    }

    @Test(arguments: Lack.eachForSecrets)
    func whileAKeyIsExported(_ lack: Lack) throws {
        let bench = try Workbench(lacking: lack)
        try bench.make(keys: 1...2)
        let arguments = ["export", "key 2", "--pin-file", "old", "-o", "out/key"]
        try expect(Self.signals, making: "key", by: arguments, in: bench) { out in
            let names = Files.names(in: out)
            return try names.isEmpty
                || names == ["key"] && Files.read(out + "/key") == Array((Self.key + "\n").utf8)
        }
    }

    /// Key file and vault are made in one step: neither is left without the other, and both are
    /// complete.
    @Test(arguments: Lack.each)
    func whileAVaultWithAKeyFileIsMade(_ lack: Lack) throws {
        let bench = try Workbench(lacking: lack)
        let arguments = ["init", "--pin-file", "old", "--keyfile", "out/vault.key"] + Workbench.smallestCost
        try expect(Self.signals, making: "vault.key", by: arguments, in: bench) { out in
            let (names, vaults) = (Files.names(in: out), Files.names(in: bench.folder.path + "/data"))
            guard access(bench.vault, F_OK) == 0 else { return names.isEmpty && vaults.isEmpty }
            return try names == ["vault.key"] && Files.read(out + "/vault.key").count == KeyFile.count
                && vaults == ["vault.db"]
                && bench.run(["list"]).status == 0
        }
    }

    @Test(arguments: Lack.each)
    func whileASignatureIsWritten(_ lack: Lack) throws {
        let bench = try Workbench(lacking: lack)
        try bench.make(keys: 1...2)
        let arguments = Command.arguments(signingWith: "key 2", pin: "old") + ["-o", "out/signature"]
        try expect([SIGHUP, SIGINT, SIGTERM], making: "signature", isSecret: false, by: arguments, in: bench)
        { out in
            let names = Files.names(in: out)
            return try names.isEmpty
                || names == ["signature"]
                    && Files.read(out + "/signature").starts(with: Array("SIG_K1_".utf8))
        }
    }
}
