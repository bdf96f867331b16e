import Glibc
import TestSupport
import Testing

/// A crash with secrets in hand leaves no core: also when RLIMIT_CORE does not hold it back, as
/// where the system hands cores to a pipe.
struct CoreTests {
    static let signals = [SIGSEGV, SIGABRT, SIGBUS, SIGQUIT]

    @Test(arguments: signals, [false, true]) func isNotMade(_ signal: Int32, withoutLimit: Bool) throws {
        let bench = try Bench()
        var watch = Watch(
            arguments: [
                "sign", "transfer.json", "--chain", "eos", "--key", "one", "--yes", "--pin-file", "pin", "--vault",
                "data/vault.db",
            ], folder: try bench.path)
        (watch.signalAtOutput, watch.keepsCores) = (signal, withoutLimit)
        let before = Files.names(in: try bench.path)
        let report = try watch.run(bench.table)
        #expect(report.signal == signal)
        #expect(report.keptCores == (withoutLimit ? 1 : 0))
        #expect(!report.hasDumpedCore)
        #expect(try Set(Files.names(in: bench.path)).subtracting(before).isEmpty)
        #expect(report.residues == [])
    }

    /// The same crash of a program that does nothing against it. When the system makes no cores at
    /// all (an empty core_pattern), nothing can be said here.
    @Test func isMadeOfAnUnhardenedProgram() throws {
        let folder = try TemporaryFolder()
        let table = try SecretTable()
        let bytes = Bench.random(32)
        try table.add(.bytes("planted", bytes))
        var watch = Watch(
            path: BuiltProgram.debugFolder + "/residue-plant", arguments: ["guarded"], folder: folder.path, input: bytes
        )
        // Swift, which every program here is linked with, has a handler of its own.
        (watch.signalAtOutput, watch.environment) = (SIGSEGV, ["SWIFT_BACKTRACE": "enable=no"])
        let report = try watch.run(table)
        #expect(report.signal == SIGSEGV)
        #expect(report.hasDumpedCore)
    }
}
