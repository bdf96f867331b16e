import ABICodec
import JSON
import Policy
import Testing
import Transactions

@testable import Signing

/// What the parts of an authority can do. `RandomAuthorityTests` compares random authorities with
/// the rules of nodeos.
struct AuthorityReachTests {
    private static func authority(_ threshold: UInt32, waits: [(seconds: UInt32, weight: UInt32)] = []) throws
        -> DecodedAuthority
    {
        let waits = waits.map { #"{"wait_sec":\#($0.seconds),"weight":\#($0.weight)}"# }.joined(
            separator: ",")
        let json = #"{"threshold":\#(threshold),"keys":[],"accounts":[],"waits":[\#(waits)]}"#
        let review = try WarningTests.review([WarningTests.update("active", json)])
        return try #require(review.actions[0].value?["auth"].flatMap(DecodedAuthority.init))
    }

    @Test func extremes() throws {
        let zero = try Self.authority(0)
        #expect(zero.reach(1) == .never && !zero.needs(1, others: []))
        let greatest = try Self.authority(.max)
        #expect(greatest.reach(UInt64(UInt32.max)) == .now && greatest.reach(1) == .never)
        // More weights than the evaluator tries: the own one counts as not needed.
        #expect(!greatest.needs(1, others: [.max]))
        #expect(greatest.needs(1, others: [.max - 1]))
        #expect(!(try Self.authority(300)).needs(1, others: Array(repeating: 1, count: 300)))
    }

    /// A delay covers all shorter waits, so the longer wait never counts alone.
    @Test func waitsCountTogether() throws {
        let authority = try Self.authority(3, waits: [(60, 1), (120, 2)])
        #expect(!authority.needs(1, others: []) && authority.needs(1, others: [1]))
        #expect(authority.needs(2, others: []))
        #expect(authority.reach(0) == .after(seconds: 120) && authority.reach(2) == .after(seconds: 60))
        // The longest delay of a transaction covers longer waits.
        #expect(try Self.authority(1, waits: [(.max, 1)]).reach(0) == .after(seconds: 3_888_000))
    }

    // MARK: - warnings

    private static let own = WarningTests.own
    private static let foreign = WarningTests.foreign

    private static func json(
        _ threshold: Int, keys: KeyValuePairs<String, Int> = [:], accounts: KeyValuePairs<String, Int> = [:],
        waits: KeyValuePairs<Int, Int> = [:]
    ) -> String {
        let keys = keys.map { #"{"key":"\#($0.key)","weight":\#($0.value)}"# }
        let accounts = accounts.map { name, weight in
            let parts = name.split(separator: "@")
            return #"{"permission":{"actor":"\#(parts[0])","permission":"\#(parts[1])"},"weight":\#(weight)}"#
        }
        let waits = waits.map { #"{"wait_sec":\#($0.key),"weight":\#($0.value)}"# }
        func list(_ items: [String]) -> String { "[" + items.joined(separator: ",") + "]" }
        return #"{"threshold":\#(threshold),"keys":\#(list(keys)),"accounts":\#(list(accounts)),"#
            + #""waits":\#(list(waits))}"#
    }

    private static func codes(_ action: String) throws -> [String] {
        WarningTests.codes(try WarningTests.review([action]), own: try WarningTests.keys()).sorted()
    }

    /// Anyone can propose a transaction with a delay, so a wait needs no key.
    @Test func waitsAlone() throws {
        let open = Self.json(1, keys: [Self.own: 1], waits: [3600: 1])
        #expect(
            try Self.codes(WarningTests.update("active", open)) == [
                "danger active-change", "danger open-after-wait",
            ])
        #expect(
            try Self.codes(WarningTests.update("pay", open)) == [
                "danger open-after-wait", "warning permission-change",
            ])
        let new =
            #"{"creator":"alice","name":"bob","owner":\#(Self.json(1, keys: [Self.own: 1])),"active":\#(open)}"#
        #expect(try Self.codes(WarningTests.action("eosio", "newaccount", new)) == ["danger open-after-wait"])
        let closed = Self.json(2, keys: [Self.own: 1], waits: [3600: 1])
        #expect(try Self.codes(WarningTests.update("active", closed)) == ["danger active-change"])
    }

    /// A key counts only if the authority can need it.
    @Test func lockout() throws {
        func isLockout(_ json: String) throws -> Bool {
            try Self.codes(WarningTests.update("active", json)).contains("danger lockout")
        }
        #expect(try isLockout(Self.json(2, keys: [Self.own: 1, Self.foreign: 2])))
        #expect(try !isLockout(Self.json(3, keys: [Self.own: 1, Self.foreign: 2])))
        #expect(
            try !isLockout(Self.json(2, keys: [Self.own: 1], accounts: ["bob@active": 1, "carol@active": 1])))
        #expect(try isLockout(Self.json(3, keys: [Self.own: 1, Self.foreign: 1])))
    }

    private static func review(_ json: String) throws -> Review {
        try WarningTests.review([WarningTests.update("active", json)])
    }

    /// The danger of the change states which weight is missing.
    @Test func missingWeight() throws {
        func share(_ json: String) throws -> OwnShare {
            let (review, own) = (try Self.review(json), try WarningTests.keys())
            let share = OwnShare(of: try #require(review.actions[0].authorityChanges.first).counted, own)
            let warnings = review.warnings(now: ReviewTests.expiration - 1_800, own: own)
            let fields = try #require(warnings.first { $0.code == .activeChange }).fields
            #expect(fields["own_weight"]?.number == "\(share.weight)")
            #expect(fields["missing_weight"]?.number == "\(share.missing)")
            return share
        }
        let enough = try share(Self.json(1, keys: [Self.own: 1, Self.foreign: 1]))
        #expect(enough.missing == 0 && enough.others == .now)
        let some = try share(
            Self.json(3, keys: [Self.own: 1, Self.foreign: 1], accounts: ["bob@active": 1], waits: [60: 1]))
        #expect(some.weight == 1 && some.missing == 2 && some.otherKeys == 1 && some.waits == 1)
        #expect(some.accounts.map(\.text) == ["bob@active"] && some.others == .after(seconds: 60))
        // Parts without a weight can't give the rest.
        let alone = try share(
            Self.json(2, keys: [Self.own: 1, Self.foreign: 0], accounts: ["bob@active": 0], waits: [60: 0]))
        #expect(alone.otherKeys == 0 && alone.accounts.isEmpty && alone.waits == 0)
    }

    /// An account that reaches the threshold alone can act; another one only counts.
    @Test func accounts() throws {
        func added(_ json: String) throws -> AuthorityReach? {
            let warnings = try Self.review(json).warnings(now: 0, own: try WarningTests.keys())
            return warnings.first { $0.code == .foreignAccount }?.reach
        }
        #expect(try added(Self.json(1, keys: [Self.own: 1], accounts: ["bob@active": 1])) == .now)
        #expect(try added(Self.json(3, keys: [Self.own: 2], accounts: ["bob@active": 1])) == .never)
        #expect(
            try added(Self.json(3, keys: [Self.own: 3], accounts: ["bob@active": 1], waits: [60: 1, 120: 1]))
                == .after(seconds: 120))
    }

    /// The creator of an account that only the creator controls is not foreign.
    @Test func subaccounts() throws {
        func codes(_ owner: String) throws -> [String] {
            let active = Self.json(1, keys: [Self.own: 1])
            return try Self.codes(
                WarningTests.action(
                    "eosio", "newaccount",
                    #"{"creator":"alice","name":"bob","owner":\#(owner),"active":\#(active)}"#))
        }
        #expect(try codes(Self.json(1, accounts: ["alice@owner": 1])) == [])
        #expect(try codes(Self.json(1, accounts: ["mallory@owner": 1])) == ["warning foreign-account"])
        #expect(
            try codes(Self.json(1, accounts: ["alice@owner": 1, "mallory@owner": 1]))
                == ["warning foreign-account", "warning foreign-account"])
        #expect(try codes(Self.json(1, accounts: ["alice@eosio.code": 1])) == ["warning code-permission"])
    }
}
