import SecureMemory
import Testing

@testable import KeyVault

/// An unlock method that stores details in its slot, such as a token's sealed blob: its secret is
/// derived from them, the salt and an answer.
private struct TestMethod: SlotKeySource, ~Copyable {
    static let number: UInt8 = 200

    let answer: UInt8
    let usesArgon2id: Bool
    /// What a new slot stores.
    var details = [UInt8](repeating: 7, count: 100)

    var kind: SlotKind { .other(Self.number) }

    borrowing func newSecret(
        salt: [UInt8], cost: KDFCost?, registers: [Int]
    ) throws(VaultError) -> NewSlotSecret {
        NewSlotSecret(details: details, secret: try secret(salt: salt, cost: cost, details: details))
    }

    borrowing func secret(salt: [UInt8], cost: KDFCost?, details: [UInt8]) throws(VaultError) -> SecureBytes {
        guard (cost != nil) == usesArgon2id, details == self.details else {
            throw .integrity(.damaged(.row(.slots)))
        }
        let key: SecureBytes
        do { key = try SecureBytes(copyingPublic: [UInt8](repeating: answer, count: 32)) } catch {
            throw .machine(.memory(error))
        }
        guard let cost else { return try Sodium.keyedSecret(of: salt + details, key: key) }
        return try Sodium.argon2id(key, salt: salt, cost: cost)
    }
}

struct SlotKeySourceTests {
    let fixture: VaultFixture

    init() throws {
        fixture = try VaultFixture()
        try fixture.createFilled(2)
    }

    private func add(_ method: borrowing TestMethod) throws {
        let secret = try SlotSecret(of: method, cost: VaultFixture.cost())
        try VaultFixture.change(fixture.unlock()) { transaction in try transaction.addSlot(secret) }
    }

    private func slot() throws -> Slot {
        guard case .sound(let slot, _) = try SlotTable(in: fixture.open().connection).states[1] else {
            throw VaultError.input(.noSuchSlot(1))
        }
        return slot
    }

    @Test(arguments: [false, true])
    func opensTheVaultWithItsDetails(usesArgon2id: Bool) throws {
        try add(TestMethod(answer: 1, usesArgon2id: usesArgon2id))
        #expect(try slot().details == [UInt8](repeating: 7, count: 100))
        #expect((try slot().derivation == .none) == !usesArgon2id)
        let vault = try fixture.open().unlock(TestMethod(answer: 1, usesArgon2id: usesArgon2id))
        #expect(try VaultFixture.lend(2, of: vault) == 2)
        #expect(vault.slot.number == 1)
        #expect(
            vaultError { _ = try fixture.open().unlock(TestMethod(answer: 2, usesArgon2id: usesArgon2id)) }
                == .input(.wrongUnlockMethod(.other(200), damagedSlots: [])))
        // The PIN still opens its own slot.
        #expect(try fixture.lend(1) == 1)
    }

    @Test(arguments: [false, true])
    func checksRestoresAndRescues(usesArgon2id: Bool) throws {
        func method() -> TestMethod { TestMethod(answer: 1, usesArgon2id: usesArgon2id) }
        try add(method())
        #expect(try fixture.open().check(method()).faults.isEmpty)
        let restored = fixture.folder + "/restored.db"
        _ = try Vault.restore(
            VaultImage(contentsOf: fixture.path), to: restored, method: method(), clock: VaultFixture.clock)
        #expect(try VaultFixture.lend(1, of: fixture.open(restored).unlock(method())) == 1)
        let rescued = fixture.folder + "/rescued.db"
        let report = try Vault.rescue(fixture.path, to: rescued, with: method(), clock: VaultFixture.clock)
        #expect(report.isComplete && report.rescued.count == 2)
        #expect(try VaultFixture.lend(1, of: fixture.open(rescued).unlock(method())) == 1)
    }

    /// The most details that a slot stores are found by a rescue, and one byte more is refused.
    @Test func detailsFitIntoOnePage() throws {
        func method(_ count: Int) -> TestMethod {
            TestMethod(answer: 1, usesArgon2id: false, details: [UInt8](repeating: 9, count: count))
        }
        #expect(vaultError { _ = try SlotSecret(of: method(3_585)) } == .integrity(.damaged(.row(.slots))))
        try add(method(3_584))
        let report = try Vault.rescue(
            fixture.path, to: fixture.folder + "/rescued.db", with: method(3_584), clock: VaultFixture.clock)
        #expect(report.isComplete && report.rescued.count == 2)
    }

    /// A slot with details is found at any offset by a rescue with its method.
    @Test(arguments: [0, 1, 777, 4_000])
    func detailsAreFoundAnywhere(offset: Int) throws {
        try add(TestMethod(answer: 1, usesArgon2id: false))
        let slot = try slot()
        let bytes = [UInt8](repeating: 0xff, count: offset) + slot.body + Slot.checksum(slot.body, number: 1)
        func found(_ kind: SlotKind) -> [Int] {
            var starts: [Int] = []
            ScannedBytes(bytes, startCount: bytes.count).visitSlots(of: kind) { found, start in
                if found.slot == slot, found.number == 1 { starts.append(start) }
            }
            return starts
        }
        #expect(found(.other(200)) == [offset])
        #expect(found(.pin).isEmpty && found(.other(201)).isEmpty)
    }

    /// A slot whose derivation is not the method's is refused before anything is derived.
    @Test func refusesAnotherDerivation() throws {
        try add(TestMethod(answer: 1, usesArgon2id: true))
        #expect(
            vaultError { _ = try fixture.open().unlock(TestMethod(answer: 1, usesArgon2id: false)) }
                == .integrity(.damaged(.row(.slots))))
    }

    /// The details are part of the associated data of the wrapping.
    @Test func refusesEditedDetails() throws {
        try add(TestMethod(answer: 1, usesArgon2id: true))
        var details = [UInt8](repeating: 7, count: 100)
        details[50] = 8
        let old = try slot()
        var edited = Slot(
            kind: old.kind, derivation: old.derivation, vaultID: old.vaultID, createdAt: old.createdAt,
            salt: old.salt, details: details)
        (edited.commitment, edited.nonce, edited.wrapped) = (old.commitment, old.nonce, old.wrapped)
        try SlotTable.write(edited, number: 1, in: fixture.open().connection)
        #expect(
            vaultError {
                _ = try fixture.open().unlock(TestMethod(answer: 1, usesArgon2id: true, details: details))
            } == .integrity(.manifestMismatch(.bucket(.slots, 1))))
    }
}
