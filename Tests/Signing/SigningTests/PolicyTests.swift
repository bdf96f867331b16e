import ABICodec
import Keys
import Policy
import SecureMemory
import Synchronization
import TestSupport
import Testing
import Transactions

@testable import KeyVault
@testable import Signing

/// Signing with keys that have a policy. The clock of the vault is set by the tests.
struct PolicyTests {
    let signing: SigningRequestTests
    let alice: ChosenKey
    let bob: ChosenKey
    let clock = Clock()

    /// 2026-11-30T23:00:00, an hour before the transactions expire.
    private static let start: Int64 = 1_796_079_600
    private static let day: Int64 = 86_400

    final class Clock: Sendable {
        let now = Atomic<Int64>(PolicyTests.start)
        var vaultClock: VaultClock {
            VaultClock(now: { [self] in now.load(ordering: .relaxed) }, wait: { _ in })
        }
    }

    init() throws {
        signing = try SigningRequestTests()
        alice = try signing.add(SigningRequestTests.alice)
        bob = try signing.add(SigningRequestTests.bob)
    }

    // MARK: - the vault

    func open() throws -> Vault {
        try Vault.open(signing.folder.path + "/vault.db", clock: clock.vaultClock)
    }

    func unlock() throws -> UnlockedVault { try open().unlock(signing.pin()) }

    private func set(clock time: Int64) { clock.now.store(time, ordering: .relaxed) }

    /// The transfers of eosio.token that these limits allow, to any account.
    static func document(_ members: String) -> [UInt8] {
        Array(
            #"{"version":1,"chains":["eos"],"rules":[{"contract":"eosio.token","action":"transfer"}],\#(members)}"#
                .utf8
        )
    }

    static let limits = #""limits":[{"amount":"10.0000 EOS@eosio.token","per":"24h"}]"#

    func setPolicy(
        _ document: [UInt8] = document(limits), of subject: StoredPolicy.Subject? = nil
    ) throws {
        let vault = try unlock()
        let secret = try SlotSecret(
            of: UnlockMethod.pin(signing.pin()), cost: KDFCost(passes: 1, memory: 8_192, insecure: true))
        let policy = try StoredPolicy(
            subject ?? .key(EntryName(alice.publicKey)), document: document,
            secondMethod: SecondMethod.wrapping(secret, in: vault, createdAt: Self.start), setAt: Self.start)
        try vault.transaction { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.set(policy, isLooser: false)
        }
    }

    /// Changes the file as another program would.
    func tamper(_ sql: String) throws { try open().connection.run(sql) }

    func events() throws -> [AuditEvent] {
        var events: [AuditEvent] = []
        try unlock().log { record in events.append(record.event) }
        return events
    }

    private func signatureCount() throws -> Int {
        try events().count { if case .signed = $0 { true } else { false } }
    }

    private func stored(_ key: ChosenKey) throws -> PolicyUses {
        try unlock().withoutRecord { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.policyUses(of: EntryName(key.publicKey))
        }
    }

    func uses(of key: ChosenKey) throws -> LimitUses { try #require(LimitUses(stored(key).parts)) }

    /// How many digests are recognised.
    private func digestCount(of key: ChosenKey) throws -> Int {
        try uses(of: key).digests.shards.reduce(0) { $0 + $1.count }
    }

    /// When the slice of the start has left the window of 24 hours.
    private static let end = newest + day
    private static let newest = Int64(
        Limit.Period.day.lastSecond(ofSlice: Limit.Period.day.slice(of: UInt32(start))))

    // MARK: - requests

    func request(_ quantity: String, to name: String = "bob", by keys: [ChosenKey]? = nil) throws
        -> SigningRequest
    {
        let review = try WarningTests.review([WarningTests.transfer(name, quantity)])
        return try SigningRequest(review, keys: keys ?? [alice])
    }

    /// Authorizes by the file, as `sign` does, then signs.
    @discardableResult
    private func sign(_ request: SigningRequest, consent: any Consent = PersonConsent()) throws
        -> SignedTransaction
    {
        let policies = try open().unverifiedPolicies(
            of: request.missing.map(\.publicKey), at: clock.now.load(ordering: .relaxed))
        return try request.authorize(policies, consent: consent).sign(with: unlock())
    }

    private func refusal(_ body: () throws -> Void) throws -> PolicyRefusal {
        do { try body() } catch SigningError.policy(let refusal) { return refusal }
        throw SigningError.noChain
    }

    private static func exceeded(_ refusal: PolicyRefusal) throws -> PolicyDenial.ExceededLimit {
        guard case .denied(let denial) = refusal.reason, case .limit(let exceeded) = denial.reason else {
            throw SigningError.noChain
        }
        return exceeded
    }

    // MARK: - counting

    @Test func countsEachSignature() throws {
        try setPolicy()
        try sign(request("6.0000 EOS"))
        try sign(request("4.0000 EOS"))
        let refusal = try refusal { try sign(request("0.0001 EOS")) }
        #expect(refusal.key == alice.description && refusal.subject == .key(alice.publicKey))
        let exceeded = try Self.exceeded(refusal)
        #expect(exceeded.value == 1 && exceeded.used == 100_000 && exceeded.remaining == 0)
        #expect(exceeded.resets == UInt32(Self.end))
        // Found before the unlock: nothing is written.
        #expect(try signatureCount() == 2)
        #expect(try !events().contains { if case .policyRefusals = $0 { true } else { false } })
        let sums = try uses(of: alice).sums.first?.byRecipient[nil]
        let slice = Limit.Period.day.slice(of: UInt32(Self.start))
        #expect(sums == [SliceSum(slice: slice, amount: 100_000, count: 2)])
        #expect(try digestCount(of: alice) == 2 && stored(alice).times == PolicyUses.Times(last: Self.start))
        // Another key has no policy.
        try sign(request("11.0000 EOS", by: [bob]))
    }

    @Test func theSameTransactionCountsOnce() throws {
        try setPolicy()
        let first = try sign(request("10.0000 EOS"))
        let second = try sign(request("10.0000 EOS"))
        #expect(first.signatures.map(\.text) == second.signatures.map(\.text))
        #expect(try digestCount(of: alice) == 1)
        #expect(try uses(of: alice).sums.first?.byRecipient[nil]?.first?.amount == 100_000)
        #expect(try signatureCount() == 2)
    }

    @Test(arguments: [
        (Self.end, false), (Self.end + 1, false), (Self.end + 3_600, false), (Self.end - 1, true),
    ])
    func aWindowEnds(at time: Int64, isRefused: Bool) throws {
        try setPolicy()
        try sign(request("10.0000 EOS"))
        set(clock: time)
        guard isRefused else { return try #expect(sign(request("9.0000 EOS")).signatures.count == 1) }
        let exceeded = try Self.exceeded(refusal { try sign(request("9.0000 EOS")) })
        #expect(exceeded.resets == UInt32(Self.end))
    }

    /// A row for each shard of recipients, and one for the digests.
    @Test func sumsForEachRecipientAreStored() throws {
        try setPolicy(
            Self.document(
                #""limits":[{"amount":"10.0000 EOS@eosio.token","per":"24h","each_recipient":true},"#
                    + #"{"count":9,"per":"1h"}]"#))
        let names = ["bob", "carol", "dave", "erin"]
        for name in names { try sign(request("6.0000 EOS", to: name)) }
        let uses = try uses(of: alice)
        #expect(uses.sums.map(\.series.isForEachRecipient) == [true, false])
        #expect(try Set(uses.sums[0].byRecipient.keys) == Set(names.map { try Name($0) }))
        #expect(uses.sums[1].byRecipient[nil]?.map(\.count) == [4])
        for name in names {
            #expect(try Self.exceeded(refusal { try sign(request("4.0001 EOS", to: name)) }).used == 60_000)
        }
        // Without the limit for each recipient, its sums are moved to those of all.
        let current = try open().unverifiedPolicies()[0]
        let all = try StoredPolicy(
            current.subject,
            document: Self.document(#""limits":[{"amount":"30.0000 EOS@eosio.token","per":"7d"}]"#),
            secondMethod: current.secondMethod, setAt: Self.start)
        try unlock().transaction { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.set(all, isLooser: false)
        }
        #expect(try Self.exceeded(refusal { try sign(request("6.0001 EOS", to: "bob")) }).used == 240_000)
        try sign(request("5.0000 EOS", to: "bob"))
        #expect(try self.uses(of: alice).sums.map { $0.byRecipient[nil]?.map(\.amount) } == [[290_000]])
        #expect(try stored(alice).parts.filter { $0.number < 0xfe00_0000 }.map(\.number) == [0])
        #expect(try digestCount(of: alice) == 5)
    }

    /// The vault decides again: what the file showed before the unlock may be old.
    @Test func decidesAgainOnVerifiedRows() throws {
        try setPolicy()
        try sign(request("6.0000 EOS"))
        let request = try request("5.0000 EOS")
        let vault = try unlock()
        for _ in 0..<2 {
            let exceeded = try Self.exceeded(refusal { _ = try request.authorize(.empty).sign(with: vault) })
            #expect(exceeded.used == 60_000)
        }
        #expect(try signatureCount() == 1)
        #expect(try !events().contains { if case .policyRefusals = $0 { true } else { false } })
        // They are recorded once, with the next change.
        try sign(self.request("4.0000 EOS"))
        let refusals = try events().filter { if case .policyRefusals = $0 { true } else { false } }
        let kind = PolicyRefusals.Kind(
            key: EntryName(alice.publicKey), code: "policy-limit", part: "/limits/0")
        #expect(
            refusals == [
                .policyRefusals(
                    PolicyRefusals(count: 2, first: Self.start, last: Self.start, counts: [kind: 2]))
            ])
    }

    @Test func aPolicyOfAllKeysAndOneOfAKey() throws {
        try setPolicy(of: .allKeys)
        try sign(request("10.0000 EOS", by: [bob]))
        #expect(try refusal { try sign(request("1.0000 EOS", by: [bob])) }.subject == .allKeys)
        // Each key has its own counters.
        try sign(request("10.0000 EOS"))
        // Its own policy takes the place of the other one.
        let tighter = Self.document(#""limits":[{"amount":"1.0000 EOS@eosio.token","per":"transaction"}]"#)
        let stored = try open().unverifiedPolicies()[0]
        let own = try StoredPolicy(
            .key(EntryName(alice.publicKey)), document: tighter, secondMethod: stored.secondMethod,
            setAt: Self.start)
        try unlock().transaction { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.set(own, isLooser: false)
        }
        try sign(request("0.9999 EOS"))
        let exceeded = try Self.exceeded(refusal { try sign(request("1.0001 EOS")) })
        #expect(exceeded.limit.period == .transaction)
        // Either all keys sign or none does.
        let both = try request("1.0001 EOS", by: [bob, alice])
        #expect(throws: SigningError.self) { try both.authorize(.empty).sign(with: unlock()) }
        #expect(try digestCount(of: bob) == 1)
    }

    // MARK: - the clock

    @Test(arguments: [-3_600, -Self.day, -365 * Self.day])
    func settingTheClockBackFreesNothing(step: Int64) throws {
        try setPolicy()
        try sign(request("10.0000 EOS"))
        for time in [Self.start + step, Self.start, Self.end - 1] {
            set(clock: time)
            #expect(try Self.exceeded(refusal { try sign(request("0.0001 EOS")) }).used == 100_000)
        }
        // A signature at the earlier time counts at the later one.
        set(clock: Self.end)
        try sign(request("4.0000 EOS"))
        set(clock: Self.start + step)
        try sign(request("5.0000 EOS"))
        #expect(try stored(alice).times?.last == Self.end)
        let slice = Limit.Period.day.slice(of: UInt32(Self.end))
        #expect(
            try uses(of: alice).sums.first?.byRecipient[nil] == [
                SliceSum(slice: slice, amount: 90_000, count: 2)
            ])
    }

    @Test(arguments: [3_600, 25 * 3_600, 25 * 3_600 + 1, 2 * Self.day, 365 * Self.day] as [Int64])
    func aStepForwardNeedsAPerson(step: Int64) throws {
        try setPolicy()
        try sign(request("10.0000 EOS"))
        set(clock: Self.start + step)
        let request = try request("1.0000 EOS")
        let isStep = step > 25 * 3_600
        func script() throws { try sign(request, consent: ScriptConsent([])) }
        guard isStep else {
            guard Self.start + step < Self.end else { return try script() }
            #expect(try Self.exceeded(refusal(script)).used == 100_000)
            return
        }
        #expect(try refusal(script).reason == .needsConfirmation(.clockStep(seconds: UInt32(step))))
        // The question did not show the step.
        #expect(throws: SigningError.policiesChangedSinceReview) {
            try request.authorize(.empty).sign(with: unlock())
        }
        let policies = try open().unverifiedPolicies(of: [alice.publicKey], at: Self.start + step)
        let authorized = try request.authorize(policies)
        #expect(authorized.confirmations == [.clockStep(seconds: UInt32(step))])
        #expect(try authorized.sign(with: unlock()).signatures.count == 1)
        // The signature is the last record now.
        try sign(self.request("2.0000 EOS"), consent: ScriptConsent([]))
    }

    /// A signature while the clock was a year ahead blocks the limit until a record corrects it.
    @Test func aCorrectedClockFreesTheLimit() throws {
        try setPolicy(
            Self.document(
                #""limits":[{"amount":"10.0000 EOS@eosio.token","per":"24h","each_recipient":true},"#
                    + #"{"count":9,"per":"1h"}]"#))
        try sign(request("1.0000 EOS"))
        let year = 365 * Self.day
        set(clock: Self.start + year)
        try sign(request("6.0000 EOS"))
        set(clock: Self.start + 10)
        let refusal = try refusal { try sign(request("5.0000 EOS")) }
        #expect(refusal.clockLag == UInt32(year - 10))
        #expect(try Self.exceeded(refusal).resets ?? 0 > UInt32(Self.start + year))
        let policies = try open().unverifiedPolicies()
        let proof = try unlock().proveSecond(UnlockMethod.pin(signing.pin()), of: policies)
        let count = try events().count
        try unlock().transaction { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.correctClock(proof: proof)
        }
        #expect(try events().suffix(1) == [.clockCorrected(last: Self.start + year)])
        #expect(try events().count == count + 1)
        // The use of the later time counts as made now.
        let last = UInt32(Self.start + 10)
        let stored = try stored(alice)
        #expect(stored.times == PolicyUses.Times(last: Int64(last)))
        let uses = try uses(of: alice)
        for sums in uses.sums {
            let slices = sums.byRecipient.values.flatMap { $0 }.map(\.slice)
            #expect(slices.max() == sums.series.period.slice(of: last))
        }
        let exceeded = try Self.exceeded(self.refusal { try sign(request("4.0001 EOS")) })
        #expect(exceeded.used == 60_000 && exceeded.resets == UInt32(Self.end))
        try sign(request("4.0000 EOS"))
        set(clock: Self.end)
        try sign(request("10.0000 EOS"))
    }

    @Test func aPolicyThatAlwaysNeedsAPerson() throws {
        try setPolicy(Self.document(#""transaction":{"confirm":"always"}"#))
        let request = try request("1.0000 EOS")
        #expect(
            try refusal { try sign(request, consent: ScriptConsent([])) }.reason
                == .needsConfirmation(.always))
        #expect(try sign(request).signatures.count == 1)
    }

    // MARK: - files that another program changed

    @Test(arguments: [
        "UPDATE policies SET value = substr(value, 1, length(value) - 1)",
        "UPDATE policies SET value = CAST(substr(value, 1, 20) || x'00' || substr(value, 22) AS BLOB)",
        "DELETE FROM policies",
        "INSERT INTO policies VALUES ('*', x'07')",
        "DELETE FROM counters",
        "UPDATE counters SET value = CAST(substr(value, 1, length(value) - 1) || x'02' AS BLOB)",
        "UPDATE counters SET name = replace(name, ':00000000', ':00000001')",
    ])
    func aChangedRowIsRefused(sql: String) throws {
        try setPolicy()
        try sign(request("1.0000 EOS"))
        try tamper(sql)
        let error = try #require(throws: SigningError.self) {
            try request("1.0000 EOS").authorize(.empty).sign(with: unlock())
        }
        let table: VaultTable = sql.contains("counters") ? .counters : .policies
        guard case .store(let failure) = error else { throw error }
        switch failure.error as? VaultError {
        case .integrity(.manifestMismatch(.bucket(table, _))), .input(.policySet),
            .integrity(.damaged(.row(.counters))):
            break
        default: Issue.record(error)
        }
        #expect(try signatureCount() == 1)
    }

    /// The rows of two keys are exchanged.
    @Test(arguments: ["policies", "counters"])
    func swappedRowsAreRefused(table: String) throws {
        try setPolicy()
        try setPolicy(
            Self.document(#""limits":[{"amount":"99.0000 EOS@eosio.token","per":"24h"}]"#),
            of: .key(EntryName(bob.publicKey)))
        try sign(request("9.0000 EOS", by: [alice]))
        try sign(request("8.0000 EOS", by: [bob]))
        let vault = try open()
        try vault.connection.run("CREATE TEMP TABLE old AS SELECT name, value FROM \(table)")
        try vault.connection.run(
            """
            UPDATE \(table) SET value = (
            SELECT value FROM old WHERE old.name <> \(table).name AND old.name GLOB '*EOS*'
            ) WHERE name GLOB '*EOS*'
            """)
        #expect(throws: SigningError.self) {
            try request("1.0000 EOS").authorize(.empty).sign(with: unlock())
        }
        #expect(try signatureCount() == 2)
    }

    /// The rows of an earlier state, which the vault verified then.
    @Test func earlierRowsAreRefused() throws {
        try setPolicy()
        try sign(request("1.0000 EOS"))
        let vault = try open()
        try vault.connection.run("CREATE TEMP TABLE old AS SELECT * FROM counters")
        try sign(request("2.0000 EOS"))
        try vault.connection.run("DELETE FROM counters")
        try vault.connection.run("INSERT INTO counters SELECT * FROM old")
        #expect(throws: SigningError.self) {
            try request("3.0000 EOS").authorize(.empty).sign(with: unlock())
        }
        #expect(try signatureCount() == 2)
    }

    /// The last record, whose time decides about a step of the clock, is verified.
    @Test func aChangedLastRecordIsRefused() throws {
        try setPolicy()
        try tamper(
            """
            UPDATE audit SET body = CAST(substr(body, 1, 2) || x'ff' || substr(body, 4) AS BLOB)
            WHERE sequence = (SELECT max(sequence) FROM audit)
            """)
        #expect(throws: SigningError.vault(.integrity(.damaged(.row(.audit))))) {
            try request("1.0000 EOS").authorize(.empty).sign(with: unlock())
        }
    }

    @Test(arguments: ["07", "7b7d"])
    func aPolicyThatCanNotBeReadRefusesEverySignature(hex: String) throws {
        try setPolicy([UInt8](hex.utf8))
        #expect(throws: VaultError.input(.policySet)) { try sign(request("1.0000 EOS")) }
        #expect(throws: SigningError.vault(.input(.policySet))) {
            try request("1.0000 EOS").authorize(.empty).sign(with: unlock())
        }
        #expect(try sign(request("1.0000 EOS", by: [bob])).signatures.count == 1)
    }

    @Test func aUseThatCanNotBeReadIsRefused() throws {
        try setPolicy()
        let name = EntryName(alice.publicKey)
        try unlock().transaction { (transaction: inout VaultTransaction) throws(VaultError) in
            let part = PolicyUses.Part(number: 0, content: [1])
            try transaction.store([part], PolicyUses.Times(last: Self.start), of: name)
        }
        #expect(throws: SigningError.vault(.integrity(.damaged(.row(.counters))))) {
            try request("1.0000 EOS").authorize(.empty).sign(with: unlock())
        }
    }

    @Test func aReadOnlyVaultSignsNothing() throws {
        try setPolicy()
        let refusal = try refusal {
            let request = try request("1.0000 EOS")
            _ = try request.authorize(.empty).signWithoutRecord(with: unlock())
        }
        #expect(refusal.reason == .notCounted)
        #expect(
            try request("1.0000 EOS", by: [bob]).authorize(.empty).signWithoutRecord(with: unlock())
                .signatures.count
                == 1)
    }

    @Test func aRestoreUsesUpTheLimits() throws {
        try setPolicy()
        let name = EntryName(alice.publicKey)
        try unlock().transaction { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.store([], PolicyUses.Times(last: Self.start, restored: Self.start), of: name)
        }
        let exceeded = try Self.exceeded(refusal { try sign(request("1.0000 EOS")) })
        #expect(exceeded.used == 100_000 && exceeded.resets == UInt32(Self.start + Self.day))
        set(clock: Self.start + Self.day)
        #expect(try sign(request("10.0000 EOS")).signatures.count == 1)
    }

    // MARK: - many transactions

    private func batch() -> SigningBatch {
        SigningBatch(
            chain: signing.chain, abis: ContractABIs(), keys: [alice], own: OwnKeys([alice.description]),
            consent: ScriptConsent())
    }

    private func history() throws -> SigningBatch.History<PaymentLedger> {
        SigningBatch.History(
            payments: try open().unverifiedLedger(),
            policies: try open().unverifiedPolicies(
                of: [alice.publicKey], at: clock.now.load(ordering: .relaxed)))
    }

    private func line(_ quantity: String) -> [UInt8] {
        Array("{\(ReviewTests.header),\"actions\":[\(WarningTests.transfer("bob", quantity))]}".utf8)
    }

    @Test func aBatchCountsItsTransactions() throws {
        try setPolicy()
        let batch = batch()
        var history = try history()
        var requests: [SigningBatch.Request] = []
        for quantity in ["6.0000 EOS", "3.0000 EOS"] {
            let request = try batch.request(reading: line(quantity), history: history)
            request.add(to: &history, at: Self.start)
            requests.append(request)
        }
        let denied = try refusal { _ = try batch.request(reading: line("2.0000 EOS"), history: history) }
        #expect(try Self.exceeded(denied).used == 90_000)
        // Another process signed meanwhile.
        try sign(request("4.0000 EOS", to: "carol"))
        var results: [Result<SignedTransaction, any Error>] = []
        _ = try batch.signPart(with: unlock(), after: nil) { sign throws(SigningError) in
            for request in requests {
                _ = try sign(.success(request)) { results.append($0.map(\.transaction)) }
            }
            _ = try sign(.failure(SigningError.policy(denied))) { results.append($0.map(\.transaction)) }
        }
        #expect(try results[0].get().signatures.count == 1)
        #expect(try Self.exceeded(refusal { _ = try results[1].get() }).used == 100_000)
        let kind = PolicyRefusals.Kind(
            key: EntryName(alice.publicKey), code: "policy-limit", part: "/limits/0")
        // The next change records them.
        try sign(self.request("1.0000 EOS", by: [bob]))
        let refusals = try events().filter { if case .policyRefusals = $0 { true } else { false } }
        #expect(
            refusals == [
                .policyRefusals(
                    PolicyRefusals(count: 2, first: Self.start, last: Self.start, counts: [kind: 2]))
            ])
        #expect(try digestCount(of: alice) == 2)
    }

    @Test(arguments: [#""transaction":{"confirm":"always"}"#, Self.limits])
    func aBatchConfirmsNothing(members: String) throws {
        try setPolicy(Self.document(members))
        if members == Self.limits { set(clock: Self.start + 2 * Self.day) }
        let refusal = try refusal { _ = try batch().request(reading: line("1.0000 EOS"), history: history()) }
        guard case .needsConfirmation = refusal.reason else { throw SigningError.noChain }
    }
}
