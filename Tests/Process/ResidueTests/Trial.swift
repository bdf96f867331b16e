import CResidue
import Glibc
import TestSupport
import Testing

/// A command that processes secrets, and its expected end.
struct Trial: Sendable, CustomTestStringConvertible {
    let name: String
    var arguments: [String]
    /// The exit status; nil where a signal ends the program.
    var status: Int32? = 0
    var signal: Int32 = 0
    /// Text on standard error or on the terminal which shows that the command reached the intended
    /// step.
    var prints = ""
    /// Changes the fixture and the watch before the run.
    var prepare: @Sendable (VaultFixture, inout Watch) throws -> Void = { _, _ in }

    var testDescription: String { name }

    /// A command that reads the PIN from a file.
    static func by(
        _ name: String, _ arguments: [String], status: Int32? = 0, prints: String = "",
        _ prepare: @escaping @Sendable (VaultFixture, inout Watch) throws -> Void = { _, _ in }
    ) -> Trial {
        Trial(
            name: name, arguments: arguments + ["--pin-file", "pin"], status: status, prints: prints,
            prepare: prepare)
    }

    /// A command whose secrets are all typed at the terminal.
    static func typed(
        _ name: String, _ arguments: [String], status: Int32? = 0, signal: Int32 = 0, prints: String = "",
        _ answers: @escaping @Sendable (VaultFixture) throws -> [Watch.Answer]
    ) -> Trial {
        Trial(name: name, arguments: arguments, status: status, signal: signal, prints: prints) {
            fixture, watch in
            watch.answers = try answers(fixture)
        }
    }

    /// Runs the command on a fixture.
    func run(on fixture: VaultFixture) throws -> Watch.Report {
        let needsVault = arguments.first != "key"
        var watch = Watch(arguments: arguments, folder: try fixture.path)
        if needsVault, !arguments.contains("--vault"), arguments.first != "rescue" {
            watch.arguments += ["--vault", "data/vault.db"]
        }
        watch.held = []
        watch.onRandom = { bytes, _ in try fixture.record(bytes) }
        watch.onOutput = fixture.recordOutput
        try prepare(fixture, &watch)
        return try watch.run(fixture.table)
    }
}
