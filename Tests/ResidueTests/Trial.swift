import CResidue
import Glibc
import TestSupport
import Testing

/// A command that has secrets in hand, and how it is to end.
struct Trial: Sendable, CustomTestStringConvertible {
    let name: String
    var arguments: [String]
    /// The exit status; nil where a signal ends it.
    var status: Int32? = 0
    var signal: Int32 = 0
    /// Text on standard error or on the terminal that shows that it got as far as it was to get.
    var says = ""
    /// What is changed before it runs, and of how it runs.
    var prepare: @Sendable (Bench, inout Watch) throws -> Void = { _, _ in }

    var testDescription: String { name }

    /// With the PIN from a file.
    static func by(
        _ name: String, _ arguments: [String], status: Int32? = 0, says: String = "",
        _ prepare: @escaping @Sendable (Bench, inout Watch) throws -> Void = { _, _ in }
    ) -> Trial {
        Trial(name: name, arguments: arguments + ["--pin-file", "pin"], status: status, says: says, prepare: prepare)
    }

    /// Everything is typed.
    static func typed(
        _ name: String, _ arguments: [String], status: Int32? = 0, signal: Int32 = 0, says: String = "",
        _ answers: @escaping @Sendable (Bench) throws -> [Watch.Answer]
    ) -> Trial {
        Trial(name: name, arguments: arguments, status: status, signal: signal, says: says) { bench, watch in
            watch.answers = try answers(bench)
        }
    }

    /// Runs it on a bench.
    func run(on bench: Bench) throws -> Watch.Report {
        let needsVault = arguments.first != "key"
        var watch = Watch(arguments: arguments, folder: try bench.path)
        if needsVault, !arguments.contains("--vault"), arguments.first != "rescue" {
            watch.arguments += ["--vault", "data/vault.db"]
        }
        watch.held = []
        watch.onRandom = { bytes, _ in try bench.learn(bytes) }
        try prepare(bench, &watch)
        return try watch.run(bench.table)
    }
}
