import ArgumentParser
import KeyVault
import Shell

/// The KDF cost of a new PIN.
struct KDFOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Argon2id passes (default: as many as take about one second here, at least 3; "
                + "`pin change` keeps the number).",
            valueName: "number"))
    var kdfPasses: UInt32?

    @Option(
        help: ArgumentHelp("Argon2id memory, in bytes, KiB, MiB or GiB (default: 256MiB).", valueName: "size")
    )
    var kdfMemory: MemorySize?

    @Flag(
        name: .customLong("insecure-kdf"),
        help: "Allow fewer than 2 passes or less than 64 MiB. Only for tests.")
    var insecure = false

    /// The cost from the options. A missing option is taken from `other`; nil if both are missing.
    func given(completedBy other: KDFCost = .standard) throws -> KDFCost? {
        guard kdfPasses != nil || kdfMemory != nil else { return nil }
        return try parsing {
            try KDFCost(
                passes: kdfPasses ?? other.passes, memory: kdfMemory?.bytes ?? other.memory,
                insecure: insecure)
        }
    }

    /// The cost from the options, else `present`, else a cost calibrated on this machine; with the
    /// measured time of one derivation.
    func measured(orElse present: KDFCost? = nil) throws -> KDFCost.Measured {
        if let cost = try given(completedBy: present ?? .standard) ?? present {
            return try Self.measure(cost)
        }
        return try Progress.during("calibrating the key derivation") { try KDFCost.calibrated() }
    }

    static func measure(_ cost: KDFCost) throws -> KDFCost.Measured {
        try Progress.during("measuring the key derivation") { try cost.measured() }
    }
}

extension SlotSecret {
    /// Derives the key of a new slot, and shows progress.
    static func deriving(
        _ method: borrowing UnlockMethod, _ cost: KDFCost, registers: [Int] = []
    ) throws -> SlotSecret {
        try Progress.during("deriving the slot's key") {
            try SlotSecret(of: method, cost: cost, registers: registers)
        }
    }
}
