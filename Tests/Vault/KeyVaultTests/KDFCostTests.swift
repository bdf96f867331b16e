import Testing

@testable import KeyVault

struct KDFCostTests {
    @Test func standardIsAtLeastThreePassesOver256MiB() {
        #expect(KDFCost.standard.passes == 3 && KDFCost.standard.memory == 256 << 20)
    }

    @Test func acceptsLessThanInteractiveOnlyAsInsecure() throws {
        #expect(
            vaultError { _ = try KDFCost(passes: 1, memory: 64 << 20) }
                == .input(.kdfCost(.passes(1, allowed: 2...64)))
        )
        #expect(
            vaultError { _ = try KDFCost(passes: 2, memory: 63 << 20) }
                == .input(.kdfCost(.memory(63 << 20, allowed: (64 << 20)...(4 << 30)))))
        _ = try KDFCost(passes: 2, memory: 64 << 20)
        _ = try KDFCost(passes: 1, memory: 8_192, insecure: true)
        #expect(
            vaultError { _ = try KDFCost(passes: 0, memory: 8_192, insecure: true) }
                == .input(.kdfCost(.passes(0, allowed: 1...64))))
        #expect(
            vaultError { _ = try KDFCost(passes: 1, memory: 4_096, insecure: true) }
                == .input(.kdfCost(.memory(4_096, allowed: 8_192...(4 << 30)))))
    }

    @Test func limitsTheCostInAFile() throws {
        let machine: UInt64 = 2 << 30
        func error(_ passes: UInt32, _ memory: UInt64) -> VaultError? {
            vaultError { _ = try KDFCost(storedPasses: passes, memory: memory, machineMemory: machine) }
        }
        #expect(error(64, 2 << 30) == nil)
        #expect(error(65, 8_192) == .input(.kdfCost(.passes(65, allowed: 1...64))))
        #expect(error(3, 3 << 30) == .input(.kdfCost(.memoryBeyondMachine(3 << 30, machine: machine))))
        #expect(error(3, 1 << 40) == .input(.kdfCost(.memory(1 << 40, allowed: 8_192...(4 << 30)))))
        #expect(error(3, 8_193) == .input(.kdfCost(.memoryNotWholeKibibytes(8_193))))
        #expect(error(.max, .max) == .input(.kdfCost(.passes(.max, allowed: 1...64))))
    }
}
