import Keys
import SecureMemory
import Testing

@testable import KeyVault

/// Changes of labels, keys, slots and master keys: everything else stays, and removed content is
/// gone.
struct VaultChangeTests {
    let fixture: VaultFixture

    init() throws {
        fixture = try VaultFixture()
        try fixture.createFilled(3)
    }

    private func names() throws -> [String: String?] {
        Dictionary(
            uniqueKeysWithValues: try fixture.unlock().entries().map { ($0.name.text, $0.label?.text) })
    }

    // MARK: entries

    @Test func renames() throws {
        let (key, other) = (try VaultFixture.publicKey(2), try VaultFixture.publicKey(3))
        let label = try Label("cold")
        try fixture.change { transaction in
            #expect(try transaction.rename(key, to: label).label == label)
            #expect(vaultError { try transaction.rename(other, to: label) } == .input(.labelExists))
            try transaction.rename(other, to: nil)
        }
        #expect(
            try names() == [VaultFixture.name(1).text: "key 1", key.text: "cold", other.text: nil as String?])
        #expect(try fixture.lend(2) == 2 && fixture.lend(3) == 3)
        // The old label is free again.
        try fixture.change { transaction in try transaction.rename(other, to: try Label("key 2")) }
        #expect(try names()[other.text] == "key 2")
    }

    /// A label may change its own spelling, but not take that of another one.
    @Test func refusesAnAlikeLabel() throws {
        let (key, other) = (try VaultFixture.publicKey(2), try VaultFixture.publicKey(3))
        try fixture.change { transaction in
            try transaction.rename(key, to: Label("caf\u{e9}"))
            #expect(
                vaultError { try transaction.rename(other, to: Label("cafe\u{301}")) } == .input(.labelAlike))
            try transaction.rename(key, to: Label("Cafe\u{301}"))
            #expect(
                vaultError {
                    try transaction.insert(VaultFixture.key(7), label: Label("CAF\u{c9}"), createdAt: 0)
                }
                    == .input(.labelAlike))
            try transaction.rename(key, to: nil)
            try transaction.rename(other, to: Label("caf\u{e9}"))
        }
        #expect(try names()[other.text] == "caf\u{e9}")
    }

    /// Labels that only an earlier version gave: they work, and are flagged.
    @Test func flagsExistingLabels() throws {
        try fixture.change { transaction in
            for (number, text) in [(UInt8(7), "KEY 1"), (8, "eosio")] {
                try transaction.insert(
                    VaultFixture.key(number), label: Label(stored: text),
                    createdAt: VaultFixture.time + Int64(number),
                    origin: .rescued)
            }
        }
        let flags = [
            LabelFlag(name: try VaultFixture.name(7), reason: .alike(try VaultFixture.name(1))),
            LabelFlag(name: try VaultFixture.name(8), reason: .refused(.looksLikeName)),
        ]
        #expect(try fixture.open().unverifiedEntries().labelFlags == flags)
        #expect(try fixture.unlock().entries().labelFlags == flags)
        let report = try fixture.open().check(UnlockMethod.pin(VaultFixture.pin()))
        #expect(report.faults.isEmpty && report.labelFlags == flags)
        #expect(try fixture.unlock().status(of: "eosio").entry.name == VaultFixture.name(8))
    }

    @Test func removesBackedUpKeys() throws {
        let key = try VaultFixture.publicKey(2)
        #expect(
            vaultError { try fixture.change { transaction in try transaction.remove(key) } }
                == .input(.neverBackedUp(.privateKey(.k1))))
        #expect(try fixture.lend(2) == 2)
        let generation = try fixture.open().connection.integer("SELECT generation FROM vault") ?? 0
        try fixture.change { transaction in
            try transaction.remember(BackupMark(generation: generation, time: 5))
        }
        let late = try PrivateKey.generate(.k1)
        try fixture.unlock().insert(late, label: nil, createdAt: 0)
        let latePublic = late.publicKey
        try fixture.change { transaction in
            #expect(try transaction.isBackedUp(key))
            #expect(try !transaction.isBackedUp(latePublic))
            // After a key gets another label, the backup still contains it.
            try transaction.rename(key, to: nil)
            #expect(try transaction.isBackedUp(key))
            try transaction.remove(key)
            #expect(vaultError { _ = try transaction.entry(key) } == .input(.noSuchKey))
            #expect(transaction.entryCount == 3)
        }
        #expect(vaultError { _ = try fixture.lend(2) } == .input(.noSuchKey))
        #expect(
            vaultError { try fixture.change { transaction in try transaction.remove(key) } }
                == .input(.noSuchKey))
        #expect(
            vaultError { try fixture.change { transaction in try transaction.remove(latePublic) } }
                == .input(.neverBackedUp(.privateKey(.k1))))
        try fixture.change { transaction in try transaction.remove(latePublic, neverBackedUp: true) }
        #expect(try names().count == 2)
    }

    @Test func aRemovedKeyLeavesNoBytes() throws {
        let sealed = try fixture.open().connection.blob("SELECT sealed FROM entries WHERE label = 'key 3'")
        let key = try VaultFixture.publicKey(3)
        func isInFile() throws -> Bool {
            let bytes = try VaultFixture.bytes(of: fixture.path)
            return bytes.indices.contains { bytes[$0...].starts(with: sealed) }
        }
        #expect(try isInFile())
        try fixture.change { transaction in try transaction.remove(key, neverBackedUp: true) }
        #expect(try !isInFile())
    }

    // MARK: slots

    private func opens(_ pin: String) throws -> Bool {
        switch vaultError({ _ = try fixture.open().unlock(VaultFixture.pin(pin)) }) {
        case nil: true
        case .input(.wrongUnlockMethod(.pin, [])): false
        case let error?: throw error
        }
    }

    @Test func changesThePIN() throws {
        let entries = try fixture.open().connection.blob("SELECT group_concat(sealed) FROM entries")
        let method = try VaultFixture.secret("another one")
        try fixture.change { transaction in try transaction.replaceOpenedSlot(by: method) }
        #expect(try opens("another one") && !opens("correct horse"))
        #expect(try fixture.open().unlock(VaultFixture.pin("another one")).entries().count == 3)
        #expect(try fixture.open().connection.blob("SELECT group_concat(sealed) FROM entries") == entries)
    }

    @Test func concurrentPINChangesDoNotOverwriteEachOther() throws {
        let first = try fixture.unlock()
        let second = try fixture.unlock()
        let one = try VaultFixture.secret("the first one")
        let two = try VaultFixture.secret("the second one")
        try VaultFixture.change(first) { transaction in try transaction.replaceOpenedSlot(by: one) }
        #expect(
            vaultError {
                try VaultFixture.change(second) { transaction in try transaction.replaceOpenedSlot(by: two) }
            }
                == .input(.slotChanged))
        // A vault that is already open stays open.
        #expect(try VaultFixture.lend(1, of: second) == 1)
        #expect(try opens("the first one") && !opens("the second one"))
    }

    @Test func opensByEachUnlockMethod() throws {
        let (file, other) = ([UInt8](repeating: 7, count: 32), [UInt8](repeating: 8, count: 32))
        func both(_ pin: String, _ file: [UInt8]) throws -> UnlockMethod {
            .pinAndKeyFile(try VaultFixture.pin(pin), try KeyFile(SecureBytes(copyingPublic: file)))
        }
        func phrase(_ byte: UInt8) throws -> UnlockMethod {
            .recovery(
                try RecoveryPhrase(bits: SecureBytes(copyingPublic: [UInt8](repeating: byte, count: 32))))
        }
        let first = try SlotSecret(of: both("with a file", file), cost: VaultFixture.cost())
        let second = try SlotSecret(of: phrase(3))
        try fixture.change { transaction in
            let numbers = [try transaction.addSlot(first), try transaction.addSlot(second)]
            #expect(numbers == [1, 2])
        }
        #expect(try VaultFixture.lend(1, of: fixture.open().unlock(both("with a file", file))) == 1)
        #expect(try VaultFixture.lend(2, of: fixture.open().unlock(phrase(3))) == 2)
        #expect(try fixture.lend(3) == 3)
        for wrong in [("with a file", other), ("with a filf", file)] {
            #expect(
                vaultError { _ = try fixture.open().unlock(both(wrong.0, wrong.1)) }
                    == .input(.wrongUnlockMethod(.pinAndKeyFile, damagedSlots: [])))
        }
        #expect(
            vaultError { _ = try fixture.open().unlock(phrase(4)) }
                == .input(.wrongUnlockMethod(.recovery, damagedSlots: [])))
        #expect(try !opens("with a file"))
        #expect(try fixture.open().unverifiedSlots().slots.map(\.kind) == [.pin, .pinAndKeyFile, .recovery])
        #expect(
            vaultError { _ = try KeyFile(SecureBytes(copyingPublic: [1, 2, 3])) }
                == .input(.keyFileLength(count: 3)))
    }

    @Test func keepsTheLastSlot() throws {
        #expect(
            vaultError { try fixture.change { transaction in try transaction.removeSlot(0) } }
                == .input(.lastSlot))
        #expect(
            vaultError { try fixture.change { transaction in try transaction.removeSlot(5) } }
                == .input(.noSuchSlot(5))
        )
        #expect(
            vaultError { try fixture.change { transaction in try transaction.removeSlot(-1) } }
                == .input(.noSuchSlot(-1)))
        let method = try VaultFixture.secret("the second one")
        try fixture.change { transaction in
            try transaction.addSlot(method)
            try transaction.removeSlot(0)
        }
        #expect(try opens("the second one") && !opens("correct horse"))
    }

    @Test func hasEightSlots() throws {
        let method = try VaultFixture.secret("one of many")
        try fixture.change { transaction in
            for number in 1...7 {
                let added = try transaction.addSlot(method)
                #expect(added == number)
            }
        }
        #expect(
            vaultError { try fixture.change { transaction in try transaction.addSlot(method) } }
                == .input(.slotsFull))
        #expect(try opens("one of many"))
    }

    @Test func repairsADamagedCopy() throws {
        try fixture.tamper("UPDATE slot_copies SET checksum = x'00'")
        #expect(try fixture.open().unverifiedSlots().slots.map(\.condition) == [.copyDamaged])
        try fixture.change { transaction in
            let repaired = try transaction.repairSlotCopies()
            #expect(repaired == [0])
        }
        #expect(try fixture.open().unverifiedSlots().slots.map(\.condition) == [.sound])
        try fixture.tamper("UPDATE slots SET body = x'00'")
        #expect(try opens("correct horse"))
    }

    // MARK: a new master key

    @Test func rekeys() throws {
        let old = try VaultFixture.bytes(of: fixture.path)
        let head = try fixture.open().connection.blob("SELECT mac FROM audit_head")
        let method = try VaultFixture.secret("after the theft")
        var steps: [Int64] = []
        let stale = try fixture.unlock()
        try fixture.change { transaction in
            try transaction.rekey(under: method) { done, total in steps += [done, total] }
        }
        #expect(steps == [1, 3, 2, 3, 3, 3])
        let vault = try fixture.open().unlock(VaultFixture.pin("after the theft"))
        for number in UInt8(1)...3 { #expect(try VaultFixture.lend(number, of: vault) == number) }
        #expect(try !opens("correct horse"))
        // A process that had the vault open gets this error, and not one that reports a forged
        // vault.
        #expect(
            vaultError { _ = try stale.withKey(VaultFixture.publicKey(1)) { _ throws(VaultError) in } }
                == .input(.slotChanged))
        // The master key of the old copy opens nothing in the new file.
        let copy = fixture.folder + "/old.db"
        try VaultFixture.write(old, to: copy)
        let thief = try fixture.open(copy).unlock(VaultFixture.pin())
        #expect(vaultError { _ = try fixture.open().verifiedManifest(thief.opened) } == .input(.slotChanged))
        // History is not rewritten, and it still verifies: across two keys, and across a third.
        #expect(try fixture.open().connection.blob("SELECT mac FROM audit WHERE sequence = 4") == head)
        let third = try VaultFixture.secret("and again")
        try VaultFixture.change(vault) { transaction in try transaction.rekey(under: third) }
        let events = try VaultFixture.events(of: fixture.open().unlock(VaultFixture.pin("and again")))
        #expect(events.map(\.isRekeying) == [false, false, false, false, true, false, true])
        try fixture.tamper("UPDATE audit SET body = x'010101f1536500000000' WHERE sequence = 1")
        #expect(
            vaultError {
                _ = try VaultFixture.events(of: fixture.open().unlock(VaultFixture.pin("and again")))
            }
                == .integrity(.audit(.changed(sequence: 1))))
    }

    @Test func rekeyingDropsOtherSlotsOnlyOnRequest() throws {
        let second = try VaultFixture.secret("the second one")
        let method = try VaultFixture.secret()
        try fixture.change { transaction in try transaction.addSlot(second) }
        #expect(
            vaultError { try fixture.change { transaction in try transaction.rekey(under: method) } }
                == .input(.otherSlots([1])))
        #expect(try opens("the second one"))
        try fixture.change { transaction in try transaction.rekey(under: method, droppingOtherSlots: true) }
        #expect(try opens("correct horse") && !opens("the second one"))
        #expect(
            try VaultFixture.events(of: fixture.unlock()).suffix(3).prefix(2) == [
                .slotRemoved(number: 1, .pin), .rekeyed,
            ])
    }

    @Test func refusesToRekeyADamagedEntry() throws {
        let before = try VaultFixture.bytes(of: fixture.path)
        let method = try VaultFixture.secret()
        try fixture.tamper("UPDATE entries SET sealed = zeroblob(48) WHERE label = 'key 2'")
        let damaged = try VaultFixture.bytes(of: fixture.path)
        #expect(damaged != before)
        guard
            case .integrity(.manifestMismatch(.bucket(.entries, _))) = vaultError({
                try fixture.change { transaction in try transaction.rekey(under: method) }
            })
        else {
            Issue.record("the rekey was not refused for the mismatched entry")
            return
        }
        #expect(try VaultFixture.bytes(of: fixture.path) == damaged)
    }
}

extension AuditEvent {
    fileprivate var isRekeying: Bool { self == .rekeyed }
}
