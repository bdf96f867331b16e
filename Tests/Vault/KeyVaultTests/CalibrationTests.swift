import Testing

@testable import KeyVault

struct CalibrationTests {
    /// The seconds that the default takes, and the resulting passes and seconds.
    @Test(arguments: [
        (0.3, 10, 1.0), (0.4, 7, 0.4 / 3 * 7), (0.9, 3, 0.9), (1.0, 3, 1.0), (30.0, 3, 30.0),
        (0.03, 64, 0.64),
        (0.0, 64, 0.0),
    ])
    func raisesPassesTowardsASecond(seconds: Double, passes: UInt32, perGuess: Double) throws {
        var asked: [KDFCost] = []
        let measured = try KDFCost.calibrated { cost throws(VaultError) in
            asked.append(cost)
            return seconds
        }
        #expect(asked == [.standard])
        #expect(measured.cost.passes == passes)
        #expect(measured.cost.memory == 256 << 20)
        #expect(abs(measured.secondsPerGuess - perGuess) < 1e-9)
    }

    @Test func aimsAtTheRequestedTime() throws {
        let measured = try KDFCost.calibrated(towards: 2) { _ throws(VaultError) in 0.3 }
        #expect(measured.cost.passes == 20)
    }

    @Test func failsWithTheErrorOfTheMeasurement() {
        let error = vaultError {
            _ = try KDFCost.calibrated { _ throws(VaultError) in throw .machine(.notEnoughMemory(needed: 1)) }
        }
        #expect(error == .machine(.notEnoughMemory(needed: 1)))
    }

    @Test func measuresTheGivenCost() throws {
        let cost = try VaultFixture.cost()
        let measured = try cost.measured()
        #expect(measured.cost == cost)
        #expect(measured.secondsPerGuess > 0)
    }
}
