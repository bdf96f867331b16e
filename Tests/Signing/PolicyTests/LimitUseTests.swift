import ABICodec
import Testing

@testable import Policy

struct LimitUseTests {
    private static func history() throws -> [PolicyEntry] {
        try [
            Sample.entry(10_000, to: "bob"), Sample.entry(20_000, to: "carol", ago: 3_599, id: 8, count: 2),
            Sample.entry(40_000, to: "bob", ago: 3_601, id: 7),
            Sample.entry(1, token: "4,A@core.vaulta", id: 6),
            Sample.entry(0, ago: 5, token: nil, id: 5),
        ]
    }

    private static func use(_ recipient: String?, _ used: UInt128, _ remaining: UInt128) throws -> LimitUse {
        LimitUse(index: 0, recipient: try recipient.map { try Name($0) }, used: used, remaining: remaining)
    }

    private static let eos = #""token":"4,EOS@eosio.token""#

    @Test(
        arguments: try [
            (#""amount":"5.0000 EOS@eosio.token","per":"1h""#, [use(nil, 30_000, 20_000)]),
            (#""amount":"2.0000 EOS@eosio.token","per":"24h""#, [use(nil, 70_000, 0)]),
            (
                #""amount":"5.0000 EOS@eosio.token","per":"1h","each_recipient":true"#,
                [use("bob", 10_000, 40_000), use("carol", 20_000, 30_000)]
            ),
            (#""amount":"5.0000 WAX@eosio.token","per":"1h""#, [use(nil, 0, 50_000)]),
            (#""amount":"5.0000 WAX@eosio.token","per":"1h","each_recipient":true"#, [use(nil, 0, 50_000)]),
            (#""count":9,"per":"7d",\#(eos)"#, [use(nil, 4, 5)]),
            (
                #""count":9,"per":"30d",\#(eos),"each_recipient":true"#,
                [use("bob", 2, 7), use("carol", 2, 7)]
            ),
            (#""count":9,"per":"1h""#, [use(nil, 1, 8)]), (#""count":9,"per":"transaction""#, []),
        ] as [(String, [LimitUse])])
    func limitsAreSummed(limit: String, uses: [LimitUse]) throws {
        let policy = try Sample.policy(limits: "{\(limit)}")
        #expect(try policy.uses(policy.uses(after: Self.history()), at: Sample.now, restored: nil) == uses)
    }

    @Test func restoredLimitsAreUsedUp() throws {
        let policy = try Sample.policy(
            limits: #"{"amount":"5.0000 EOS@eosio.token","per":"1h","each_recipient":true}"#)
        #expect(
            policy.uses(LimitUses(), at: Sample.now, restored: Sample.now - 3_599) == [
                LimitUse(
                    index: 0, recipient: nil, used: 50_000, remaining: 0, blockedUntil: Sample.now + 1)
            ])
        #expect(
            try policy.uses(LimitUses(), at: Sample.now, restored: Sample.now - 3_600) == [
                Self.use(nil, 0, 50_000)
            ])
    }

    /// Entries of an earlier policy have no recipient. They count for each.
    @Test func unnamedRecipientsCountForEach() throws {
        let policy = try Sample.policy(
            limits: #"{"amount":"5.0000 EOS@eosio.token","per":"1h","each_recipient":true}"#)
        let history = try [Sample.entry(10_000), Sample.entry(20_000, to: "bob", id: 8)]
        #expect(
            try policy.uses(policy.uses(after: history), at: Sample.now, restored: nil) == [
                Self.use(nil, 10_000, 40_000), Self.use("bob", 30_000, 20_000),
            ])
    }

    /// What remains can be used, and one unit more is denied.
    @Test func whatRemainsIsAllowed() throws {
        let policy = try Sample.policy(
            limits: #"{"amount":"5.0000 EOS@eosio.token","per":"1h","each_recipient":true}"#)
        let history = try Self.history() + [Sample.entry(1, id: 4)]
        for use in policy.uses(policy.uses(after: history), at: Sample.now, restored: nil) {
            func denial(_ units: UInt128) throws -> PolicyDenial? {
                let quantity = try Asset("0.0000 EOS")
                let transfer = try Sample.transfer(
                    Asset(amount: Int64(units), symbol: quantity.symbol).text,
                    to: use.recipient?.text ?? "dave")
                return policy.denial(of: try Sample.request([transfer]), history)
            }
            #expect(try denial(use.remaining) == nil)
            #expect(try denial(use.remaining + 1) != nil)
        }
    }
}

/// The digests of signed transactions.
struct SignedDigestTests {
    private func digest(_ byte: UInt8) -> SignedDigests.Digest {
        SignedDigests.Digest([byte] + [UInt8](repeating: 7, count: 31))
    }

    private func count(_ digests: SignedDigests) -> Int { digests.shards.reduce(0) { $0 + $1.count } }

    /// In the order of their expirations, whatever was removed before, also after they were read.
    @Test(arguments: [false, true])
    func eachIsRemovedWhenItExpires(isRead: Bool) throws {
        var digests = SignedDigests()
        for (byte, expiration) in [(UInt8(1), UInt32(30)), (2, 10), (1, 30), (3, 20), (130, 40)] {
            digests.add(SignedDigests.Record(digest(byte), expiration: expiration))
        }
        if isRead {
            let stored = digests.shards.enumerated().filter { !$0.element.isEmpty }
            digests = try #require(
                SignedDigests(Dictionary(uniqueKeysWithValues: stored.map { ($0.offset, $0.element) })))
        }
        for (now, left) in [(UInt32(10), 4), (11, 3), (15, 3), (21, 2), (30, 2), (31, 1)] {
            digests.removeExpired(at: now)
            #expect(count(digests) == left, "\(now)")
        }
        digests.add(SignedDigests.Record(digest(9), expiration: 35))
        digests.removeExpired(at: 36)
        #expect(count(digests) == 1)
        digests.removeExpired(at: 41)
        #expect(count(digests) == 0)
    }
}
