import Synchronization
import TestSupport
import Testing

@testable import KeyVault

/// Eight processes sign requests with one credential. Each nonce is greater than all nonces that
/// were printed before its process started, and none is printed twice.
struct NonceCrowdTests {
    /// The first nonce is below the clock, so that nonces follow the clock, or above it, so that
    /// each is the last one plus one.
    @Test(arguments: [1, Workbench.firstNonce])
    func usesNoNonceTwice(_ first: UInt64) throws {
        let bench = try Workbench()
        try bench.make(keys: 1...1)
        try bench.addCredential(firstNonce: first)
        let lines = Array(repeating: #"{"method": "GET", "url": "\#(Workbench.url)"}"#, count: 3)
        try Files.write(Array(lines.joined(separator: "\n").utf8), to: bench.folder.path + "/lines")
        let program = bench.program
        let tally = Mutex(Tally())
        let seconds = Torture.pick(short: 0, long: 60, variable: "SECONDS")
        let start = ContinuousClock.now
        onThreads(8) { worker in
            var number = 0
            // In the short form, each worker signs twice.
            while Torture.isLong ? start.duration(to: .now) < .seconds(seconds) : number < 2 {
                number += 1
                let arguments = [
                    "credential", "sign", Workbench.credential, "--pin-file", "old", "--vault",
                    "data/vault.db",
                ]
                let isBatch = (worker + number) % 2 == 0
                let greatest = tally.withLock { $0.greatest }
                do {
                    let run = try program.run(
                        path: Program.path,
                        arguments + (isBatch ? ["--lines"] : ["--method", "GET", "--url", Workbench.url]),
                        input: isBatch ? .file(program.folder + "/lines") : .bytes([]),
                        death: .after(SafetyLimit.microseconds))
                    tally.withLock { $0.add(run, after: greatest, expected: isBatch ? 3 : 1) }
                } catch { tally.withLock { $0.failures.append("\(error)") } }
            }
        }
        let result = tally.withLock { $0 }
        #expect(result.failures == [])
        #expect(result.nonces.count >= (Torture.isLong ? 100 : 16))

        let snapshot = try TrialVault.snapshot(at: bench.vault)
        let last = try #require(snapshot.entries.compactMap(\.lastNonce).first)
        #expect(last == result.greatest)
        #expect(
            snapshot.events.count { if case .requestSigned = $0 { true } else { false } }
                == result.nonces.count)
        // Nonces that do not follow the clock are consecutive.
        if first > 1 { #expect(result.nonces == Set(first..<(first + UInt64(result.nonces.count)))) }
        Torture.report(
            "nonces: 8 processes, \(seconds) s: \(result.nonces.count) nonces, "
                + "\(first == 1 ? "by the clock" : "by ones"), "
                + "\(result.busy) runs or lines refused because another process used the vault")
    }

    private struct Tally {
        var nonces: Set<UInt64> = []
        var greatest: UInt64 = 0
        /// Documented refusals: another process held the vault too long.
        var busy = 0
        /// Unexpected results.
        var failures: [String] = []

        /// - Parameters:
        ///   - greatest: the greatest nonce that was printed before the process started.
        ///   - expected: the number of nonces of a run without a refusal.
        mutating func add(_ run: Program.Run, after greatest: UInt64, expected: Int) {
            var last = greatest
            for nonce in run.nonces {
                if nonce <= last { failures.append("\(nonce) was printed after \(last)") }
                if !nonces.insert(nonce).inserted { failures.append("\(nonce) was printed twice") }
                last = nonce
            }
            self.greatest = max(self.greatest, last)
            let missing = expected - run.nonces.count
            let refused = (run.output + run.error).matches(of: /another process is using the vault/).count
            busy += refused
            if run.status == 0 ? missing != 0 : refused == 0 || run.status == nil {
                failures.append("\(run.status.map(String.init) ?? "killed"): \(run.output)\(run.error)")
            }
        }
    }
}
