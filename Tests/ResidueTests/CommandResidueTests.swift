import Curves
import KeyText
import SecureMemory
import Testing

/// Each command, watched: a secret stands in the guarded allocation that owns it, and nowhere else;
/// and at the end nowhere at all.
struct CommandResidueTests {
    @Test(arguments: Trial.commands + Trial.refusals) func leavesNothing(_ trial: Trial) throws {
        let bench = try Bench()
        let report = try trial.run(on: bench)
        #expect(report.status == trial.status && report.signal == trial.signal, "\(report.said)")
        #expect(report.said.contains(trial.says), "\(report.said)")
        // A search that never saw a secret where it belongs has looked at the wrong things.
        #expect(
            report.guarded > 0 || report.status != 0 || trial.arguments.first == "key", "no secret was seen in hand")
        #expect(report.stops > 0)
        #expect(report.lateStarts == 0, "a library started after a secret was read")
        let shown = report.residues.prefix(12).joined(separator: "\n")
        #expect(report.residues.isEmpty, "\(trial.name): \(report.residues.count) residues\n\(shown)")
        Residue.tell(
            "\(trial.name): \(report.stops) stops, \(report.bytes >> 20) MiB, \(report.pieces) pieces, \(report.guarded) sights in guarded memory"
        )
    }

    /// What the program draws for itself is known as well: the key that it made is among the random
    /// bytes that were seen.
    @Test func knowsWhatWasDrawn() throws {
        let bench = try Bench()
        let trial = Trial.by("create", ["create"])
        let report = try trial.run(on: bench)
        let names = try bench.randoms.map { bits in
            try PrivateKey(curve: .k1, scalar: SecureBytes(copyingPublic: bits)).publicKey.text
        }
        #expect(names.contains(String(decoding: report.output.dropLast(), as: UTF8.self)))
    }
}
