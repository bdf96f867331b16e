import SecureMemory
import Testing

@testable import KeyVault

/// What `pin change` and `rekey` need from an unlock method: a new PIN for it, and its slot's cost.
struct UnlockMethodTests {
    let fixture: VaultFixture
    init() throws { fixture = try VaultFixture() }

    private static func both(_ pin: String) throws -> UnlockMethod {
        try .pinAndKeyFile(VaultFixture.pin(pin), KeyFile(SecureBytes(copyingPublic: 1...32)))
    }

    private func kind(_ method: borrowing UnlockMethod) throws -> SlotKind {
        try fixture.open().unlock(method).slot.kind
    }

    @Test func aNewPINKeepsItsKeyFile() throws {
        let cost = try VaultFixture.cost()
        let old = try Self.both("correct horse")
        try Vault.create(
            at: fixture.path, method: SlotSecret(of: old, cost: cost), createdAt: VaultFixture.time)
        let unlocked = try fixture.open().unlock(old)
        let new = try SlotSecret(of: old.withPIN(VaultFixture.pin("battery")), cost: cost)
        try VaultFixture.change(unlocked) { transaction in try transaction.replaceOpenedSlot(by: new) }
        #expect(try kind(Self.both("battery")) == .pinAndKeyFile)
        #expect(
            vaultError { _ = try kind(Self.both("correct horse")) }
                == .input(.wrongUnlockMethod(.pinAndKeyFile, damagedSlots: [])))
        #expect(
            vaultError { _ = try kind(UnlockMethod.pin(VaultFixture.pin("battery"))) }
                == .input(.noSlot(.pin, others: [.pinAndKeyFile])))
    }

    @Test func aNewPINReplacesAPhrase() throws {
        let kind = try UnlockMethod.recovery(.random()).withPIN(VaultFixture.pin()).kind
        #expect(kind == .pin)
    }

    @Test func theOpenedSlotHasItsKDFCost() throws {
        let phrase = try UnlockMethod.recovery(.random())
        let cost = try KDFCost(passes: 2, memory: 16_384, insecure: true)
        try Vault.create(
            at: fixture.path, method: SlotSecret(of: UnlockMethod.pin(VaultFixture.pin()), cost: cost),
            recovery: SlotSecret(of: phrase),
            createdAt: VaultFixture.time)
        let byPIN = try fixture.unlock().slot
        #expect(byPIN.number == 0 && byPIN.createdAt == VaultFixture.time)
        #expect(try byPIN.cost() == cost)
        let byPhrase = try fixture.open().unlock(phrase).slot
        #expect(byPhrase.number == 1)
        #expect(try byPhrase.cost() == nil)
    }
}
