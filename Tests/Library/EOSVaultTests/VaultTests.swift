import EOSVault
import Glibc
import TestSupport
import Testing

/// The public interface, as an app uses it.
@Suite struct EOSVaultTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/vault.db" }

    init() throws {
        folder = try TemporaryFolder()
        try Vault.create(at: folder.path + "/vault.db", unlockedBy: Self.pin())
    }

    private static func pin(_ text: String = "a PIN for tests") throws -> UnlockMethod {
        try .pin(Secret(text: text))
    }

    private func open(_ path: String? = nil) throws -> Vault {
        try Vault(path: path ?? self.path, stateFolder: folder.path + "/state")
    }

    private func example(_ name: String) throws -> [UInt8] { try repositoryFile("Vectors/examples/" + name) }

    private static func code(of body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch let error as EOSError {
            return error.code.rawValue
        } catch { return "\(error)" }
    }

    // MARK: the path of an app

    @Test func signsLikeCleos() throws {
        let vault = try open()
        let unlocked = try vault.unlock(Self.pin())
        let text = String(decoding: try example("throwaway-key.txt"), as: UTF8.self)
        let key = try unlocked.importKey(Secret(text: text.filter { !$0.isWhitespace }), label: "hot")
        #expect(key.label == "hot" && !key.isBackedUp)

        let eos = try ChainID("eos")
        let review = try vault.review(Transaction(reading: example("transfer.json")), for: eos)
        #expect(review.keys.map(\.publicKey) == [key.publicKey])
        #expect(review.payments.map(\.quantity.description) == ["1.0000 EOS"])
        #expect(review.actions.map(\.place) == ["actions[0]"] && review.dangers.isEmpty)
        #expect(review.warnings.map(\.code) == ["beyond-tapos"] && !review.wasSignedBefore)
        let signed = try unlocked.sign(review.accepted(by: .person(accepting: [])))
        let expected = try Transaction(reading: example("transfer.signed.json"))
        #expect(signed.signatures == expected.signatures && signed.id == expected.id)
        #expect(try signed.signers(for: eos) == [key.publicKey])

        let again = try vault.review(Transaction(reading: example("transfer.json")), for: eos)
        #expect(again.wasSignedBefore)
        #expect(try unlocked.backup(to: folder.path + "/backup.db") == 1)
        #expect(try unlocked.keys().map(\.isBackedUp) == [true])
    }

    @Test func createsKeysWithUniqueLabels() throws {
        let vault = try open()
        let unlocked = try vault.unlock(Self.pin())
        let first = try unlocked.createKey(label: "first")
        let second = try unlocked.createKey()
        // Keys of the same second are in the order of their names.
        #expect(try Set(vault.keys()) == [first, second] && vault.keys() == unlocked.keys())
        #expect(Self.code { _ = try unlocked.createKey(label: "first") } == "label-exists")
        #expect(Self.code { _ = try unlocked.createKey(label: "") } == "invalid-label")
        let transaction = try Transaction(reading: example("transfer.json"))
        let eos = try ChainID("eos")
        #expect(Self.code { _ = try vault.review(transaction, for: eos) } == "several-keys")
        #expect(Self.code { _ = try vault.review(transaction, for: eos, keys: ["none"]) } == "no-such-key")
        #expect(try vault.review(transaction, for: eos, keys: ["first"]).keys == [first])
    }

    // MARK: refusals

    @Test func refusesAWrongPINAndThenWaits() throws {
        let vault = try open()
        #expect(Self.code { _ = try vault.unlock(Self.pin("another PIN")) } == "wrong-pin")
        // Each failure doubles the wait, so a slow machine sees it at a later try.
        let codes = try (0..<5).map { _ in
            let pin = try Self.pin("another PIN")
            return Self.code { _ = try vault.unlock(pin) }
        }
        #expect(Set(codes).isSubset(of: ["wrong-pin", "busy"]) && codes.contains("busy"))
        #expect(Self.code { _ = try Self.pin("short") } == "invalid-pin")
        for count in [-1, .max] {
            #expect(Self.code { _ = try Secret(maximumCount: count) { _ in 0 } } == "too-large")
            #expect(Self.code { _ = try Secret(readingFrom: -1, maximumCount: count) } == "too-large")
        }
        #expect(
            Self.code { _ = try UnlockMethod.recoveryPhrase(Secret(text: "no words")) } == "invalid-phrase")
        #expect(
            Self.code { _ = try UnlockMethod.pin(Secret(text: "123456"), keyFile: Secret(text: "x")) }
                == "key-file")
    }

    @Test func refusesFilesAndKeys() throws {
        #expect(Self.code { _ = try open(folder.path + "/none") } == "no-vault")
        #expect(Self.code { try Vault.create(at: path, unlockedBy: Self.pin()) } == "exists")
        let unlocked = try open().unlock(Self.pin())
        #expect(Self.code { _ = try unlocked.importKey(Secret(text: "5K")) } == "invalid-key")
        let development = "5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3"
        #expect(Self.code { _ = try unlocked.importKey(Secret(text: development)) } == "development-key")
        #expect(try unlocked.keys().isEmpty)
    }

    /// The pair was made by OpenSSL.
    @Test func takesKeysOfBothCurves() throws {
        let unlocked = try open().unlock(Self.pin())
        let r1 = "PVT_R1_2wkBESjd7JjPhhQyfe9kCoij1ARUxanfqUbWrXtgCa4sxo7RRB"
        let imported = try unlocked.importKey(Secret(text: r1))
        #expect(
            imported.publicKey.description == "PUB_R1_5heuFua8V4pL7Fj8ZAgXwgpvYHaKcJHetApqc5KcFr77aUdyFy")
        #expect(try unlocked.createKey(curve: .r1).publicKey.description.hasPrefix("PUB_R1_"))
        #expect(try unlocked.createKey(curve: .k1).publicKey.description.hasPrefix("EOS"))
    }

    /// A person or a program accepts each danger by its name; policies accept none.
    @Test func signsNoDangerThatIsNotNamed() throws {
        let vault = try open()
        let unlocked = try vault.unlock(Self.pin())
        let key = try unlocked.createKey()
        let update = """
            {"account":"alice","permission":"owner","parent":"","auth":{"threshold":1,
            "keys":[{"key":"\(key.publicKey)","weight":1}],"accounts":[],"waits":[]}}
            """
        let eosio = try Name("eosio")
        let action = Action(
            account: eosio, name: try Name("updateauth"),
            authorization: [PermissionLevel(actor: try Name("alice"), permission: try Name("owner"))],
            data: try ContractABIs().pack(Array(update.utf8), account: eosio, action: Name("updateauth")))
        let block = try BlockReference(id: "0000000a" + String(repeating: "ab", count: 28))
        let transaction = try Transaction(
            actions: [action], expiration: UInt32(time(nil)) + 60, block: block)
        let review = try vault.review(transaction, for: ChainID("jungle4"))
        #expect(Set(review.dangers.map(\.subject)) == ["alice"])
        let other = Danger(code: review.dangers[0].code, subject: "bob")
        for consent in [Consent.person(accepting: []), .person(accepting: [other]), .program(accepting: [])] {
            #expect(Self.code { _ = try review.accepted(by: consent) } == "danger-not-allowed")
        }
        #expect(Self.code { _ = try review.accepted(by: .policies) } == "danger-not-allowed")
        for consent in [Consent.person(accepting: review.dangers), .program(accepting: review.dangers)] {
            #expect(try unlocked.sign(review.accepted(by: consent)).signatures.count == 1)
        }
    }

    @Test func policiesDecideOnlyForKeysThatHaveOne() throws {
        let vault = try open()
        try vault.unlock(Self.pin()).createKey()
        let review = try vault.review(Transaction(reading: example("transfer.json")), for: ChainID("eos"))
        #expect(Self.code { _ = try review.accepted(by: .policies) } == "action-not-allowed")
    }

    // MARK: processes and threads

    @Test func twoVaultsOfOneFileSeeEachOther() throws {
        let (first, second) = (try open(), try open())
        let one = try first.unlock(Self.pin())
        let two = try second.unlock(Self.pin())
        let key = try one.createKey(label: "a")
        #expect(try two.keys() == [key])
        let review = try second.review(Transaction(reading: example("transfer.json")), for: ChainID("eos"))
        // The review showed the only key of the vault.
        try one.createKey(label: "b")
        #expect(
            Self.code { _ = try two.sign(review.accepted(by: .person(accepting: []))) } == "changed-meanwhile"
        )
    }

    /// A process of its own tries forks, threads and hardening.
    @Test func theProbeFindsNothing() throws {
        let run = try SystemProgram.run([BuiltProgram.debugFolder + "/LibraryProbe"])
        #expect(run.status == 0 && run.text == "probe: ok\n", "\(run.text)")
    }

    @Test func anotherThreadLocks() throws {
        let unlocked = try open().unlock(Self.pin())
        try unlocked.createKey()
        let lock = unlocked.lock
        TestThread { lock.lock() }.join()
        #expect(lock.isLocked)
        #expect(Self.code { _ = try unlocked.createKey() } == "locked")
        #expect(Self.code { _ = try unlocked.keys() } == "locked")
        #expect(Self.code { _ = try unlocked.backup(to: folder.path + "/b.db") } == "locked")
    }

    @Test func aRecoveryPhraseOpensTheVault() throws {
        let unlocked = try open().unlock(Self.pin())
        var words: [String] = []
        let phrase = try UnlockMethod.newRecoveryPhrase { span in
            let letters = (0..<span.byteCount).map { offset in
                span.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            }
            words = stride(from: 0, to: letters.count, by: 9).map { start in
                String(decoding: letters[start..<start + 9], as: UTF8.self).filter { $0 != " " }
            }
            return true
        }
        #expect(words.count == 24)
        try unlocked.add(phrase)
        let typed = try UnlockMethod.recoveryPhrase(Secret(text: words.joined(separator: " ")))
        try open().unlock(typed).createKey()
        #expect(try unlocked.keys().count == 1)
        #expect(Self.code { _ = try UnlockMethod.newRecoveryPhrase { _ in false } } == "declined")
    }
}

extension Secret {
    init(text: String) throws {
        try self.init(maximumCount: 1_024) { memory in
            for (offset, byte) in text.utf8.enumerated() {
                memory.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
            }
            return text.utf8.count
        }
    }
}
