import Glibc
import TestSupport
import Testing

/// A crash with secrets in memory leaves no core dump, also when RLIMIT_CORE has no effect because
/// the system pipes core dumps to a program.
struct CoreTests {
    static let signals = [SIGSEGV, SIGABRT, SIGBUS, SIGQUIT]

    @Test(arguments: signals, [false, true]) func isNotWritten(_ signal: Int32, withoutLimit: Bool) throws {
        let fixture = try VaultFixture()
        var watch = Watch(
            arguments: [
                "sign", "transfer.json", "--chain", "eos", "--key", "one", "--yes", "--pin-file", "pin",
                "--vault",
                "data/vault.db",
            ], folder: try fixture.path)
        (watch.signalAtOutput, watch.keepsCores) = (signal, withoutLimit)
        let before = Files.names(in: try fixture.path)
        let report = try watch.run(fixture.table)
        #expect(report.signal == signal)
        #expect(report.keptCores == (withoutLimit ? 1 : 0))
        #expect(!report.hasDumpedCore)
        #expect(try Set(Files.names(in: fixture.path)).subtracting(before).isEmpty)
        #expect(report.residues == [])
    }

    /// Checks the method: a program without protection dumps its core at the same crash. If the
    /// system writes no core dumps (an empty core_pattern), this test proves nothing.
    @Test func isWrittenForAnUnhardenedProgram() throws {
        let folder = try TemporaryFolder()
        let table = try SecretTable()
        let bytes = VaultFixture.random(32)
        try table.add(.bytes("planted", bytes))
        var watch = Watch(
            path: BuiltProgram.debugFolder + "/residue-plant", arguments: ["guarded"], folder: folder.path,
            input: bytes
        )
        // Swift, which every program here is linked with, installs a signal handler.
        (watch.signalAtOutput, watch.environment) = (SIGSEGV, ["SWIFT_BACKTRACE": "enable=no"])
        let report = try watch.run(table)
        #expect(report.signal == SIGSEGV)
        #expect(report.hasDumpedCore)
    }
}
