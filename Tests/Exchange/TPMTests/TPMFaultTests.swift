import CTPM
import Files
import Glibc
import SecureMemory
import TestSupport
import Testing

@testable import TPM

/// Answers that are damaged on their way, at each command of each operation.
@Suite struct TPMFaultTests {
    static let damages = [
        "truncated", "oversized", "hostile-size", "trailing", "garbage", "zero", "flipped", "wrong-hmac",
        "hang",
    ]
    /// In milliseconds: short if the answer never comes.
    private static func limit(_ fault: String) -> Int {
        ["hang", "truncated"].contains(fault) ? 150 : 10_000
    }

    /// Each fault at each single command: the operation fails with a typed error or succeeds, never
    /// with another secret. Then the same TPM does its work, and nothing is left in it.
    @Test(arguments: damages) func survivesEachCommand(fault: String) throws {
        let tpm = try SoftwareTPM()
        let sealed = try tpm.device { try $0.sealed(7, 1, registers: [16]) }
        var failures = 0
        // Three commands of the start, eight to unseal (at its first use of a counted
        // authorization, a TPM answers TPM_RC_RETRY once), and two to clean up.
        for index in 1...13 {
            try tpm.run(["--check", "--fault", "\(fault)@\(index)"]) { file throws in
                let found = error {
                    let device = try TPMDevice(file, milliseconds: Self.limit(fault))
                    #expect(try device.unsealedBytes(sealed, 1) == [UInt8](repeating: 7, count: 32))
                }
                failures += found == nil ? 0 : 1
                // The connection works again.
                if found == .timedOut { usleep(100_000) }
                let device = try TPMDevice(file)
                #expect(try device.unsealedBytes(sealed, 1) == [UInt8](repeating: 7, count: 32))
            }
        }
        // The two handle lists of the start may change, and some bytes do not matter.
        #expect(failures >= 5, "\(failures)")
    }

    @Test(arguments: damages) func survivesSealing(fault: String) throws {
        let tpm = try SoftwareTPM()
        // Four commands after the start, and one to clean up.
        for index in 4...8 {
            try tpm.run(["--check", "--fault", "\(fault)@\(index)"]) { file throws in
                let found = error {
                    let device = try TPMDevice(file, milliseconds: Self.limit(fault))
                    _ = try device.sealed(7, 1, registers: [16])
                }
                // The values of PCRs are not authenticated; a wrong one seals a secret that can't
                // be unsealed. The creation data of the storage key do not matter.
                let mayPass =
                    index == 4 && ["flipped", "wrong-hmac"].contains(fault) || index == 8
                    || index == 5 && fault == "flipped"
                #expect(found != nil || mayPass, "\(index)")
                if found == .timedOut { usleep(100_000) }
                let device = try TPMDevice(file)
                let sealed = try device.sealed(7, 1)
                #expect(try device.unsealedBytes(sealed, 1) == [UInt8](repeating: 7, count: 32))
            }
        }
    }

    /// The error of each command is typed: it has the name of the command.
    @Test(arguments: ["CreatePrimary", "StartAuthSession", "Load", "Unseal", "PCR_Read"])
    func namesTheCommand(command: String) throws {
        let tpm = try SoftwareTPM()
        let sealed = try tpm.device { try $0.sealed(7, 1, registers: [16]) }
        for (fault, expected) in [
            ("trailing", TPMError.invalidAnswer(command: "TPM2_" + command)), ("retry-forever", .busy),
            ("hang", .timedOut), ("eof", .gone), ("zero", .invalidAnswer(command: "TPM2_" + command)),
        ] {
            try tpm.run(["--fault", "\(fault)@\(command)"]) { file throws in
                let device = try TPMDevice(file, milliseconds: 200)
                #expect(error { _ = try device.unsealedBytes(sealed, 1) } == expected)
            }
        }
    }

    @Test func refusesAWrongHMAC() throws {
        let tpm = try SoftwareTPM()
        let sealed = try tpm.device { try $0.sealed(7, 1) }
        for fault in ["wrong-hmac", "flipped"] {
            try tpm.device(["--check", "--fault", "\(fault)@Unseal"]) { device in
                #expect(
                    error { _ = try device.unsealedBytes(sealed, 1) }
                        == .invalidAnswer(command: "TPM2_Unseal"))
            }
            try tpm.device(["--check", "--fault", "\(fault)@Create"]) { device in
                #expect(error { _ = try device.sealed(7, 1) } == .invalidAnswer(command: "TPM2_Create"))
            }
        }
    }

    /// A TPM that always lists more objects holds nobody up.
    @Test func cleansUpInLimitedTime() throws {
        try SoftwareTPM().run(["--fault", "foreign-handles"]) { file in
            let connection = TPMConnection(file, milliseconds: 10_000)
            try connection.rememberForeignObjects()
            let start = tpm_now()
            #expect(
                error { try connection.removingObjects { () throws(TPMError) in throw .busy } } == .busy)
            #expect((3_000..<8_000).contains(tpm_now() - start))
        }
        #expect(
            error { try SoftwareTPM().device(["--fault", "endless-handles"]) { _ in } }
                == .invalidAnswer(command: "TPM2_GetCapability"))
    }

    /// The first failure ends the clean-up: a silent TPM is waited for once.
    @Test func cleansUpASilentTPMOnce() throws {
        try SoftwareTPM().run(["--fault", "hang@FlushContext"]) { file in
            let device = try TPMDevice(file, milliseconds: 1_000)
            let start = tpm_now()
            _ = try device.sealed(7, 1)
            #expect(tpm_now() - start < 6_000)
        }
    }

    @Test func aSignalEndsTheWait() throws {
        try SoftwareTPM().run(["--fault", "hang@CreatePrimary"]) { file in
            let device = try TPMDevice(file)
            let start = tpm_now()
            let signals = HeldSignals()
            pthread_kill(pthread_self(), SIGTERM)
            #expect(error { _ = try device.sealed(7, 1) } == .cancelled)
            #expect(HeldSignals.discard(SIGTERM))
            signals.release()
            #expect(tpm_now() - start < 3_000)
        }
    }

    @Test(arguments: ["retry", "pieces"]) func repeatsAndWaits(fault: String) throws {
        try SoftwareTPM().device(["--check", "--fault", fault]) { device in
            let sealed = try device.sealed(7, 1, registers: [16])
            #expect(try device.unsealedBytes(sealed, 1) == [UInt8](repeating: 7, count: 32))
        }
    }
}
