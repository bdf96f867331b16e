import ArgumentParser
import KeyVault

/// What a guess of a new PIN is to cost.
struct KDFOptions: ParsableArguments {
    @Option(
        name: .customLong("kdf-passes"),
        help: ArgumentHelp(
            "Passes of Argon2id (default: what takes a second on this machine, 3 at least; a changed PIN keeps its own).",
            valueName: "number"))
    var passes: UInt32?

    @Option(
        name: .customLong("kdf-memory"),
        help: ArgumentHelp("Memory of Argon2id, in bytes, KiB, MiB or GiB (default: 256MiB).", valueName: "size"))
    var memory: MemorySize?

    @Flag(name: .customLong("insecure-kdf"), help: "Allow a derivation cheaper than 2 passes and 64 MiB, for tests.")
    var insecure = false

    /// The cost that the options name, what they leave out taken from `other`; nil when they name
    /// none.
    func given(completedBy other: KDFCost = .standard) throws -> KDFCost? {
        guard passes != nil || memory != nil else { return nil }
        return try KDFCost(passes: passes ?? other.passes, memory: memory?.bytes ?? other.memory, insecure: insecure)
    }

    /// The cost that was given, or else `present`, or else one calibrated on this machine; and what
    /// a guess takes here.
    func measured(orElse present: KDFCost? = nil) throws -> KDFCost.Measured {
        if let cost = try given(completedBy: present ?? .standard) ?? present {
            return try Progress.during("measuring the key derivation") { try cost.measured() }
        }
        return try Progress.during("calibrating the key derivation") { try KDFCost.calibrated() }
    }
}
