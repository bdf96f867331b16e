import Keys
import SecureMemory
import Testing

/// Watches each command: a secret may only be in the guarded allocation that owns it, and must be
/// gone at the end.
struct CommandResidueTests {
    @Test(arguments: Trial.chosen(from: Trial.commands + Trial.policies + Trial.refusals))
    func leavesNothing(_ trial: Trial) throws { try watch(trial) }

    @Test(arguments: Trial.chosen(from: Trial.seeds + Trial.wallets))
    func leavesNothingOfSeedsAndWallets(_ trial: Trial) throws { try watch(trial) }

    @Test(arguments: Trial.chosen(from: Trial.lastCalls))
    func hasWipedBeforeItsLastCall(_ trial: Trial) throws { try watch(trial) }

    /// The short form has the trials that it names: none was renamed.
    @Test func theShortFormIsComplete() {
        let all =
            Trial.commands + Trial.policies + Trial.refusals + Trial.seeds + Trial.wallets + Trial.lastCalls
        #expect(Set(all.map(\.name)).count == all.count)
        #expect(Trial.short.subtracting(all.map(\.name)).isEmpty)
    }

    private func watch(_ trial: Trial) throws {
        let fixture = try VaultFixture()
        let report = try trial.run(on: fixture)
        #expect(report.status == trial.status && report.signal == trial.signal, "\(report.messages)")
        #expect(report.messages.contains(trial.prints), "\(report.messages)")
        // A search that never found a secret in guarded memory has searched the wrong memory.
        #expect(
            report.guarded > 0 || report.status != 0 || trial.arguments.first == "key",
            "no secret was found in guarded memory")
        #expect(report.stops > 0)
        #expect(report.lateStarts == 0, "a library was initialised after a secret was read")
        let shown = report.residues.prefix(12).joined(separator: "\n")
        #expect(report.residues.isEmpty, "\(trial.name): \(report.residues.count) residues\n\(shown)")
        Residue.report(
            "\(trial.name): \(report.stops) stops, \(report.bytes >> 20) MiB, \(report.pieces) pieces, "
                + "\(report.guarded) hits in guarded memory"
        )
    }

    /// The random nonces of R1 signatures are searched for from the first output on.
    @Test func recordsRandomNonces() throws {
        let fixture = try VaultFixture()
        let sign = ["sign", "transfer.json", "--chain", "eos", "--key", "three", "--yes"]
        let report = try Trial.by("sign", sign).run(on: fixture)
        #expect(report.status == 0 && report.residues.isEmpty, "\(report.messages) \(report.residues)")
        #expect(fixture.nonceCount == 1)
    }

    /// Random keys of the program are also searched for: the key that it created is among the
    /// recorded random bytes.
    @Test func recordsRandomKeys() throws {
        let fixture = try VaultFixture()
        let trial = Trial.by("create", ["create"])
        let report = try trial.run(on: fixture)
        let names = try fixture.randoms.map { bits in
            try PrivateKey(curve: .k1, scalar: SecureBytes(copyingPublic: bits)).publicKey.text
        }
        #expect(names.contains(String(decoding: report.output.dropLast(), as: UTF8.self)))
    }
}
