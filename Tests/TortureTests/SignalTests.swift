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
        SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGPOLL, SIGPWR, SIGXCPU,
        SIGSTKFLT, SIGABRT,
    ]

    private static let key = Workbench.text(of: 2)

    /// The calls around each link call, which gives a file its name, starting before the file is
    /// opened. This includes the test of what the folder supports.
    private static func calls(of run: Program.Run) -> [Program.Place] {
        let named = run.calls.indices.filter { run.calls[$0] == Int32(FAULTS_SYSTEM_LINK) }
        let near = Set(named.flatMap { ($0 - 10)...($0 + 7) }).intersection(run.calls.indices)
        return near.sorted().filter { !KillTests.ofMemory.contains(run.calls[$0]) }.map { run.place(ofCall: $0) }
    }

    private func expect(
        _ signals: [Int32], during arguments: [String], in bench: Workbench,
        _ isConsistent: (_ folder: String) throws -> Bool
    ) throws {
        let out = bench.folder.path + "/out"
        mkdir(out, 0o700)
        try bench.save()
        let whole = try bench.run(arguments, death: .recorded)
        #expect(whole.status == 0, "\(whole.error)")
        var (complete, absent) = (0, 0)
        for (index, call) in Self.calls(of: whole).enumerated() {
            // In the short form, each call gets one of the signals in turn.
            for signal in Torture.isLong ? signals : [signals[index % signals.count]] {
                for name in Files.names(in: out) { unlink(out + "/" + name) }
                try bench.restore()
                let run = try bench.run(arguments, death: .bySignal(signal, before: call))
                #expect(run.status == nil, "signal \(signal) at \(call) did not end the program: \(run.error)")
                if Files.names(in: out).isEmpty { absent += 1 } else { complete += 1 }
                #expect(try isConsistent(out), "signal \(signal) at \(call): \(Files.names(in: out))")
            }
        }
        #expect(complete > 0 && absent > 0)
        Torture.report("signals, \(arguments[0]): \(complete) with a complete file, \(absent) with none")
    }

    @Test func whileAKeyIsExported() throws {
        let bench = try Workbench()
        try bench.make(keys: 1...2)
        try expect(Self.signals, during: ["export", "key 2", "--pin-file", "old", "-o", "out/key"], in: bench) { out in
            let names = Files.names(in: out)
            return try names.isEmpty || names == ["key"] && Files.read(out + "/key") == Array((Self.key + "\n").utf8)
        }
    }

    /// The key file and the vault are created in one step: neither exists without the other.
    @Test func whileAVaultWithAKeyFileIsMade() throws {
        let bench = try Workbench()
        let arguments = ["init", "--pin-file", "old", "--keyfile", "out/vault.key"] + Workbench.smallestCost
        try expect(Self.signals, during: arguments, in: bench) { out in
            let isMade = access(bench.vault, F_OK) == 0
            defer { unlink(bench.vault) }
            let names = Files.names(in: out)
            guard isMade else { return names.isEmpty }
            return try names == ["vault.key"] && Files.read(out + "/vault.key").count == KeyFile.count
        }
    }

    @Test func whileASignatureIsWritten() throws {
        let bench = try Workbench()
        try bench.make(keys: 1...2)
        let arguments = Command.arguments(signingWith: "key 2", pin: "old") + ["-o", "out/signature"]
        try expect([SIGHUP, SIGINT, SIGTERM], during: arguments, in: bench) { out in
            let names = Files.names(in: out)
            return try names.isEmpty
                || names == ["signature"] && Files.read(out + "/signature").starts(with: Array("SIG_K1_".utf8))
        }
    }
}
