import Codecs
import Keys
import Policy
import Signing
import Testing
import Transactions

@testable import KeyVault

/// A process that keeps the vault unlocked reads verified rows once.
struct LongUnlockTests {
    private let vault: PolicyTests

    init() throws { vault = try PolicyTests() }

    private func sign(
        _ quantities: [String], to name: String = "bob", with unlocked: borrowing UnlockedVault
    ) throws -> [SigningError?] {
        let requests = try quantities.map { quantity in
            try vault.request(quantity, to: name).authorize(.empty, consent: ScriptConsent())
        }
        return try AuthorizedRequest.sign(requests, with: unlocked) { _ in true }.map { result in
            if case .failure(let error)? = result { error } else { nil }
        }
    }

    private func isRefused(_ errors: [SigningError?]) -> [Bool] {
        errors.map { if case .policy? = $0 { true } else { false } }
    }

    private func setPolicy(_ limits: String = PolicyTests.limits) throws {
        try vault.setPolicy(PolicyTests.document(limits))
    }

    private func kept(_ unlocked: borrowing UnlockedVault) throws -> KeyUses {
        let key = EntryName(vault.alice.publicKey)
        return try unlocked.withoutRecord { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.keys.content.uses(of: key, in: transaction.buckets)
        }
    }

    // MARK: - uses of limits

    /// What is kept after each group is what a new unlock reads.
    @Test func keptUsesAreTheStoredOnes() throws {
        try setPolicy(
            #""limits":[{"amount":"10.0000 EOS@eosio.token","per":"24h","each_recipient":true},"#
                + #"{"count":9,"per":"1h"}]"#)
        let unlocked = try vault.unlock()
        let groups: [([String], String, [Bool])] = [
            (["1.0000 EOS", "2.0000 EOS"], "bob", [false, false]),
            (["2.0000 EOS"], "bob", [false]), (["9.0000 EOS"], "carol", [false]),
            (["8.0000 EOS", "0.5000 EOS"], "bob", [true, false]), (["1.0001 EOS"], "carol", [true]),
        ]
        for (quantities, name, refused) in groups {
            #expect(try isRefused(sign(quantities, to: name, with: unlocked)) == refused)
            let (found, stored) = (try kept(unlocked), try kept(vault.unlock()))
            #expect(found.limits == stored.limits && found.times == stored.times)
            #expect(found.sizes == stored.sizes && !found.sizes.isEmpty)
        }
    }

    /// Another process used the limit meanwhile.
    @Test func usesOfAnotherProcessCount() throws {
        try setPolicy()
        let unlocked = try vault.unlock()
        let other = try vault.unlock()
        #expect(try isRefused(sign(["4.0000 EOS"], with: unlocked)) == [false])
        #expect(try isRefused(sign(["5.0000 EOS"], with: other)) == [false])
        #expect(try isRefused(sign(["2.0000 EOS", "1.0000 EOS"], with: unlocked)) == [true, false])
        #expect(try vault.uses(of: vault.alice).sums.first?.byRecipient[nil]?.first?.amount == 100_000)
    }

    /// Nothing that was edited between two groups is authenticated.
    @Test(arguments: [
        "UPDATE counters SET value = x'0100' WHERE name LIKE 'used:%' AND name NOT LIKE '%:times'",
        "DELETE FROM counters WHERE name LIKE 'used:%'",
        "UPDATE audit_head SET sequence = sequence + 1",
    ])
    func editedRowsAreRefused(sql: String) throws {
        try setPolicy()
        let unlocked = try vault.unlock()
        #expect(try isRefused(sign(["4.0000 EOS"], with: unlocked)) == [false])
        try vault.tamper(sql)
        #expect(throws: SigningError.self) { _ = try sign(["1.0000 EOS"], with: unlocked) }
        #expect(throws: SigningError.self) { _ = try sign(["1.0000 EOS"], with: unlocked) }
    }

    /// Where an earlier change verified the rows of a bucket, the rows that are written are
    /// compared with the file.
    @Test(arguments: [
        ("SELECT 1", false), ("UPDATE counters SET value = x'0100'", true),
        ("DELETE FROM counters WHERE name LIKE 'used:%'", true),
        ("UPDATE counters SET name = name || 'x'", true),
    ])
    func writtenRowsAreCompared(sql: String, isRefused: Bool) throws {
        try setPolicy()
        let unlocked = try vault.unlock()
        #expect(try self.isRefused(sign(["4.0000 EOS"], with: unlocked)) == [false])
        let leaf = PolicyUseRow.leaf(of: EntryName(vault.alice.publicKey))
        let error = try unlocked.withoutRecord {
            (transaction: inout VaultTransaction) throws(VaultError) -> VaultError? in
            let (connection, keys) = (transaction.connection, transaction.keys)
            let rows = try leaf.rows(in: connection, keys)
            var names: Set<String> = []
            let query = "SELECT name FROM counters WHERE bucket = \(leaf.bucket)"
            try connection.query(query) { row throws(VaultError) in names.insert(row.text(0) ?? "") }
            #expect(names.count == rows.count && !names.isEmpty)
            try connection.run(sql)
            do throws(VaultError) {
                try leaf.expect(rows, comparing: names, in: connection, keys)
            } catch { return error }
            return nil
        }
        let mismatch = VaultError.integrity(.manifestMismatch(.bucket(.counters, leaf.bucket)))
        #expect(error == (isRefused ? mismatch : nil))
    }

    // MARK: - policies

    /// A policy that was removed from the file still limits the key. A policy that another process
    /// set limits it too.
    @Test func policiesStayVerified() throws {
        try setPolicy()
        let unlocked = try vault.unlock()
        #expect(try isRefused(sign(["4.0000 EOS"], with: unlocked)) == [false])
        let current = try vault.open().unverifiedPolicies()[0]
        let tighter = try StoredPolicy(
            current.subject,
            document: PolicyTests.document(
                #""limits":[{"amount":"5.0000 EOS@eosio.token","per":"24h"}]"#),
            secondMethod: current.secondMethod, setAt: current.setAt)
        try vault.unlock().transaction { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.set(tighter, isLooser: false)
        }
        #expect(try isRefused(sign(["2.0000 EOS", "1.0000 EOS"], with: unlocked)) == [true, false])
        try vault.tamper("DELETE FROM policies")
        #expect(try isRefused(sign(["0.0001 EOS"], with: unlocked)) == [true])
    }

    // MARK: - digests

    private static let digest = SigningDigest(sha256: [1, 2, 3])

    private func refusal(_ body: () throws -> Void) -> DigestRefusal? {
        do { try body() } catch let error as SigningError {
            for refusal in [DigestRefusal.policy, .signedTransaction]
            where error == .vault(.input(.digestRefused(refusal))) { return refusal }
        } catch {}
        return nil
    }

    @Test func aDigestIsSignedAndRecorded() throws {
        let unlocked = try vault.unlock()
        unlocked.vault.requester = Requester(uid: 1000, program: "nodeos, pid 7")
        let key = vault.bob.publicKey
        for _ in 0..<2 {
            #expect(try unlocked.sign(digest: Self.digest, with: key).recover(Self.digest) == key)
        }
        var records: [AuditRecord] = []
        try unlocked.log { records.append($0) }
        let event = AuditEvent.digestSigned(key: EntryName(key), digest: Self.digest.bytes)
        #expect(records.suffix(2).map(\.event) == [event, event])
        #expect(records.last?.requester == unlocked.vault.requester)
    }

    @Test(arguments: [true, false])
    func aKeyWithAPolicySignsNoDigest(ofAllKeys: Bool) throws {
        let unlocked = try vault.unlock()
        _ = try unlocked.sign(digest: Self.digest, with: vault.alice.publicKey)
        try vault.setPolicy(of: ofAllKeys ? .allKeys : .key(EntryName(vault.alice.publicKey)))
        let before = try vault.events().count
        #expect(
            refusal { _ = try unlocked.sign(digest: Self.digest, with: vault.alice.publicKey) } == .policy)
        #expect(try vault.events().count == before)
    }

    /// Before the unlock, or in it.
    @Test func aKeyThatSignedATransactionSignsNoDigest() throws {
        let unlocked = try vault.unlock()
        _ = try unlocked.sign(digest: Self.digest, with: vault.alice.publicKey)
        #expect(try sign(["1.0000 EOS"], with: unlocked) == [nil])
        #expect(
            refusal { _ = try unlocked.sign(digest: Self.digest, with: vault.alice.publicKey) }
                == .signedTransaction)
        let again = try vault.unlock()
        #expect(
            refusal { _ = try again.sign(digest: Self.digest, with: vault.alice.publicKey) }
                == .signedTransaction)
        _ = try again.sign(digest: Self.digest, with: vault.bob.publicKey)
    }

    @Test func otherFailuresOfDigests() throws {
        let unlocked = try vault.unlock()
        let missing = try KeyStoreTests.key("5JNqLXYMQUqgRLJFX9TPALvdemupJHv2igV5tebKDEuBTas64sa").publicKey
        #expect(throws: SigningError.vault(.input(.noSuchKey))) {
            _ = try unlocked.sign(digest: Self.digest, with: missing)
        }
        unlocked.custody.lock()
        #expect(throws: SigningError.vault(.input(.locked))) {
            _ = try unlocked.sign(digest: Self.digest, with: vault.bob.publicKey)
        }
    }
}
