import ABICodec
import JSON
import Testing
import Transactions

@testable import Policy

/// Each limit below it, exactly at it, and one unit over it.
struct LimitTests {
    private static let eos = "4,EOS@eosio.token"

    /// The limit that a request exceeds.
    private static func exceeded(_ denial: PolicyDenial?) -> PolicyDenial.ExceededLimit? {
        guard case .limit(let exceeded) = denial?.reason else { return nil }
        return exceeded
    }

    @Test func amountOfATransaction() throws {
        let policy = try Sample.policy(limits: #"{"amount":"10.0000 EOS@eosio.token","per":"transaction"}"#)
        func denial(_ quantities: String...) throws -> PolicyDenial? {
            try policy.denial(
                of: Sample.request(quantities.map { try Sample.transfer($0) }), [Sample.entry(100_000)])
        }
        #expect(try denial("9.9999 EOS") == nil)
        #expect(try denial("10.0000 EOS") == nil)
        #expect(try denial("4.0000 EOS", "6.0000 EOS") == nil)
        #expect(try denial("10.0001 EOS", "11.0000 EOS") != nil)
        #expect(try denial("11.0000 A") == nil)
        let denied = try #require(try denial("4.0000 EOS", "6.0001 EOS"))
        #expect(
            denied
                == PolicyDenial(
                    reason: .limit(
                        PolicyDenial.ExceededLimit(
                            limit: policy.limits[0], recipient: nil, value: 100_001, used: 0, resets: nil)),
                    part: .limit(0), member: "/limits/0/amount", action: nil))
        #expect(Self.exceeded(denied)?.remaining == 100_000)
    }

    @Test(arguments: ["amount", "count"])
    func anotherPrecisionIsDenied(measure: String) throws {
        let value =
            measure == "amount"
            ? #""amount":"10.0000 EOS@eosio.token""# : #""count":9,"token":"4,EOS@eosio.token""#
        let policy = try Sample.policy(limits: #"{"count":9,"per":"1h"},{\#(value),"per":"24h"}"#)
        let request = try Sample.request([Sample.transfer("1.0000 EOS"), Sample.transfer("1.000 EOS")])
        let denied = PolicyDenial(
            reason: .otherPrecision(try #require(Token("3,EOS@eosio.token"))), part: .limit(1),
            member: "/limits/1/\(measure)", action: nil)
        #expect(policy.denial(of: request) == denied)
        // It was never allowed, so it is not counted either.
        #expect(try policy.denial(of: request, [Sample.entry(1, id: 1)]) == denied)
        #expect(try policy.denial(of: Sample.request([Sample.transfer("1.000 EOSX")])) == nil)
    }

    @Test func otherContractsHaveOtherTokens() throws {
        let policy = try Sample.policy(
            #""rules":[{"contract":"fake","action":"transfer"}],"limits":[{"amount":"0.0000 EOS@eosio.token","#
                + #""per":"transaction"}]"#)
        #expect(
            try policy.denial(of: Sample.request([Sample.transfer("1.0000 EOS", contract: "fake")])) == nil)
    }

    @Test(
        arguments: [("1h", 3_600), ("24h", 86_400), ("7d", 604_800), ("30d", 2_592_000)] as [(String, UInt32)]
    )
    func rollingWindows(period: String, seconds: UInt32) throws {
        let policy = try Sample.policy(limits: #"{"amount":"10.0000 EOS@eosio.token","per":"\#(period)"}"#)
        let time = Sample.now - 1_000
        let end = Self.newest(time, in: seconds) + seconds
        // At most one slice late.
        #expect(end >= time + seconds && end - time - seconds <= seconds / 256)
        func denial(_ quantity: String, clock: UInt32) throws -> PolicyDenial? {
            try policy.denial(
                of: Sample.request([Sample.transfer(quantity)]), [Sample.entry(50_000, ago: 1_000)],
                clock: clock)
        }
        #expect(try denial("5.0000 EOS", clock: end - 1) == nil)
        let denied = Self.exceeded(try denial("5.0001 EOS", clock: end - 1))
        #expect(denied?.used == 50_000)
        #expect(denied?.value == 50_001)
        #expect(denied?.remaining == 50_000)
        #expect(denied?.resets == end)
        // At the edge of the window, to the second.
        #expect(try denial("10.0000 EOS", clock: end) == nil)
        #expect(Self.exceeded(try denial("10.0001 EOS", clock: end))?.used == 0)
        #expect(Self.exceeded(try denial("10.0001 EOS", clock: end))?.resets == nil)
    }

    /// The newest second in the slice of a time.
    private static func newest(_ time: UInt32, in window: UInt32) -> UInt32 {
        var newest = time
        while UInt64(newest + 1) * 256 / UInt64(window) == UInt64(time) * 256 / UInt64(window) { newest += 1 }
        return newest
    }

    @Test func theWindowEndsWhenEnoughEntriesAreOut() throws {
        let policy = try Sample.policy(limits: #"{"amount":"10.0000 EOS@eosio.token","per":"1h"}"#)
        let history = try [
            Sample.entry(20_000, ago: 10), Sample.entry(30_000, ago: 30), Sample.entry(40_000, ago: 20),
            Sample.entry(1, ago: 3_700),
        ]
        func resets(_ quantity: String) throws -> UInt32? {
            Self.exceeded(try policy.denial(of: Sample.request([Sample.transfer(quantity)]), history))?.resets
        }
        #expect(try resets("1.0000 EOS") == nil)
        #expect(try resets("1.0001 EOS") == Sample.now - 29 + 3_600)
        #expect(try resets("4.0000 EOS") == Sample.now - 29 + 3_600)
        #expect(try resets("4.0001 EOS") == Sample.now - 15 + 3_600)
        #expect(try resets("8.0001 EOS") == Sample.now - 1 + 3_600)
    }

    @Test func theClock() throws {
        let policy = try Sample.policy(limits: #"{"amount":"10.0000 EOS@eosio.token","per":"24h"}"#)
        let request = try Sample.request([Sample.transfer("10.0000 EOS")])
        let history = try [Sample.entry(1)]
        for (step, isDenied) in [
            (3_600, true), (86_736, true), (86_737, false), (31_536_000, false), (-3_600, true),
            (-86_400, true),
            (-31_536_000, true),
        ] {
            let clock = UInt32(Int(Sample.now) + step)
            #expect((policy.denial(of: request, history, clock: clock, last: Sample.now) != nil) == isDenied)
        }
        // An entry from the future counts.
        #expect(policy.denial(of: request, history, clock: Sample.now - 100_000) != nil)
        let early = try policy.allowance(of: request, clock: Sample.now - 5, last: Sample.now)
        #expect(early.entries.map(\.time) == [Sample.now])
    }

    /// A restore uses up each rolling limit until its window has passed, to the second.
    @Test(arguments: Limit.Period.allCases) func restored(period: Limit.Period) throws {
        let policy = try Sample.policy(
            limits: #"{"amount":"9.0000 EOS@eosio.token","per":"\#(period.rawValue)","each_recipient":true}"#)
        let request = try Sample.request([Sample.transfer("4.0000 EOS")])
        guard let window = period.seconds else {
            #expect(policy.denial(of: request, restored: Sample.now) == nil)
            return
        }
        func exceeded(
            _ request: PolicyRequest, ago: UInt32, _ history: PolicyEntry...
        ) -> PolicyDenial.ExceededLimit? {
            Self.exceeded(policy.denial(of: request, history, restored: Sample.now - ago))
        }
        #expect(policy.denial(of: request, restored: Sample.now - window) == nil)
        let denied = try #require(exceeded(request, ago: window - 1))
        #expect(denied.value == 40_000 && denied.used == 90_000 && denied.remaining == 0)
        #expect(denied.resets == Sample.now + 1)
        // A later entry keeps the limit longer, an earlier one does not.
        #expect(
            try exceeded(request, ago: 10, Sample.entry(60_000, ago: 5))?.resets == Self.newest(
                Sample.now - 5, in: window) + window)
        let earlier = max(Sample.now - 10, Self.newest(Sample.now - 15, in: window))
        #expect(try exceeded(request, ago: 10, Sample.entry(60_000, ago: 15))?.resets == earlier + window)
        #expect(try exceeded(request, ago: 10, Sample.entry(100_000, ago: 15))?.used == 100_000)
        #expect(try exceeded(Sample.request([Sample.transfer("9.0001 EOS")]), ago: 10)?.resets == nil)
        // The last record counts as the time.
        #expect(policy.denial(of: request, clock: 0, last: Sample.now, restored: Sample.now - window) == nil)
        // A payment of another token, and a transaction that was counted before, are not affected.
        #expect(
            try policy.denial(of: Sample.request([Sample.transfer("1.0000 A")]), restored: Sample.now) == nil)
        #expect(try policy.denial(of: request, [Sample.entry(0, id: 1)], restored: Sample.now) == nil)
        #expect(Self.exceeded(policy.denial(of: request, clock: .max, restored: .max))?.used == 90_000)
        #expect(Self.exceeded(policy.denial(of: request, clock: .max, restored: .max))?.resets == nil)
    }

    @Test func counts() throws {
        let policy = try Sample.policy(
            limits: #"{"count":2,"per":"1h"},{"count":3,"token":"4,EOS@eosio.token","per":"24h"}"#)
        let transaction = try Sample.entry(0, ago: 3_599, token: nil)
        let request = try Sample.request([Sample.transfer("1.0000 EOS"), Sample.transfer("2.0000 EOS")])
        #expect(
            try policy.allowance(of: request, [transaction]).entries == [
                Sample.entry(0, token: nil, id: 1), Sample.entry(30_000, id: 1, count: 2),
            ])
        let denied = Self.exceeded(policy.denial(of: request, [transaction, transaction]))
        #expect(
            denied
                == PolicyDenial.ExceededLimit(
                    limit: policy.limits[0], recipient: nil, value: 1, used: 2, resets: Sample.now + 14))
        #expect(
            try policy.denial(of: request, [Sample.entry(0, ago: 3_600), Sample.entry(1, ago: 86_401)]) == nil
        )
        #expect(
            Self.exceeded(try policy.denial(of: request, [Sample.entry(0, count: 2)]))?.limit
                == policy.limits[1])
        #expect(
            Self.exceeded(try policy.denial(of: request, [Sample.entry(0, count: .max)]))?.used
                == 4_294_967_295)
        // A transaction without payments is one.
        let none = try Sample.policy(
            #""rules":[{"contract":"a","action":"b"}],"limits":[{"count":0,"per":"transaction"}]"#)
        #expect(Self.exceeded(try none.denial(of: Sample.request([Sample.action("a", "b", [])])))?.value == 1)
    }

    @Test func recipients() throws {
        let policy = try Sample.policy(
            limits: #"{"amount":"5.0000 EOS@eosio.token","per":"24h","each_recipient":true},"#
                + #"{"count":2,"token":"4,EOS@eosio.token","per":"transaction","each_recipient":true}"#)
        let request = try Sample.request([
            Sample.transfer("4.0000 EOS", to: "bob"), Sample.transfer("5.0000 EOS", to: "carol"),
            Sample.transfer("1.0000 EOS", to: "bob"),
        ])
        #expect(
            try policy.allowance(of: request).entries == [
                Sample.entry(50_000, to: "bob", id: 1, count: 2), Sample.entry(50_000, to: "carol", id: 1),
            ])
        #expect(try policy.denial(of: request, [Sample.entry(50_000, to: "dave")]) == nil)
        let denied = Self.exceeded(try policy.denial(of: request, [Sample.entry(1, to: "carol", ago: 4)]))
        #expect(try denied?.recipient == Name("carol"))
        #expect(denied?.resets == Sample.now - 1 + 86_400)
        // An entry without a recipient counts for each of them.
        #expect(try Self.exceeded(policy.denial(of: request, [Sample.entry(1)]))?.recipient == Name("bob"))
        let many = try Sample.request(Array(repeating: Sample.transfer("1.0000 EOS"), count: 3))
        #expect(Self.exceeded(policy.denial(of: many))?.limit == policy.limits[1])
    }

    @Test func theSameTransactionCountsOnce() throws {
        let policy = try Sample.policy(
            limits:
                #"{"amount":"5.0000 EOS@eosio.token","per":"24h"},"#
                + #"{"amount":"5.0000 EOS@eosio.token","per":"transaction"}"#
        )
        let history = try [Sample.entry(50_000, id: 1), Sample.entry(50_000, id: 2)]
        #expect(
            try policy.allowance(of: Sample.request([Sample.transfer("5.0000 EOS")]), history).entries.isEmpty
        )
        #expect(try policy.denial(of: Sample.request([Sample.transfer("5.0000 EOS")], id: 3), history) != nil)
        #expect(
            Self.exceeded(try policy.denial(of: Sample.request([Sample.transfer("5.0001 EOS")]), history))?
                .limit
                == policy.limits[1])
    }

    @Test func entriesAreOnlyForLimitsOfWindows() throws {
        let request = try Sample.request([Sample.transfer("1.0000 EOS"), Sample.transfer("1.0000 A")])
        let single = try Sample.policy(
            limits:
                #"{"amount":"5.0000 EOS@eosio.token","per":"transaction"},{"count":1,"per":"transaction"}"#)
        #expect(try single.allowance(of: request).entries.isEmpty)
        let rolling = try Sample.policy(limits: #"{"amount":"5.0000 A@eosio.token","per":"1h"}"#)
        #expect(
            try rolling.allowance(of: request).entries == [
                Sample.entry(10_000, token: "4,A@eosio.token", id: 1)
            ])
    }

    @Test func sumsDoNotOverflow() throws {
        let policy = try Sample.policy(
            limits:
                #"{"amount":"461168601842738.7903 EOS@eosio.token","per":"24h"},{"count":4294967295,"per":"24h"}"#
        )
        let greatest = try Sample.transfer("461168601842738.7903 EOS")
        #expect(try policy.allowance(of: Sample.request([greatest])).entries.first?.amount == 0)
        #expect(
            try policy.allowance(of: Sample.request([greatest])).entries.last?.amount == UInt64(1) << 62 - 1)
        let two = Self.exceeded(try policy.denial(of: Sample.request([greatest, greatest])))
        #expect(two?.value == UInt128(1) << 63 - 2)
        #expect(two?.resets == nil)
        let history = try Array(repeating: Sample.entry(.max), count: 9_000)
        #expect(
            Self.exceeded(try policy.denial(of: Sample.request([greatest]), history))?.used
                == UInt128(UInt64.max))
        // A negative amount counts as a positive one.
        let negative = try Sample.transfer("-461168601842738.7903 EOS")
        #expect(
            Self.exceeded(try policy.denial(of: Sample.request([negative, greatest])))?.value == UInt128(1)
                << 63 - 2)
        let counted = try Sample.policy(limits: #"{"count":9,"token":"4,EOS@eosio.token","per":"24h"}"#)
        let entries = try counted.allowance(of: Sample.request(Array(repeating: greatest, count: 9))).entries
        #expect(entries.map(\.amount) == [.max])
        #expect(PaymentSum.greatest.amount == .max)
    }

    @Test func timesDoNotOverflow() throws {
        let policy = try Sample.policy(limits: #"{"amount":"1.0000 EOS@eosio.token","per":"30d"}"#)
        let entry = PolicyEntry(
            time: .max, transaction: [9], expiration: .max, token: Token(Self.eos), recipient: nil, amount: 1,
            count: 1)
        let denied = Self.exceeded(
            try policy.denial(of: Sample.request([Sample.transfer("1.0000 EOS")]), [entry], clock: .max))
        #expect(denied?.used == 1)
        #expect(denied?.resets == nil)
        #expect(try policy.denial(of: Sample.request([Sample.transfer("1.0000 EOS")]), clock: 0) == nil)
    }

    /// A sum for each recipient and slice.
    @Test func theRoomIsLimited() throws {
        let policy = try Sample.policy(
            limits: #"{"amount":"5.0000 EOS@eosio.token","per":"1h","each_recipient":true}"#)
        // Each slice of 14.0625 seconds has a sum of one recipient.
        let history = try (0..<10).map {
            try Sample.entry(1, to: ["dave", "erin"][$0 % 2], ago: 20 * UInt32($0))
        }
        let uses = policy.uses(after: history, maximum: 6)
        #expect(uses.sumCount <= 6 && uses.room(at: Sample.now).recipients == 2)
        #expect(uses.digests == policy.uses(after: history).digests)
        let used = policy.uses(uses, at: Sample.now, restored: nil)
        #expect(used.map(\.used) == [5, 5])
        func denial(_ count: Int, _ uses: LimitUses, id: UInt8 = 1, ago: UInt32 = 0) throws -> PolicyDenial? {
            let transfers = try ["a", "b", "c", "d", "e", "f", "a"].prefix(count).map {
                try Sample.transfer("1.0000 EOS", to: $0)
            }
            let verdict = policy.evaluate(
                try Sample.request(transfers, id: id), uses: uses, clock: Sample.now, last: nil, restored: nil
            )
            guard case .denied(let denial) = verdict else { return nil }
            return denial
        }
        func full(_ free: UInt32?) -> PolicyDenial {
            PolicyDenial(reason: .roomFull(free: free), part: .policy, member: "/limits", action: nil)
        }
        #expect(try denial(4, uses) == nil)
        // The slices of dave and erin: the newest seconds are now + 14 and now - 15.
        #expect(try denial(5, uses) == full(Sample.now - 15 + 3_600))
        #expect(try denial(6, uses) == full(Sample.now + 14 + 3_600))
        #expect(try denial(6, uses, id: 9) == nil)
        // Recipients that are out of the window are not counted.
        let old = try (0..<6).map { try Sample.entry(1, to: "old\($0 % 5 + 1)", ago: 3_601) }
        #expect(try denial(6, policy.uses(after: old, maximum: 6)) == nil)
        // A transaction with too many recipients never fits.
        #expect(try denial(6, policy.uses(after: [], maximum: 6)) == nil)
        #expect(try denial(6, policy.uses(after: [], maximum: 5)) == full(nil))
    }

    /// A sum that is merged into a newer slice counts longer, never shorter.
    @Test func mergedSumsCountLonger() throws {
        let policy = try Sample.policy(
            limits: #"{"amount":"5.0000 EOS@eosio.token","per":"1h","each_recipient":true}"#)
        let history = try [Sample.entry(1, to: "dave", ago: 3_000), Sample.entry(2, to: "dave", ago: 20)]
        let new = try Sample.entry(4, to: "erin")
        for (maximum, used) in [(2, 3), (3, 2)] as [(Int, UInt128)] {
            let uses = policy.uses(after: history + [new], maximum: maximum)
            let later = policy.uses(uses, at: Sample.now + 1_000, restored: nil)
            #expect(later.map(\.used) == [used, 4])
        }
    }

    /// A limit with another window takes the sums of the old one, and none of them counts shorter.
    @Test(arguments: Limit.Period.allCases.dropFirst(), Limit.Period.allCases.dropFirst())
    func aChangedWindowCountsLonger(old: Limit.Period, new: Limit.Period) throws {
        func policy(_ period: Limit.Period) throws -> KeyPolicy {
            try Sample.policy(limits: #"{"amount":"5.0000 EOS@eosio.token","per":"\#(period.rawValue)"}"#)
        }
        let window = try #require(new.seconds)
        for ago in [0, 1, 500, 3_000] as [UInt32] {
            let time = Sample.now - ago
            let uses = try policy(old).uses(after: [Sample.entry(7, ago: ago)])
            func used(_ clock: UInt32) throws -> UInt128? {
                try policy(new).uses(uses, at: clock, restored: nil).first?.used
            }
            #expect(try used(time + window - 1) == 7)
            // It counts at most one slice of each window longer.
            let late = (old.seconds ?? 0) / 256 + window / 256 + 2
            #expect(try used(time + window + late) == 0)
        }
    }

    // MARK: - amounts

    @Test(arguments: [
        ("eosio.token", "transfer", "from to quantity", "eosio.token", "bob", 1),
        ("gems", "transfer", "from to quantity", "gems", "bob", 1),
        ("gems", "issue", "to quantity", "gems", "bob", 1),
        ("gems", "retire", "quantity", "gems", "gems", 1),
        ("eosio", "buyram", "payer receiver quant", "eosio.token", "bob", 1),
        ("core.vaulta", "buyram", "payer receiver quant", "core.vaulta", "bob", 1),
        ("gems", "buyram", "payer receiver quant", "", "", 0),
        (
            "eosio", "delegatebw", "from receiver stake_net_quantity stake_cpu_quantity", "eosio.token",
            "bob", 2
        ),
        (
            "core.vaulta", "delegatebw", "from receiver stake_net_quantity stake_cpu_quantity", "core.vaulta",
            "bob", 2
        ),
        ("eosio", "powerup", "payer receiver max_payment", "eosio.token", "bob", 1),
        ("eosio", "buyrex", "from amount", "eosio.token", "eosio", 1),
        ("eosio", "deposit", "owner amount", "eosio.token", "eosio", 1),
        ("core.vaulta", "buyrex", "from amount", "core.vaulta", "core.vaulta", 1),
        ("eosio", "rentcpu", "from loan_payment loan_fund", "eosio.token", "eosio", 2),
        ("eosio", "sellrex", "from rex", "eosio", "eosio", 1),
        ("core.vaulta", "swapto", "from to quantity", "eosio.token", "bob", 1),
        ("eosio", "undelegatebw", "from receiver unstake_net_quantity unstake_cpu_quantity", "", "", 0),
        ("eosio", "withdraw", "owner amount", "", "", 0),
        ("eosio", "unstaketorex", "owner receiver from_net from_cpu", "", "", 0),
    ])
    func builtInSums(
        contract: String, action: String, fields: String, token: String, recipient: String, count: Int
    )
        throws
    {
        let fields = try fields.split(separator: " ").map { field -> (String, TypedValue) in
            let name = String(field)
            let isName = ["from", "to", "payer", "receiver", "owner"].contains(name)
            return (
                name,
                isName
                    ? .name(try Name(name == "to" || name == "receiver" ? "bob" : "alice"))
                    : .asset(try Asset("1.0000 EOS"))
            )
        }
        let policy = try Sample.policy(
            #""rules":[{"contract":"\#(contract)","action":"\#(action)"}],"limits":["#
                + #"{"amount":"9.0000 EOS@\#(token.isEmpty ? "eosio.token" : token)","per":"1h","#
                + #""each_recipient":true}]"#
        )
        let entries = try policy.allowance(of: Sample.request([Sample.action(contract, action, fields)]))
            .entries
        let expected = try Sample.entry(
            UInt64(10_000 * count), to: recipient, token: "4,EOS@\(token)", id: 1, count: UInt32(count))
        #expect(entries == (count == 0 ? [] : [expected]))
    }

    @Test func nestedPaymentsCountWhenProposedAndWhenApproved() throws {
        let policy = try Sample.policy(
            #""rules":[{"contract":"eosio.msig","action":"*"},{"contract":"eosio.token","action":"*"}],"#
                + #""limits":[{"amount":"3.0000 EOS@eosio.token","per":"24h"}]"#)
        let transfer = try Sample.transfer("1.0000 EOS")
        for name in ["propose", "approve"] {
            let action = try Sample.action("eosio.msig", name, [], inner: .transaction([transfer]))
            #expect(
                try policy.allowance(of: Sample.request([action, transfer])).entries == [
                    Sample.entry(20_000, id: 1, count: 2)
                ])
            #expect(
                Self.exceeded(try policy.denial(of: Sample.request([action, transfer, action, transfer])))?
                    .value
                    == 40_000)
        }
    }

    /// An action of a token contract whose fields are others can't hide its payment.
    @Test(arguments: [
        ("transfer", "from to quantity", true), ("transfer", "sender to quantity", false),
        ("transfer", "from quantity", false), ("transfer", "from to amount", false), ("transfer", "", false),
        ("issue", "to quantity", true), ("issue", "quantity", false), ("retire", "quantity", true),
        ("retire", "amount", false), ("open", "", true),
    ])
    func unreadablePayments(action: String, fields: String, isAllowed: Bool) throws {
        let fields = try fields.split(separator: " ").map { name -> (String, TypedValue) in
            let isAmount = name == "quantity" || name == "amount"
            return (String(name), isAmount ? .asset(try Asset("1.0000 EOS")) : .name(try Name("bob")))
        }
        let request = try Sample.request([Sample.action("gems", action, fields + [("memo", .text(""))])])
        func policy(_ more: String) throws -> KeyPolicy {
            try Sample.policy(#""rules":[{"contract":"gems","action":"*"}],\#(more)"#)
        }
        let limited = try policy(
            #""limits":[{"count":9,"per":"1h"},{"count":9,"token":"0,GEM@gems","per":"transaction"}]"#)
        #expect(
            try limited.denial(of: request)
                == (isAllowed
                    ? nil
                    : PolicyDenial(
                        reason: .unreadablePayment, part: .limit(1), member: "/limits/1/count",
                        action: PolicyDenial.DeniedAction(
                            path: "actions[0]", contract: Name("gems"), action: Name(action)))))
        // Limits of other contracts don't need it, and a declared amount replaces it.
        #expect(
            try policy(#""limits":[{"count":9,"token":"4,EOS@eosio.token","per":"1h"}]"#).denial(of: request)
                == nil)
        let declared = try policy(
            #""amounts":[{"contract":"gems","action":"\#(action)","amount":"/memo","token":"0,GEM@gems"}],"#
                + #""limits":[{"count":9,"token":"0,GEM@gems","per":"1h"}]"#)
        let reason = declared.denial(of: request)?.reason
        if case .unreadableAmount = reason {} else { Issue.record("\(String(describing: reason))") }
    }

    @Test func declaredAmounts() throws {
        let policy = try Sample.policy(
            """
            "rules":[{"contract":"dex","action":"order"}],
            "amounts":[
            {"contract":"dex","action":"order","amount":"/price","token":"4,EOS@eosio.token","recipient":"/seller"},
            {"contract":"dex","action":"order","amount":"/fee","token":"0,GEM@gems"},
            {"contract":"dex","action":"order","amount":"/price","token":"4,A@core.vaulta"}],
            "limits":[{"amount":"1.0000 EOS@eosio.token","per":"1h","each_recipient":true},
            {"amount":"5 GEM@gems","per":"1h","each_recipient":true},{"amount":"9.0000 A@core.vaulta","per":"1h"}]
            """)
        func request(_ price: String, fee: TypedValue, seller: TypedValue? = nil) throws -> PolicyRequest {
            let seller = try seller ?? .name(Name("bob"))
            return try Sample.request([
                Sample.action(
                    "dex", "order", [("price", .asset(Asset(price))), ("fee", fee), ("seller", seller)])
            ])
        }
        #expect(
            try policy.allowance(of: request("1.0000 EOS", fee: .unquoted("5"))).entries == [
                Sample.entry(10_000, to: "bob", id: 1),
                Sample.entry(5, to: "dex", token: "0,GEM@gems", id: 1),
            ])
        #expect(
            try policy.allowance(of: request("9.0000 A", fee: .plain("-5"))).entries == [
                Sample.entry(90_000, token: "4,A@core.vaulta", id: 1),
                Sample.entry(5, to: "dex", token: "0,GEM@gems", id: 1),
            ])
        #expect(
            Self.exceeded(try policy.denial(of: request("1.0001 EOS", fee: .unquoted("5"))))?.value == 10_001)
        #expect(Self.exceeded(try policy.denial(of: request("1.0000 EOS", fee: .unquoted("-6"))))?.value == 6)
        func unreadable(_ request: PolicyRequest) -> String? {
            guard let denial = policy.denial(of: request), case .unreadableAmount(let pointer) = denial.reason
            else {
                return nil
            }
            #expect(denial.action?.path == "actions[0]")
            return denial.member + pointer.text
        }
        #expect(try unreadable(request("1.00 EOS", fee: .unquoted("5"))) == "/amounts/0/amount/price")
        #expect(try unreadable(request("1.0000 EOS", fee: .text("5 gems"))) == "/amounts/1/amount/fee")
        #expect(try unreadable(request("1.0000 EOS", fee: .absent)) == "/amounts/1/amount/fee")
        #expect(
            try unreadable(request("1.0000 EOS", fee: .unquoted("1"), seller: .absent))
                == "/amounts/0/amount/price")
        #expect(
            try unreadable(request("1.0000 EOS", fee: .unquoted("1"), seller: .text("X")))
                == "/amounts/0/amount/price")
    }

    /// Each entry of a field counts whose token the amount may be, whatever their order is.
    @Test func declaredAmountsOfSeveralTokens() throws {
        func amount(_ token: String, _ recipient: String = "/seller") -> String {
            #"{"contract":"dex","action":"order","amount":"/price","token":"\#(token)","recipient":"\#(recipient)"}"#
        }
        func policy(_ amounts: String...) throws -> KeyPolicy {
            try Sample.policy(
                #""rules":[{"contract":"dex","action":"order"}],"amounts":[\#(amounts.joined(separator: ","))],"#
                    + #""limits":[{"amount":"1.0000 EOS@eosio.token","per":"1h"},"#
                    + #"{"amount":"1.0000 EOS@gems","per":"1h"}]"#)
        }
        func request(_ price: TypedValue) throws -> PolicyRequest {
            try Sample.request([
                Sample.action(
                    "dex", "order", [("price", price), ("seller", .name(Name("bob"))), ("none", .absent)])
            ])
        }
        let (one, other) = (amount("4,EOS@eosio.token"), amount("4,EOS@gems"))
        for policy in [try policy(one, other), try policy(other, one)] {
            let entries = try policy.allowance(of: request(.asset(Asset("1.0000 EOS")))).entries
            #expect(Set(entries.compactMap(\.token?.text)) == ["4,EOS@eosio.token", "4,EOS@gems"])
            #expect(entries.map(\.amount) == [10_000, 10_000])
            #expect(try policy.allowance(of: request(.unquoted("10000"))).entries.count == 2)
            #expect(
                Self.exceeded(try policy.denial(of: request(.unquoted("10001"))))?.limit == policy.limits[0])
            #expect(try policy.denial(of: request(.asset(Asset("1.0000 A"))))?.member == "/amounts/0/amount")
        }
        // Another entry of the field does not replace one whose recipient can't be read.
        let unreadable = try policy(one, amount("4,EOS@gems", "/none"), amount("4,A@gems", "/none"))
        #expect(
            try unreadable.denial(of: request(.asset(Asset("1.0000 EOS"))))?.member == "/amounts/1/amount")
        #expect(
            try policy(one, amount("4,A@gems", "/none")).denial(of: request(.asset(Asset("1.0000 EOS"))))
                == nil)
    }

    /// 100 limits of one token share their sums.
    @Test func manyLimitsAndEntries() throws {
        let limits = (0..<100).map { #"{"amount":"\#($0 + 2).0000 EOS@eosio.token","per":"24h"}"# }.joined(
            separator: ",")
        let policy = try Sample.policy(limits: limits)
        let history = try (0..<9_999).map { try Sample.entry(1, to: "dave", ago: UInt32($0)) }
        let entries = try policy.allowance(of: Sample.request([Sample.transfer("1.0001 EOS")]), history)
            .entries
        #expect(try entries == [Sample.entry(10_001, id: 1)])
        let denied = Self.exceeded(
            try policy.denial(of: Sample.request([Sample.transfer("1.0002 EOS")]), history))
        #expect(denied?.remaining == 10_001)
        #expect(denied?.resets == Sample.now - 9_788 + 86_400)
    }
}

extension PaymentSum {
    fileprivate static var greatest: PaymentSum {
        var sum = PaymentSum()
        sum.add(.max, count: 1)
        sum.add(.max, count: 1)
        return sum
    }
}
