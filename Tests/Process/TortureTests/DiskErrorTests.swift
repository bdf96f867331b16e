import CFaults
import Files
import Glibc
import TestSupport
import Testing

@testable import KeyVault

/// The disk fails at each call of a change in turn. The error states what failed, and the vault is
/// unchanged.
struct DiskErrorTests {
    /// Every `stride`-th call is tested.
    private let stride = Torture.pick(short: 29, long: 1)

    struct Fault: CustomTestStringConvertible {
        let testDescription: String
        /// The kinds of calls that fail.
        let kinds: Int
        /// The number of consecutive calls that fail.
        let times: Int
        let errno: Int32
    }

    static let faults = [
        Fault(testDescription: "one call fails", kinds: FAULTS_CALL_ALL, times: 1, errno: EIO),
        Fault(
            testDescription: "every call fails from one call on", kinds: FAULTS_CALL_ALL, times: .max,
            errno: EIO),
        Fault(
            testDescription: "the disk is full at one write", kinds: FAULTS_CALL_WRITE, times: 1,
            errno: ENOSPC),
        Fault(
            testDescription: "the disk is full from one write on", kinds: FAULTS_CALL_WRITE, times: .max,
            errno: ENOSPC),
    ]

    @Test(arguments: faults, VaultOperation.allCases)
    func leavesTheVaultAsItWas(_ fault: Fault, _ operation: VaultOperation) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/vault.db"
        try TrialVault.make(at: path)
        let contents = ["vault.db": try Files.read(path)]
        let before = try TrialVault.snapshot(at: path)
        try operation.perform(at: path)
        let after = try TrialVault.snapshot(at: path)

        var injected = 0
        var calls = 0
        // A set of buckets has no order, so the number of calls differs slightly between runs.
        var misses = 0
        while misses * stride < 10 {
            try Files.fill(folder.path, with: contents)
            let disk = try Disk(folder: folder.path)
            disk.fail(fault.kinds, after: calls, times: fault.times, with: fault.errno)
            var error: VaultError?
            do { try operation.perform(at: path) } catch let thrown as VaultError { error = thrown }
            let failedCount = disk.failedCount
            disk.heal()
            let snapshot = try TrialVault.snapshot(at: path)
            // Without an error, the failed call was not needed. With commitUncertain, the change
            // was made. In both cases the vault contains the change.
            let isMade = error == nil || error == .machine(.commitUncertain)
            // A kept journal is synced after the change is complete. If the file can't be read then
            // either, nothing shows whether it was.
            let isUnknown =
                operation == .signingAgain && fault.times == .max
                && error == .machine(.system(.sync, errno: fault.errno))
            #expect(
                isUnknown
                    ? snapshot == before || snapshot == after
                    : (snapshot == after) == isMade && (snapshot == before) == !isMade,
                "call \(calls): \(String(describing: error))")
            if let error { #expect(Self.allowed(fault).contains(error), "call \(calls)") }
            calls += stride
            misses = failedCount > 0 ? 0 : misses + 1
            injected += failedCount > 0 ? 1 : 0
        }
        #expect(injected > 0)
        Torture.report(
            "disk errors, \(operation.rawValue), \(fault.testDescription): "
                + "\(injected) injected, one per run")
    }

    /// Every sync of a signature with a kept journal fails once. Only the last one is after the
    /// moment that completes the change.
    @Test func aSyncAfterTheChangeIsUncertain() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/vault.db"
        try TrialVault.make(at: path)
        let contents = ["vault.db": try Files.read(path)]
        let before = try TrialVault.snapshot(at: path)
        var errors: [VaultError?] = []
        while errors.last != .some(nil) {
            try Files.fill(folder.path, with: contents)
            let disk = try Disk(folder: folder.path)
            disk.fail(FAULTS_CALL_SYNC, after: errors.count, times: 1, with: EIO)
            var error: VaultError?
            do { try VaultOperation.signingAgain.perform(at: path) } catch let thrown as VaultError {
                error = thrown
            }
            errors.append(error)
            disk.heal()
            let isMade = errors.last == .some(nil) || errors.last == .machine(.commitUncertain)
            #expect((try TrialVault.snapshot(at: path) == before) == !isMade, "sync \(errors.count)")
        }
        #expect(errors.count > 2)
        #expect(errors.dropLast().last == .machine(.commitUncertain))
        #expect(errors.dropLast(2).allSatisfy { $0 == .machine(.system(.sync, errno: EIO)) })
    }

    /// The expected errors: the disk is full, or the system call that failed and its errno.
    private static func allowed(_ fault: Fault) -> [VaultError] {
        guard fault.errno != ENOSPC else { return [.machine(.diskFull)] }
        let operations: [SystemOperation] = [.open, .inspect, .read, .write, .sync]
        return operations.map { .machine(.system($0, errno: fault.errno)) } + [.machine(.commitUncertain)]
    }
}
