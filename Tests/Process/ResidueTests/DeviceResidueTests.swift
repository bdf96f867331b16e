import CAuthenticator
import Files
import Glibc
import SecureMemory
import TestSupport
import Testing

@testable import FIDO2
@testable import KeyVault
@testable import TPM

/// What a TPM or an authenticator gives for a slot, what it compares, and the PIN of an
/// authenticator are only in guarded memory.
@Suite(.serialized) struct DeviceResidueTests {
    /// The number of the device in the program.
    private static let number: Int32 = 120

    private static func expectClean(
        _ name: String, _ arguments: [String], status: Int32 = 0, on fixture: VaultFixture
    ) throws {
        let trial = Trial(name: name, arguments: arguments, status: status) { _, watch in
            watch.held = nil
            // The random numbers of a session with a TPM are nonces, which are public.
            watch.onRandom = nil
        }
        let report = try trial.run(on: fixture)
        #expect(report.status == status && report.guarded > 0, "\(name): \(report.messages)")
        #expect(report.lateStarts == 0 && report.residues.isEmpty, "\(name): \(report.residues.prefix(12))")
    }

    /// Lends a descriptor to the program, which inherits it.
    private static func lending<Result>(_ end: Int32, _ body: () throws -> Result) throws -> Result {
        try #require(dup2(end, number) == number)
        defer { close(number) }
        return try body()
    }

    // MARK: a TPM

    @Test func aTPMLeavesNothing() throws {
        let fixture = try VaultFixture()
        let folder = try fixture.path
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        let process = try SystemProgram.start(
            [
                BuiltProgram.debugFolder + "/with-tpm", folder + "/tpm", "--lockout-settings", "99,99,99",
                "--serve",
            ],
            ends[1], STDERR_FILENO, STDERR_FILENO)
        close(ends[1])
        defer {
            close(ends[0])
            var status: Int32 = 0
            waitpid(process, &status, 0)
        }
        try Self.addTPM(ends[0], to: fixture)
        try Self.lending(ends[0]) {
            let tpm = ["--tpm", "fd:\(Self.number)"]
            try Self.expectClean(
                "unlock with a TPM", ["list", "--verify", "--pin-file", "new-pin"] + tpm, on: fixture)
            try Self.expectClean(
                "unlock with a TPM and a wrong PIN", ["list", "--verify", "--pin-file", "wrong-pin"] + tpm,
                status: 77, on: fixture)
            try Self.expectClean(
                "another PIN of a TPM",
                ["pin", "change", "--pin-file", "new-pin", "--new-pin-file", "wrong-pin"] + tpm
                    + VaultFixture.smallest, on: fixture)
        }
    }

    /// Adds a slot with the new PIN, and its secrets to the table.
    private static func addTPM(_ end: Int32, to fixture: VaultFixture) throws {
        let vault = try Vault.open(fixture.path + "/data/vault.db")
        let pin = try PIN(SecureBytes(copyingPublic: fixture.newPIN.utf8))
        let secret = try SlotSecret(
            of: UnlockMethod.pinAndTPM(PINAndTPM(pin, TPMDevice(OpenFile(inherited: end)))),
            cost: .leastInsecure)
        let (salt, details) = (secret.salt, secret.details)
        try fixture.addSlotSecret(secret.secret.copied(), "the slot of the TPM")
        for (name, pin) in [("new PIN", fixture.newPIN), ("wrong PIN", fixture.wrongPIN)] {
            let derived = try fixture.method(pin).secret(salt: salt, cost: .leastInsecure, details: [])
            let authorization = try Sodium.keyedSecret(of: Domain.tpmAuthorization.bytes, key: derived)
            try fixture.table.add(.bytes("Argon2 of the \(name) with a TPM", derived.copied()))
            try fixture.table.add(.bytes("authorization of the \(name)", authorization.copied()))
            guard name == "new PIN" else { continue }
            let half = try TPMDevice(OpenFile(inherited: end)).unseal(
                SealedSecret(packed: details), authorization: authorization)
            try fixture.table.add(.bytes("half of the TPM", half.copied()))
        }
        let unlocked = try vault.unlock(fixture.method(fixture.pin))
        try unlocked.transaction { transaction throws(VaultError) in _ = try transaction.addSlot(secret) }
    }

    // MARK: an authenticator

    @Test(arguments: [1, 2]) func anAuthenticatorLeavesNothing(protocolNumber: Int32) throws {
        let fixture = try VaultFixture()
        let folder = try fixture.path
        mkdir(folder + "/fido2", 0o700)
        let end = try #require(
            (folder + "/fido2").withCString { folder in
                fixture.wrongPIN.withCString { pin in
                    var options = authenticator_options()
                    (options.folder, options.pin, options.protocols) = (folder, pin, protocolNumber)
                    return authenticator_start(&options)
                }
            } as Int32?)
        try #require(end >= 0)
        defer { close(end) }
        try Self.addAuthenticator(end, to: fixture)
        try Self.lending(end) {
            let device = ["--fido2", "fd:\(Self.number)", "--pin-file", "new-pin"]
            try Self.expectClean(
                "unlock with an authenticator",
                ["list", "--verify", "--fido2-pin-file", "wrong-pin"] + device,
                on: fixture)
            try Self.expectClean(
                "unlock with a wrong PIN of the authenticator",
                ["list", "--verify", "--fido2-pin-file", "pin"] + device, status: 77, on: fixture)
        }
    }

    /// Adds a slot with the new PIN, and its secrets to the table. The PIN of the authenticator is
    /// the wrong PIN of the fixture.
    private static func addAuthenticator(_ end: Int32, to fixture: VaultFixture) throws {
        func device() throws -> FIDO2Device { try FIDO2Device(OpenFile(inherited: end)) }
        func devicePIN() throws -> SecureBytes { try SecureBytes(copyingPublic: fixture.wrongPIN.utf8) }
        let vault = try Vault.open(fixture.path + "/data/vault.db")
        let pin = try PIN(SecureBytes(copyingPublic: fixture.newPIN.utf8))
        let authenticator = try Authenticator(device(), pin: devicePIN()) {}
        let secret = try SlotSecret(
            of: UnlockMethod.pinAndFIDO2(PINAndAuthenticator(pin, authenticator)), cost: .leastInsecure)
        try fixture.addSlotSecret(secret.secret.copied(), "the slot of the authenticator")
        let derived = try fixture.method(fixture.newPIN).secret(
            salt: secret.salt, cost: .leastInsecure, details: [])
        try fixture.table.add(.bytes("Argon2 of the new PIN with an authenticator", derived.copied()))
        let half = try device().secret(of: FIDO2Credential(packed: secret.details), pin: devicePIN()) {}
        try fixture.table.add(.bytes("half of the authenticator", half.copied()))
        let unlocked = try vault.unlock(fixture.method(fixture.pin))
        try unlocked.transaction { transaction throws(VaultError) in _ = try transaction.addSlot(secret) }
    }
}
