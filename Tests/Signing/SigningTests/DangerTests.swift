import ABICodec
import JSON
import Keys
import Policy
import TestSupport
import Testing
import Transactions

@testable import Signing

/// Which warnings are dangers, and what accepts them.
struct DangerTests {
    /// Someone else in a permission other than owner and active needs only a link to take the
    /// tokens.
    @Test(arguments: ["eosio", "core.vaulta"])
    func otherPermissions(contract: String) throws {
        let own = try WarningTests.keys()
        func codes(_ authority: String, _ own: OwnKeys?) throws -> [String] {
            try WarningTests.codes(
                WarningTests.review([WarningTests.update("pay", authority, contract: contract)]), own: own
            )
            .filter { !$0.hasSuffix("permission-change") }
        }
        func level(_ level: String) -> String {
            WarningTests.authority([WarningTests.own], accounts: [level])
        }
        #expect(try codes(WarningTests.authority([WarningTests.own]), own) == [])
        #expect(try codes(WarningTests.authority([WarningTests.foreign]), own) == ["danger foreign-key"])
        #expect(
            try codes(WarningTests.authority([WarningTests.foreign, WarningTests.own], threshold: 2), own)
                == [
                    "danger foreign-key"
                ])
        // Chains refuse an authority whose keys are in another order, or occur twice.
        for keys in [
            [WarningTests.own, WarningTests.foreign], [WarningTests.foreign, WarningTests.foreign],
        ] {
            #expect(
                try codes(WarningTests.authority(keys), own) == [
                    "danger foreign-key", "warning refused-authority",
                ]
                    || codes(WarningTests.authority(keys), own) == [
                        "warning refused-authority", "danger foreign-key",
                    ])
        }
        #expect(try codes(level("bob@active"), own) == ["danger foreign-account"])
        #expect(try codes(level("bob@eosio.code"), own) == ["danger code-permission"])
        // The account itself is no one else.
        #expect(try codes(level("alice@active"), own) == ["warning foreign-account"])
        #expect(try codes(level("alice@eosio.code"), own) == ["warning code-permission"])
        // Without a vault, no key can be compared.
        #expect(try codes(WarningTests.authority([WarningTests.foreign]), nil) == ["warning foreign-key"])
        let review = try WarningTests.review([
            WarningTests.update("pay", WarningTests.authority([WarningTests.foreign]), contract: contract)
        ])
        #expect(review.dangers(own: own) == [Danger(code: .foreignKey, subject: "alice")])
    }

    /// The same code with two severities is two groups.
    @Test func severitiesAreGroupedApart() throws {
        let authority = WarningTests.authority([WarningTests.foreign])
        let review = try WarningTests.review([
            WarningTests.action(
                "eosio", "newaccount",
                #"{"creator":"alice","name":"bob","owner":\#(authority),"active":\#(authority)}"#
            ), WarningTests.update("pay", authority),
        ])
        let groups = WarningGroup.all(
            review.warnings(now: ReviewTests.expiration - 1_800, own: try WarningTests.keys()))
        #expect(
            groups.map { "\($0.severity.rawValue) \($0.code.rawValue) \($0.warnings.count)" } == [
                "danger foreign-key 1", "warning foreign-key 2", "warning permission-change 1",
            ])
    }

    /// A link is a danger if the permission can take what the account has.
    @Test(arguments: [
        ("eosio.token", "transfer", "danger"), ("core.vaulta", "transfer", "danger"),
        ("nft", "transfer", "danger"),
        ("core.vaulta", "swapto", "danger"), ("core.vaulta", "updateauth", "danger"),
        ("core.vaulta", "linkauth", "danger"), ("eosio", "limitauthchg", "danger"),
        ("eosio", "setcode", "danger"),
        ("eosio", "delegatebw", "danger"), ("core.vaulta", "undelegatebw", "danger"),
        ("eosio", "unstaketorex", "danger"), ("eosio", "ramtransfer", "danger"),
        ("eosio", "giftram", "danger"),
        ("eosio", "buyram", "danger"), ("core.vaulta", "buyrambytes", "danger"),
        ("eosio", "rentcpu", "danger"),
        ("eosio", "donatetorex", "danger"), ("eosio", "bidname", "danger"), ("eosio", "powerup", "danger"),
        ("eosio", "setabi", "danger"), ("core.vaulta", "powerup", "danger"), ("eosio", "sellram", "danger"),
        ("eosio", "buyramself", "danger"), ("eosio", "withdraw", "danger"), ("eosio", "sellrex", "danger"),
        ("eosio.token", "retire", "danger"), ("eosio.token", "issue", "danger"),
        // Nodes refuse these links.
        ("eosio", "updateauth", "warning"), ("eosio", "unlinkauth", "warning"),
        ("eosio", "canceldelay", "warning"),
        // What a block producer or a bot links.
        ("eosio", "claimrewards", "warning"), ("eosio", "voteproducer", "warning"),
        ("core.vaulta", "claimrewards", "warning"), ("dex", "delegatebw", "warning"),
    ])
    func links(contract: String, name: String, severity: String) throws {
        func codes(_ permission: String) throws -> [String] {
            let data =
                #"{"account":"alice","code":"\#(contract)","type":"\#(name)","requirement":"\#(permission)"}"#
            return try WarningTests.codes(
                WarningTests.review([WarningTests.action("eosio", "linkauth", data)]))
        }
        #expect(try codes("pay") == ["\(severity) link"])
        // All actions need active or owner already.
        #expect(try codes("active") == ["warning link"])
        #expect(try codes("owner") == ["warning link"])
    }

    /// Each danger has a subject: a script that accepts one account's change accepts no other.
    @Test func dangers() throws {
        let blind = try #require(ActionPattern("dex::trade"))
        let actions = [
            WarningTests.update("owner", WarningTests.authority([WarningTests.own])),
            WarningTests.transfer("bob", "1.0000 EOS"),
            WarningTests.action("dex", "trade", "\"00\""),
            WarningTests.update("owner", WarningTests.authority([WarningTests.own])),
        ]
        let review = try WarningTests.review(actions, blind: [blind])
        #expect(
            review.dangers(own: try WarningTests.keys()) == [
                Danger(code: .ownerChange, subject: "alice"), Danger(code: .blind, subject: "dex::trade"),
            ])
    }

    /// An ABI that renames a field does not hide what an action of the system changes.
    @Test(arguments: [("account", "acct"), ("permission", "perm"), ("auth", "a")])
    func renamedFieldsAreADanger(field: String, other: String) throws {
        let json = String(
            decoding: try repositoryFile("Sources/Antelope/Transactions/Resources/eosio_abi.json"),
            as: UTF8.self)
        let abi = try JSONValue.parse(Array(json.utf8)).text()
            .replacing("\"name\":\"\(field)\"", with: "\"name\":\"\(other)\"")
        var abis = ContractABIs()
        try abis.add(Array(abi.utf8), for: Name("eosio"), overriding: true)
        let packed = try WarningTests.review([
            WarningTests.update("owner", WarningTests.authority([WarningTests.foreign]))
        ]).transaction
        let review = try Review(of: packed, chain: ChainID("eos"), abis: abis)
        #expect(
            review.dangers(own: try WarningTests.keys()).contains(
                Danger(code: .blind, subject: "eosio::updateauth")))
    }

    // MARK: - keys that are lost or published

    /// A new owner or active authority that depends on a key without a backup is a danger.
    @Test(arguments: [
        (["own"], 1, [(true)], false), (["own"], 1, [false], true),
        (["own", "own2"], 1, [false, true], false),
        (["own", "own2"], 2, [false, true], true), (["own", "own2"], 1, [false, false], true),
        (["own", "foreign"], 1, [false], true), (["own", "foreign"], 2, [false], true),
        (["foreign"], 1, [false], false), (["own", "own2", "foreign"], 2, [true, true], false),
    ])
    func keysWithoutBackup(keys: [String], threshold: Int, backups: [Bool], isDanger: Bool) throws {
        let texts = [
            "own": WarningTests.own, "own2": PublicKey.developmentText, "foreign": WarningTests.foreign,
        ]
        let own = OwnKeys(
            try zip([WarningTests.own, PublicKey.developmentText], backups).map {
                KeyDescription(try PublicKey($0), label: nil, isBackedUp: $1)
            })
        let authority = WarningTests.authority(keys.compactMap { texts[$0] }.sorted(), threshold: threshold)
        for permission in ["owner", "active", "claim"] {
            let dangers = try WarningTests.review([WarningTests.update(permission, authority)]).dangers(
                own: own)
            #expect(
                dangers.contains(Danger(code: .notBackedUp, subject: "alice"))
                    == (isDanger && permission != "claim"))
        }
        let new = #"{"creator":"alice","name":"bob","owner":\#(authority),"active":\#(authority)}"#
        let dangers = try WarningTests.review([WarningTests.action("eosio", "newaccount", new)]).dangers(
            own: own)
        #expect(dangers.contains(Danger(code: .notBackedUp, subject: "bob")) == isDanger)
    }

    /// Wherever the published development key gets authority or signs blocks.
    @Test(arguments: [
        ("newaccount2", #"{"creator":"alice","name":"bob","key":"KEY"}"#, "core.vaulta", "bob"),
        (
            "regproducer", #"{"producer":"alice","producer_key":"KEY","url":"","location":0}"#, "eosio",
            "alice"
        ),
        (
            "regproducer2",
            #"{"producer":"alice","producer_authority":["block_signing_authority_v0",{"threshold":1,"#
                + #""keys":[{"key":"KEY","weight":1}]}],"url":"","location":0}"#, "eosio", "alice"
        ),
        (
            "updateauth",
            #"{"account":"alice","permission":"claim","parent":"active","auth":{"threshold":2,"#
                + #""keys":[{"key":"KEY","weight":1}],"accounts":[],"waits":[]}}"#, "eosio", "alice"
        ),
    ])
    func developmentKeyIsADanger(name: String, data: String, contract: String, account: String) throws {
        for (key, isDanger) in [(PublicKey.developmentText, true), (WarningTests.foreign, false)] {
            let action = WarningTests.action(contract, name, data.replacing("KEY", with: key))
            let dangers = try WarningTests.review([action]).dangers(own: nil)
            #expect(dangers.contains(Danger(code: .developmentKey, subject: account)) == isDanger)
        }
    }

    /// The word to type is never empty: Return alone must not sign.
    @Test func aDangerOfTheEmptyNameHasASubject() throws {
        let data =
            #"{"account":"","permission":"owner","parent":"","auth":\#(WarningTests.authority([WarningTests.own]))}"#
        let review = try WarningTests.review([WarningTests.action("eosio", "updateauth", data)])
        #expect(
            review.dangers(own: try WarningTests.keys()) == [
                Danger(code: .ownerChange, subject: "eosio::updateauth")
            ])
    }

    @Test func allowances() throws {
        let danger = Danger(code: .ownerChange, subject: "alice")
        #expect(try Allowance("owner-change=alice").accepts(danger))
        #expect(try !Allowance("owner-change=bob").accepts(danger))
        #expect(try !Allowance("active-change=alice").accepts(danger))
        // A code that can be a danger needs the account.
        let foreign = Danger(code: .foreignKey, subject: "alice")
        #expect(try Allowance("foreign-key=alice").accepts(foreign))
        #expect(try !Allowance("foreign-account=alice").accepts(foreign))
        for code in [WarningCode.foreignKey, .foreignAccount, .codePermission, .link] {
            #expect(throws: Allowance.ParseError.noSubject(code)) { try Allowance(code.rawValue) }
        }
        #expect(throws: Allowance.ParseError.noSubject(.ownerChange)) { try Allowance("owner-change") }
        #expect(throws: Allowance.ParseError.noSubject(.ownerChange)) { try Allowance("owner-change=") }
        #expect(throws: Allowance.ParseError.noSubject(.ownerChange)) { try Allowance("owner-change=ALICE") }
        #expect(throws: Allowance.ParseError.noDanger(.expired)) { try Allowance("expired=alice") }
        guard
            case .unknownCode(let known)? = #expect(
                throws: Allowance.ParseError.self, performing: { try Allowance("owner") })
        else { return }
        #expect(known.contains("owner-change") && !known.contains("expired"))
    }
}
