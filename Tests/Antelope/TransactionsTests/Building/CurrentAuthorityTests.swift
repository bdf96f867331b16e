import ABICodec
import Keys
import Testing

@testable import Transactions

struct CurrentAuthorityTests {
    private static let key = "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"

    /// The members that a node adds are ignored, other than those of the permission.
    private static let answer = """
        {"account_name":"alice","head_block_num":7,"permissions":[{"perm_name":"active","parent":"owner",
        "required_auth":{"threshold":2,"keys":[{"key":"\(key)","weight":1}],
        "accounts":[{"permission":{"actor":"bob","permission":"active"},"weight":1}],"waits":[]},
        "linked_actions":[{"account":"eosio","action":"claimrewards"}]},
        {"perm_name":"owner","parent":"","required_auth":{"threshold":1,"keys":[{"key":"\(key)","weight":1}],
        "accounts":[],"waits":[]}}],"total_resources":null}
        """

    private static func find(
        _ permission: String, of account: String = "alice", in answer: String = answer
    ) throws -> CurrentAuthority? {
        try CurrentAuthority.find(Name(permission), of: Name(account), in: Array(answer.utf8))
    }

    @Test func findsThePermission() throws {
        let active = try #require(try Self.find("active"))
        #expect(active.parent.text == "owner")
        #expect(active.authority.threshold == 2)
        #expect(active.authority.keys.map(\.key.text) == [Self.key])
        #expect(active.authority.accounts.map(\.level.text) == ["bob@active"])
        #expect(try Self.find("owner")?.parent.text == "")
        #expect(try Self.find("trading") == nil)
    }

    @Test func parentCannotChange() throws {
        let active = try #require(try Self.find("active"))
        try active.expectParent(Name("owner"))
        #expect(throws: BuildError.account(.otherParent(try Name("owner")))) {
            try active.expectParent(Name("other"))
        }
    }

    @Test(arguments: [
        ("{}", BuildError.value(ABIError(.missingField("account_name")))),
        ("{\"account_name\":\"bob\",\"permissions\":[]}", .account(.otherAccount(stated: "bob"))),
        (
            "{\"account_name\":\"alice\",\"permissions\":[{}]}",
            .value(ABIError(.missingField("perm_name")).inside(.element(0)).inside(.field("permissions")))
        ),
        (
            "{\"account_name\":\"alice\",\"permissions\":[{\"perm_name\":\"active\",\"parent\":\"owner\"}]}",
            .value(ABIError(.missingField("required_auth")))
        ),
    ])
    func refused(answer: String, error: BuildError) {
        #expect(throws: error) { try Self.find("active", in: answer) }
    }
}
