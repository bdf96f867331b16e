import Messages
import SecureMemory
import Testing

@testable import TPM

@Suite struct SealedSecretTests {
    private static let name: [UInt8] = [0, 0x0b] + [UInt8](repeating: 9, count: 32)

    private static func area(policy: [UInt8] = []) -> [UInt8] {
        SealedArea.template(policy: policy) + [0, 32] + [UInt8](repeating: 3, count: 32)
    }

    private static func sealed(registers: [Int] = []) throws -> SealedSecret {
        try SealedSecret(
            primaryName: name, registers: registers,
            publicArea: area(policy: registers.isEmpty ? [] : [UInt8](repeating: 4, count: 32)),
            privateArea: [1, 2, 3])
    }

    @Test(arguments: [[], [0], [23], [0, 7, 16, 23]]) func isReadAgain(registers: [Int]) throws {
        let sealed = try Self.sealed(registers: registers)
        #expect(try SealedSecret(packed: sealed.packed) == sealed)
        #expect(throws: TPMError.invalidBlob) { try SealedSecret(packed: sealed.packed + [0]) }
        for count in 0..<sealed.packed.count {
            #expect(throws: TPMError.invalidBlob) { try SealedSecret(packed: Array(sealed.packed[..<count])) }
        }
    }

    @Test func refusesOtherFields() throws {
        let policy = [UInt8](repeating: 4, count: 32)
        var noLimit = Self.area()
        // noDA: the TPM would not count wrong authorizations.
        noLimit[6] |= 4
        let wrong: [([UInt8], [Int], [UInt8], [UInt8])] = [
            (Array(Self.name.dropLast()), [], Self.area(), [1]),
            ([1] + Self.name.dropFirst(), [], Self.area(), [1]),
            (Self.name, [], Self.area(policy: policy), [1]), (Self.name, [1], Self.area(), [1]),
            (Self.name, [2, 1], Self.area(policy: policy), [1]),
            (Self.name, [24], Self.area(policy: policy), [1]),
            (Self.name, [], Self.area() + [0], [1]), (Self.name, [], Self.area(), []),
            (Self.name, [], noLimit, [1]),
            (Self.name, [], Self.area(), [UInt8](repeating: 1, count: 1024)),
        ]
        for (name, registers, publicArea, privateArea) in wrong {
            #expect(throws: TPMError.invalidBlob) {
                try SealedSecret(
                    primaryName: name, registers: registers, publicArea: publicArea, privateArea: privateArea)
            }
        }
    }
}

@Suite struct TPMLockoutTests {
    @Test(
        arguments: [
            (0, 32, 600, false, 32, 0), (31, 32, 600, false, 1, 0), (32, 32, 600, true, 0, 600),
            (40, 32, 600, false, 0, 600), (0, 0, 600, true, 0, nil), (32, 32, 0, true, 0, nil),
        ] as [(Int, Int, Int, Bool, Int, Int?)])
    func says(failed: Int, maximum: Int, interval: Int, isLocked: Bool, left: Int, wait: Int?) {
        let lockout = TPMLockout(
            failedTries: failed, maximumTries: maximum, secondsPerTry: interval, recoverySeconds: 1,
            isLockedOut: isLocked)
        #expect(lockout.triesLeft == left && lockout.secondsUntilTry == wait)
    }
}

/// What users read.
@Suite struct TPMErrorTests {
    private static func lockout(_ failed: Int, _ seconds: Int = 7200) -> TPMLockout {
        TPMLockout(
            failedTries: failed, maximumTries: 5, secondsPerTry: seconds, recoverySeconds: 1,
            isLockedOut: failed >= 5)
    }

    @Test(
        arguments: [
            (.noTPM, .noDevice, "the device is not a TPM 2.0"),
            (.gone, .deviceFailed, "the TPM ended the connection or its device reports an error"),
            (.timedOut, .deviceFailed, "the TPM did not answer in time"),
            (.notStarted, .deviceFailed, "the TPM is not started"),
            (.invalidAnswer(command: "TPM2_Load"), .deviceFailed, "the TPM's answer to TPM2_Load is invalid"),
            (
                .refused(code: 0x101, command: "TPM2_Create"), .deviceFailed,
                "the TPM refused TPM2_Create: error 0x101"
            ),
            (.wrongAuthorization(lockout(2)), .wrongPIN, "wrong PIN; the TPM accepts 3 more wrong PINs"),
            (.wrongAuthorization(lockout(4)), .wrongPIN, "wrong PIN; the TPM accepts 1 more wrong PIN"),
            (.wrongAuthorization(lockout(5)), .wrongPIN, "wrong PIN, and the TPM is locked now"),
            (
                .lockedOut(lockout(5)), .tpmLocked,
                "the TPM refuses all PINs for now, because too many were wrong"
            ),
            (.otherTPM, .otherDevice, "the secret was sealed by another TPM, or the TPM was cleared since"),
            (.invalidBlob, .damaged, "the bytes are not a secret that a TPM sealed"),
            (.damagedBlob, .damaged, "the TPM says that the sealed secret was changed"),
            (
                .registersChanged([7, 14]), .tpmRegisters,
                "at least one of the registers (PCRs) 7, 14 has another value than when the slot was made"
            ),
            (.noRegisterBank, .tpmRegisters, "the TPM has no SHA-256 values of its PCRs"),
            (.invalidRegister(24), .usage, "24 is not the number of a PCR, or occurs twice"),
            (.ownerPassword, .deviceFailed, "the TPM's owner hierarchy has a password"),
            (.busy, .deviceFailed, "the TPM is busy"),
            (.noMemory, .deviceFailed, "other programs use all memory of the TPM"),
            (
                .memory(.unavailable(count: 9)), .notEnoughMemory, "can't allocate 9 bytes of guarded memory"
            ),
        ] as [(TPMError, ErrorCode, String)])
    func words(of error: TPMError, code: ErrorCode, message: String) {
        #expect(error.words.code == code && error.words.message == message && !error.words.hint.isEmpty)
    }

    @Test(arguments: [(45, "45 seconds"), (600, "10 minutes"), (7201, "3 hours")])
    func waits(seconds: Int, text: String) {
        let hint = TPMError.lockedOut(Self.lockout(5, seconds)).words.hint
        #expect(hint == "wait \(text) for one more try, or use another unlock method")
    }

    /// The numbers of Part 2, 6.6.3, with the numbers of sessions and parameters.
    @Test func codesAreRecognised() {
        for code in [0x8e, 0x98e, 0xa2, 0x9a2] as [UInt32] {
            #expect(ResponseCode(code: code).isWrongAuthorization)
        }
        for code in [0x1df, 0x1d5] as [UInt32] { #expect(ResponseCode(code: code).isAboutParameter) }
        for code in [0x99d, 0x128, 0x1c4] as [UInt32] { #expect(ResponseCode(code: code).isOtherPolicy) }
        #expect(!ResponseCode(code: 0x921).isWrongAuthorization && ResponseCode(code: 0x921).isLockout)
    }
}
