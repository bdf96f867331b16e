import Codecs
import Glibc
import SecureMemory

extension KDFCost {
    /// A cost, and the seconds of processor time that one guess takes on this machine.
    package struct Measured: Equatable, Sendable {
        package let cost: KDFCost
        package let secondsPerGuess: Double
    }

    /// The default's memory with the number of passes that comes closest to `seconds` without
    /// exceeding it. Never fewer passes than the default has, and never more than a vault may
    /// request.
    /// - Parameter measure: returns the seconds that a cost takes; called once, with the default.
    /// - Throws: `kdfCost` on a machine with less memory than the default needs, `notEnoughMemory`,
    ///   `memory`.
    package static func calibrated(
        towards seconds: Double = 1, measure: (KDFCost) throws(VaultError) -> Double = secondsPerGuess
    ) throws(VaultError) -> Measured {
        let least = try KDFCost(passes: standard.passes, memory: standard.memory)
        // Each pass takes the same time, except the first, which also allocates the memory. So the
        // result has rather too few passes than too many.
        let secondsPerPass = try measure(least) / Double(least.passes)
        let wanted = secondsPerPass > 0 ? seconds / secondsPerPass : Double(most.passes)
        let passes = UInt32(min(max(wanted, Double(least.passes)), Double(most.passes)))
        return Measured(
            cost: try KDFCost(passes: passes, memory: least.memory),
            secondsPerGuess: secondsPerPass * Double(passes))
    }

    /// Runs the derivation once and measures it.
    package func measured() throws(VaultError) -> Measured {
        Measured(cost: self, secondsPerGuess: try Self.secondsPerGuess(self))
    }

    /// The processor time of one guess. The time of other programs does not count.
    package static func secondsPerGuess(_ cost: KDFCost) throws(VaultError) -> Double {
        try Sodium.start()
        let password = try converting(VaultError.memory, SecureBytes(count: PIN.allowedLengths.lowerBound))
        let start = processorTime
        _ = try Sodium.argon2id(password, salt: [UInt8](repeating: 0, count: Sodium.saltCount), cost: cost)
        return processorTime - start
    }

    private static var processorTime: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
