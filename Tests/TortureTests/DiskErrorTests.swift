import CFaults
import Glibc
import TestSupport
import Testing

@testable import KeyVault

/// A disk that fails at each call of a change in turn: the error says what is wrong, and the vault
/// is as before.
struct DiskErrorTests {
    /// One call in so many is tried.
    private let stride = Torture.pick(short: 13, long: 1)

    struct Fault: CustomTestStringConvertible {
        let testDescription: String
        /// Of the calls that fail.
        let kinds: Int
        /// How many calls fail, one after the other.
        let times: Int
        let errno: Int32
    }

    static let faults = [
        Fault(testDescription: "one call fails", kinds: FAULTS_CALL_ALL, times: 1, errno: EIO),
        Fault(testDescription: "every call fails from one on", kinds: FAULTS_CALL_ALL, times: .max, errno: EIO),
        Fault(testDescription: "the disk is full at one write", kinds: FAULTS_CALL_WRITE, times: 1, errno: ENOSPC),
        Fault(
            testDescription: "the disk is full from one write on", kinds: FAULTS_CALL_WRITE, times: .max, errno: ENOSPC),
    ]

    @Test(arguments: faults, Deed.allCases)
    func leavesTheVaultAsItWas(_ fault: Fault, _ deed: Deed) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/vault.db"
        try TrialVault.make(at: path)
        let contents = ["vault.db": try Files.read(path)]
        let before = try TrialVault.look(at: path)
        try deed.perform(at: path)
        let after = try TrialVault.look(at: path)

        var injected = 0
        var calls = 0
        // A set of buckets has no order, so the number of calls differs a little from one time to
        // the next.
        var misses = 0
        while misses * stride < 10 {
            try Files.fill(folder.path, with: contents)
            let disk = try Disk(folder: folder.path)
            disk.fail(fault.kinds, after: calls, times: fault.times, with: fault.errno)
            var error: VaultError?
            do { try deed.perform(at: path) } catch let thrown as VaultError { error = thrown }
            let failedCount = disk.failedCount
            disk.heal()
            let sight = try TrialVault.look(at: path)
            // What could not be done was not needed, or is said to be uncertain: then the change
            // was made.
            let isMade = error == nil || error == .commitUncertain
            #expect(
                (sight == after) == isMade && (sight == before) == !isMade,
                "call \(calls): \(String(describing: error))")
            if let error { #expect(Self.allowed(fault).contains(error), "call \(calls)") }
            calls += stride
            misses = failedCount > 0 ? 0 : misses + 1
            injected += failedCount > 0 ? 1 : 0
        }
        #expect(injected > 0)
        Torture.report("disk errors, \(deed.rawValue), \(fault.testDescription): \(injected) injected, one a run")
    }

    /// A clear error: that the disk is full, or which system call failed and how.
    private static func allowed(_ fault: Fault) -> [VaultError] {
        guard fault.errno != ENOSPC else { return [.diskFull] }
        let operations: [SystemOperation] = [.open, .inspect, .read, .write, .sync]
        return operations.map { .system($0, errno: fault.errno) } + [.commitUncertain]
    }
}
