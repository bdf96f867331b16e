import Files
import Glibc
import SecureMemory
import TestSupport
import Testing

@testable import TPM

/// All tests use a real TPM 2.0 in software.
@Suite(.serialized) struct TPMDeviceTests {
    @Test func sealsAndUnseals() throws {
        try SoftwareTPM().device(["--check"]) { device in
            let sealed = try device.sealed(7, 1)
            #expect(try device.unsealedBytes(sealed, 1) == [UInt8](repeating: 7, count: 32))
            #expect(try SealedSecret(packed: sealed.packed) == sealed)
            #expect(try device.primaryName() == sealed.primaryName)
            #expect(sealed.packed.count < 400)
            #expect(try device.facts().manufacturer == "IBM")
        }
    }

    /// A TPM removes zeros at the end of an authorization.
    @Test func acceptsZerosAtTheEnd() throws {
        try SoftwareTPM().device(["--check"]) { device in
            let value = [UInt8](1...30) + [0, 0]
            let authorization = try SecureBytes(copyingPublic: value)
            let sealed = try device.seal(authorization, authorization: authorization)
            #expect(bytes(try device.unseal(sealed, authorization: authorization)) == value)
            let zero = try device.sealed(0, 0)
            #expect(try device.unsealedBytes(zero, 0) == [UInt8](repeating: 0, count: 32))
        }
    }

    /// The bus between a processor and a TPM can be read: neither secret is on it.
    @Test func encryptsOnTheBus() throws {
        let tpm = try SoftwareTPM()
        let record = tpm.folder.path + "/record"
        try tpm.device(["--record", record]) { device in
            for registers in [[], [16]] {
                let sealed = try device.sealed(0x77, 0x99, registers: registers)
                _ = try device.unsealedBytes(sealed, 0x99)
            }
        }
        let file = try OpenFile(record)
        let recorded = try file.withDescriptor { try $0.bytesToEnd(atMost: 1 << 20) }
        #expect(recorded.count > 4_000)
        for byte in [0x77, 0x99] as [UInt8] {
            #expect(recorded.firstRange(of: [UInt8](repeating: byte, count: 4)) == nil)
        }
    }

    @Test func countsWrongAuthorizations() throws {
        try SoftwareTPM().device(["--check", "--lockout-settings", "3,2,2"]) { device in
            let sealed = try device.sealed(7, 1)
            #expect(try device.lockout().triesLeft == 3)
            for left in [2, 1, 0] {
                guard
                    case .wrongAuthorization(let lockout) = error(of: {
                        _ = try device.unsealedBytes(sealed, 2)
                    })
                else {
                    Issue.record("another error")
                    return
                }
                #expect(lockout.triesLeft == left && lockout.failedTries == 3 - left)
                #expect(lockout.isLockedOut == (left == 0) && lockout.maximumTries == 3)
                #expect(lockout.secondsUntilTry == (left == 0 ? 2 : 0))
            }
            // The right one is refused too.
            guard case .lockedOut(let lockout) = error(of: { _ = try device.unsealedBytes(sealed, 1) }) else {
                Issue.record("the TPM is not locked")
                return
            }
            #expect(lockout.isLockedOut && lockout.secondsPerTry == 2 && lockout.recoverySeconds == 2)
            usleep(2_300_000)
            #expect(try device.lockout().triesLeft > 0)
            #expect(try device.unsealedBytes(sealed, 1) == [UInt8](repeating: 7, count: 32))
        }
    }

    @Test func refusesAnotherTPM() throws {
        let (one, other) = (try SoftwareTPM(), try SoftwareTPM())
        let sealed = try one.device { try $0.sealed(7, 1) }
        #expect(try one.device { try $0.unsealedBytes(sealed, 1) }.count == 32)
        try other.device(["--check"]) { device in
            #expect(error { _ = try device.unsealedBytes(sealed, 1) } == .otherTPM)
            let lockout = try device.lockout()
            #expect(lockout.failedTries == 0)
        }
        try one.device(["--clear", "--check"]) { device in
            #expect(error { _ = try device.unsealedBytes(sealed, 1) } == .otherTPM)
        }
    }

    /// The TPM behind a connection that is already in use is cleared, so its storage key changes.
    @Test func refusesAnotherTPMLater() throws {
        try SoftwareTPM().run(["--check"]) { file in
            let device = try TPMDevice(file)
            let sealed = try device.sealed(7, 1)
            #expect(try device.unsealedBytes(sealed, 1).count == 32)
            // TPM2_Clear with the empty password of the platform hierarchy.
            let clear: [UInt8] = [
                0x80, 2, 0, 0, 0, 27, 0, 0, 0x01, 0x26, 0x40, 0, 0, 0x0c, 0, 0, 0, 9,
            ]
            try file.write((clear + TPMCommand.emptyPassword).span.bytes)
            var answer = [UInt8](repeating: 0, count: 64)
            #expect(read(file.number, &answer, answer.count) >= 10 && answer[6..<10] == [0, 0, 0, 0])
            #expect(error { _ = try device.sealed(7, 1) } == .otherTPM)
            #expect(error { _ = try device.unsealedBytes(sealed, 1) } == .otherTPM)
            let lockout = try device.lockout()
            #expect(lockout.failedTries == 0)
        }
    }

    @Test func bindsToRegisters() throws {
        let tpm = try SoftwareTPM()
        let sealed = try tpm.device(["--check"]) { device in
            let sealed = try device.sealed(7, 1, registers: [16, 0, 7, 1, 2, 3, 4, 5, 6, 23])
            #expect(sealed.registers == [0, 1, 2, 3, 4, 5, 6, 7, 16, 23])
            #expect(try device.unsealedBytes(sealed, 1) == [UInt8](repeating: 7, count: 32))
            guard case .wrongAuthorization = error(of: { _ = try device.unsealedBytes(sealed, 2) }) else {
                Issue.record("a wrong authorization satisfies the policy")
                return sealed
            }
            for (wrong, number) in [([24], 24), ([-1], -1), ([3, 4, 3], 3)] {
                #expect(error { _ = try device.sealed(7, 1, registers: wrong) } == .invalidRegister(number))
            }
            return sealed
        }
        try tpm.device(["--check", "--extend", "16"]) { device in
            let failed = try device.lockout().failedTries
            #expect(error { _ = try device.unsealedBytes(sealed, 1) } == .registersChanged(sealed.registers))
            let lockout = try device.lockout()
            #expect(lockout.failedTries == failed)
        }
    }

    /// Each byte of a sealed secret is changed in turn, and each time the secret stays sealed.
    @Test(arguments: [[], [16]]) func refusesEachChange(registers: [Int]) throws {
        try SoftwareTPM().device(["--check"]) { device in
            let sealed = try device.sealed(7, 1, registers: registers)
            let packed = sealed.packed
            for index in packed.indices {
                var changed = packed
                changed[index] ^= 0x40
                let found = error { _ = try device.unsealedBytes(SealedSecret(packed: changed), 1) }
                switch found {
                case .invalidBlob, .damagedBlob, .otherTPM, .registersChanged: break
                default: Issue.record("byte \(index): \(String(describing: found))")
                }
            }
            #expect(try device.unsealedBytes(sealed, 1).count == 32)
            let lockout = try device.lockout()
            #expect(lockout.failedTries == 0)
        }
    }

    @Test func refusesWhatIsNoTPM() throws {
        let tpm = try SoftwareTPM()
        #expect(error { try tpm.device(["--not-started"]) { _ in } } == .notStarted)
        try tpm.device(["--owner-password", "--check"]) { device in
            #expect(error { _ = try device.primaryName() } == .ownerPassword)
            #expect(error { _ = try device.sealed(1, 1) } == .ownerPassword)
        }
        #expect(error { try tpm.device(["--fault", "garbage@1"]) { _ in } } == .noTPM)
        #expect(error { try tpm.device(["--fault", "eof@1"]) { _ in } } == .gone)
    }

    /// A raw TPM has three places for objects and three for sessions.
    @Test func leavesNothingAfterFailures() throws {
        try SoftwareTPM().device(["--check", "--lockout-settings", "1000,1000,1000"]) { device in
            let sealed = try device.sealed(7, 1, registers: [16])
            for _ in 0..<20 {
                #expect(throws: TPMError.self) { try device.unsealedBytes(sealed, 2) }
                #expect(throws: TPMError.self) { try device.sealed(7, 1, registers: [99]) }
            }
            #expect(try device.unsealedBytes(sealed, 1).count == 32)
        }
    }
}
