import Keys
import SecureMemory
import Testing

@testable import KeyVault

struct UnlockedVaultTests {
    let fixture: VaultFixture
    init() throws { fixture = try VaultFixture() }

    @Test func keepsKeysAfterReopening() throws {
        try fixture.createFilled(3)
        let r1 = try VaultFixture.key(9, .r1)
        try fixture.unlock().insert(r1, label: nil, createdAt: VaultFixture.time)
        let listed = try fixture.open().unverifiedEntries()
        #expect(listed.map { $0.label?.text } == [nil, "key 1", "key 2", "key 3"])
        #expect(try listed[0].name == VaultFixture.name(9, .r1))
        #expect(listed[0].kind == .privateKey(.r1))
        let vault = try fixture.unlock()
        #expect(try vault.entries() == listed)
        for number in UInt8(1)...3 {
            let lent = try VaultFixture.lend(number, of: vault)
            #expect(lent == number)
        }
    }

    @Test func refusesAWrongPIN() throws {
        try fixture.createFilled(1)
        let vault = try fixture.open()
        #expect(throws: VaultError.input(.wrongUnlockMethod(.pin, damagedSlots: []))) {
            _ = try vault.unlock(VaultFixture.pin("correct horsf"))
        }
        _ = try vault.unlock(VaultFixture.pin())
    }
}
