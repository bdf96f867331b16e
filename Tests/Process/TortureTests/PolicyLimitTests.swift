import Codecs
import Keys
import Synchronization
import TestSupport
import Testing

@testable import KeyVault

/// A limit of a policy is never exceeded, and the rest of it is never lost: by kills, and by eight
/// processes that sign at once.
struct PolicyLimitTests {
    /// Kills `sign` at random times. Then all transactions are signed again without a kill: those
    /// that count already, and as many others as the limit still allows.
    @Test func killsExceedNoLimit() throws {
        let trial = try PaymentTrial(limit: 5, transactions: 12)
        let start = ContinuousClock.now
        #expect(try trial.sign(0).status == 0)
        let length = Int(start.duration(to: .now) / .microseconds(1))
        var dice = SplitMix(seed: 13)
        var (kills, rounds, unprinted) = (0, 0, 0)
        let wanted = Torture.pick(short: 20, long: 2_000, variable: "KILLS")
        while kills < wanted {
            rounds += 1
            try trial.bench.restore()
            var (printed, counted): (Set<Int>, Set<Int>) = ([], [])
            for number in trial.numbers {
                let run = try trial.sign(number, death: .after(Int.random(in: 0...length, using: &dice)))
                kills += run.status == nil ? 1 : 0
                if run.output.hasSuffix("\n") { printed.insert(number) }
                let before = counted
                counted = try trial.counted()
                #expect(printed.isSubset(of: counted) && counted.isSubset(of: before.union([number])))
                #expect(counted.count <= trial.limit)
                #expect(run.status == nil || run.status == (counted.contains(number) ? 0 : 3), "\(run.error)")
            }
            unprinted += counted.subtracting(printed).count
            for number in trial.numbers {
                let fits = counted.contains(number) || counted.count < trial.limit
                let run = try trial.sign(number)
                #expect(run.status == (fits ? 0 : 3) && run.output.hasSuffix("\n") == fits, "\(run.error)")
                if fits { counted.insert(number) }
                #expect(try trial.counted() == counted)
            }
            #expect(counted.count == trial.limit)
        }
        #expect(kills >= wanted)
        Torture.report(
            "kills under a policy: \(kills) in \(rounds) rounds, \(unprinted) signatures counted and not printed"
        )
    }

    /// Each transaction is signed by two processes, and counts once.
    @Test func aCrowdExceedsNoLimit() throws {
        let trial = try PaymentTrial(limit: 10, transactions: 20)
        let (program, runs) = (trial.bench.program, trial.numbers.map(trial.arguments))
        let seconds = Torture.pick(short: 0, long: 60, variable: "SECONDS")
        let start = ContinuousClock.now
        var (rounds, signatures, refusals, busy) = (0, 0, 0, 0)
        repeat {
            rounds += 1
            try trial.bench.restore()
            let tally = Mutex(Tally())
            onThreads(8) { worker in
                for step in 0..<4 {
                    let number = (worker * 5 + step * 3) % runs.count
                    do {
                        let run = try program.run(runs[number], death: .after(SafetyLimit.microseconds))
                        tally.withLock { $0.add(run, of: number) }
                    } catch { tally.withLock { $0.failures.append("\(error)") } }
                }
            }
            let result = tally.withLock { $0 }
            #expect(result.failures == [])
            #expect(try trial.counted() == result.printed)
            #expect(result.printed.count <= trial.limit)
            #expect(result.refused == 0 || result.printed.count == trial.limit)
            signatures += result.signatures
            refusals += result.refused
            busy += result.busy
        } while start.duration(to: .now) < .seconds(seconds)
        #expect(refusals > 0)
        Torture.report(
            "limits: 8 processes, \(seconds) s: \(rounds) rounds, \(signatures) signatures, \(refusals) refused by "
                + "the limit, \(busy) because another process used the vault")
    }

    private struct Tally {
        /// The transactions whose signature was printed.
        var printed: Set<Int> = []
        var (signatures, refused, busy) = (0, 0, 0)
        /// Unexpected results.
        var failures: [String] = []

        mutating func add(_ run: Program.Run, of number: Int) {
            switch run.status {
            case 0 where run.output.hasPrefix("SIG_K1_"):
                printed.insert(number)
                signatures += 1
            case 3 where run.output.isEmpty && run.error.contains(#""code":"policy-limit""#): refused += 1
            case 75 where run.output.isEmpty: busy += 1
            default: failures.append("\(run.status.map(String.init) ?? "killed"): \(run.output)\(run.error)")
            }
        }
    }
}

/// A vault whose policy allows some payments of one token each in 30 days, and transactions that
/// pay one token each.
private struct PaymentTrial {
    let bench: Workbench
    let limit: Int
    /// The ids of the transactions.
    private let ids: [String]

    var numbers: Range<Int> { ids.indices }

    init(limit: Int, transactions: Int) throws {
        bench = try Workbench()
        self.limit = limit
        try bench.make(keys: 1...1)
        let policy = """
            {"version": 1, "chains": ["eos"], "rules": [{"contract": "eosio.token", "action": "transfer"}], \
            "limits": [{"amount": "\(limit).0000 EOS@eosio.token", "per": "30d"}]}
            """
        try Files.write(Array(policy.utf8), to: bench.folder.path + "/policy.json")
        try bench.done([
            "policy", "set", "key 1", "policy.json", "--yes", "--pin-file", "old", "--second", "pin",
            "--new-second-file",
            "new",
        ])
        for number in 0..<transactions {
            try Files.write(
                Array(Self.payment(number).utf8), to: bench.folder.path + "/payment-\(number).json")
        }
        ids = try (0..<transactions).map { [bench] number in
            let run = try bench.program.run(["transaction", "id", "payment-\(number).json"])
            return String(run.output.dropLast())
        }
        try bench.save()
    }

    private static func payment(_ number: Int) -> String {
        """
        {"expiration": "2100-01-01T00:00:00", "ref_block_num": 1000, "ref_block_prefix": 305419896, "actions": \
        [{"account": "eosio.token", "name": "transfer", "authorization": [{"actor": "alice", "permission": "active"}], \
        "data": {"from": "alice", "to": "bob", "quantity": "1.0000 EOS", "memo": "\(number)"}}]}
        """
    }

    func arguments(_ number: Int) -> [String] {
        [
            "sign", "payment-\(number).json", "--chain", "eos", "--format", "signatures", "--yes", "--json",
            "--pin-file", "old", "--vault", "data/vault.db",
        ]
    }

    func sign(_ number: Int, death: Program.Death = .never) throws -> Program.Run {
        try bench.program.run(arguments(number), death: death)
    }

    /// The transactions in the verified audit log. The key has the digest of each of them.
    func counted() throws -> Set<Int> {
        let signed = try TrialVault.snapshot(at: bench.vault, with: TrialVault.oldPIN).events.compactMap {
            event in
            if case .signed(_, _, let transaction, _) = event { Hex.encode(transaction) } else { nil }
        }
        let numbers = Set(try signed.map { try #require(ids.firstIndex(of: $0)) })
        let key = EntryName(try TrialVault.key(1).publicKey)
        let digests = try TrialVault.open(bench.vault).unverifiedUses(of: key).parts.filter {
            $0.number >= 0xfe00_0000
        }
        #expect(digests.reduce(0) { $0 + ($1.content.count - 1) / 36 } == numbers.count)
        return numbers
    }
}
