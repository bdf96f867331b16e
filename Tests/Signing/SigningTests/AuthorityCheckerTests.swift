import Keys
import SecureMemory
import Testing
import Transactions

@testable import Signing

struct AuthorityCheckerTests {
    /// The key of a letter.
    private static func key(_ letter: Character) throws -> PublicKey {
        let number = try #require(letter.asciiValue)
        return try PrivateKey(
            curve: .k1, scalar: SecureBytes(copyingPublic: [UInt8](repeating: number, count: 32))
        )
        .publicKey
    }

    /// An account whose permission `active` has this authority: `2: a1 b1 hello@active1 wait60+1`.
    private static func account(_ name: String, _ authority: String) throws -> AccountPermissions {
        let words = authority.split(separator: " ")
        var (keys, accounts, waits): ([String], [String], [String]) = ([], [], [])
        for word in words.dropFirst() {
            let weight = word.suffix(1)
            if let at = word.firstIndex(of: "@") {
                let permission = word[word.index(after: at)...].dropLast()
                accounts.append(
                    #"{"permission":{"actor":"\#(word[..<at])","permission":"\#(permission)"},"weight":\#(weight)}"#
                )
            } else if word.hasPrefix("wait") {
                waits.append(#"{"wait_sec":\#(word.dropFirst(4).dropLast(2)),"weight":\#(weight)}"#)
            } else if word.hasPrefix("0") {
                keys.append(#"{"key":"EOS1111111111111111111111111111111114T1Anm","weight":\#(weight)}"#)
            } else {
                keys.append(#"{"key":"\#(try key(word[word.startIndex]).text)","weight":\#(weight)}"#)
            }
        }
        let required =
            #"{"threshold":\#(words[0].dropLast()),"keys":[\#(keys.joined(separator: ","))],"#
            + #""accounts":[\#(accounts.joined(separator: ","))],"waits":[\#(waits.joined(separator: ","))]}"#
        let answer =
            #"{"account_name":"\#(name)","permissions":[{"perm_name":"active","parent":"owner","required_auth":"#
            + "\(required)}]}"
        return try AccountPermissions(Array(answer.utf8))
    }

    private static func checker(
        _ keys: String, delay: UInt32 = 0, _ accounts: [(name: String, authority: String)]
    ) throws -> AuthorityChecker {
        AuthorityChecker(
            keys: Set(try keys.map(key)), delay: delay,
            accounts: try accounts.map { try account($0.name, $0.authority) })
    }

    private static func level(_ text: String) throws -> PermissionLevel { try PermissionLevel(text) }

    /// The cases of nodeos (AntelopeIO/leap, unittests/misc_tests.cpp, `authority_checker`): the
    /// authority, who signed, and the keys that are needed; nil where it is not met. There,
    /// hello@world has the key c, top@top the key d and bottom@bottom, which has the key e.
    static let casesOfNodeos: [(authority: String, signed: String, used: String?)] = [
        ("2: a1 b1", "ab", "ab"), ("2: a1 b1", "ac", nil), ("2: a1 b1", "abc", "ab"), ("2: a1 b1", "bc", nil),
        ("3: a1 b1 c1", "cba", "abc"), ("3: a1 b1 c1", "ab", nil), ("3: a1 b1 c1", "ac", nil),
        ("3: a1 b1 c1", "bc", nil), ("1: a1 b1", "a", "a"), ("1: a1 b1", "b", "b"), ("1: a1 b1", "c", nil),
        ("1: a2 b1", "a", "a"), ("1: a2 b1", "b", "b"), ("1: a2 b1", "c", nil),
        ("2: a2 b1 hello@active1", "a", "a"), ("2: a2 b1 hello@active1", "b", nil),
        ("2: a2 b1 hello@active1", "c", nil), ("2: a2 b1 hello@active1", "bc", "bc"),
        ("2: a2 b1 hello@active1", "bca", "a"), ("3: a2 b1 hello@active3", "ab", "ab"),
        ("3: a2 b1 hello@active3", "abc", "c"), ("2: a1 b1 hello@active1", "a", nil),
        ("2: a1 b1 hello@active1", "b", nil), ("2: a1 b1 hello@active1", "c", nil),
        ("2: a1 b1 hello@active1", "ab", "ab"), ("2: a1 b1 hello@active1", "bc", "bc"),
        ("2: a1 b1 hello@active1", "ac", "ac"), ("2: a1 b1 hello@active1", "abc", "ab"),
        ("2: a1 b1 hello@active2", "ab", "ab"), ("2: a1 b1 hello@active2", "c", "c"),
        ("2: a1 b1 hello@active2", "a", nil), ("2: a1 b1 hello@active2", "b", nil),
        ("2: a1 b1 hello@active2", "abc", "c"), ("5: a2 b2 c2 top@active5", "de", "de"),
        ("5: a2 b2 c2 top@active5", "abcde", "de"), ("5: a2 b2 c2 top@active5", "abce", "abc"),
    ]

    @Test(arguments: casesOfNodeos)
    func decidesLikeNodeos(authority: String, signed: String, used: String?) throws {
        var checker = try Self.checker(
            signed,
            [("alice", authority), ("hello", "1: c1"), ("top", "2: d1 bottom@active1"), ("bottom", "1: e1")])
        let checked = try checker.check(Self.level("alice@active"))
        #expect(checked.status == (used == nil ? .notMet : .met))
        #expect(try checker.usedKeys == Set((used ?? "").map(Self.key)))
    }

    /// A delay satisfies waits, and before keys of the same weight.
    @Test(
        arguments: [
            (0, "2: a1 wait60+1", nil), (59, "2: a1 wait60+1", nil), (60, "2: a1 wait60+1", "a"),
            (60, "1: a1 wait60+1", ""), (0, "1: a1 wait60+1", "a"),
        ] as [(UInt32, String, String?)])
    func delaySatisfiesWaits(delay: UInt32, authority: String, used: String?) throws {
        var checker = try Self.checker("a", delay: delay, [("alice", authority)])
        #expect(try checker.check(Self.level("alice@active")).status == (used == nil ? .notMet : .met))
        #expect(try checker.usedKeys == Set((used ?? "").map(Self.key)))
    }

    /// The all-zero key never signs. An account may have no other key, and eosio.null has none.
    @Test(
        arguments: [
            ("1: 01", nil), ("1: 01 a1", "a"), ("2: 01 a1", nil), ("1: 01 bob@active1", "b"), ("1:", nil),
            ("2: a1", nil),
        ] as [(String, String?)])
    func nullKeysDoNotSign(authority: String, used: String?) throws {
        var checker = try Self.checker("ab", [("alice", authority), ("bob", "1: b1")])
        let checked = try checker.check(Self.level("alice@active"))
        #expect(checked.status == (used == nil ? .notMet : .met))
        #expect(try checker.usedKeys == Set((used ?? "").map(Self.key)))
        #expect(checked.parts.count == authority.split(separator: " ").count - 1)
    }

    @Test func anUnreadableAuthorityNamesItsAccount() throws {
        var checker = try Self.checker("a", [("alice", "1: bob@active1"), ("bob", "0: a1")])
        #expect(throws: UnreadableAuthority(account: "bob", error: .authority(.zeroThreshold))) {
            try checker.check(Self.level("alice@active"))
        }
    }

    /// Six permissions may refer to each other, as `max_authority_depth` of nodeos says.
    @Test(arguments: [(6, AuthorityChecker.Status.met), (7, .notMet)])
    func depthIsLimited(count: Int, status: AuthorityChecker.Status) throws {
        let names = (0..<count).map { "account" + String(UnicodeScalar(UInt8(ascii: "a") + UInt8($0))) }
        var accounts = zip(names, names.dropFirst()).map { (name: $0, authority: "1: \($1)@active1") }
        accounts.append((names[count - 1], "1: a1"))
        var checker = try Self.checker("a", accounts)
        #expect(try checker.check(Self.level("\(names[0])@active")).status == status)
    }

    @Test func circlesAreNotMet() throws {
        var checker = try Self.checker("a", [("alice", "1: bob@active1"), ("bob", "1: alice@active1")])
        let checked = try checker.check(Self.level("alice@active"))
        #expect(checked.status == .notMet)
        #expect(checker.usedKeys.isEmpty)
    }

    /// An account whose permissions were not given may satisfy a permission. Then nothing is said.
    @Test func unknownAccounts() throws {
        var checker = try Self.checker(
            "ab", [("alice", "2: a1 bob@active1"), ("carol", "1: a1 bob@active1")])
        #expect(try checker.check(Self.level("alice@active")).status == .unknown)
        #expect(try checker.check(Self.level("bob@active")).status == .unknown)
        #expect(try checker.check(Self.level("carol@active")).status == .met)
        #expect(try checker.check(Self.level("carol@owner")).status == .noSuchPermission)
        #expect(try checker.usedKeys == [Self.key("a")])
    }

    /// nodeos may use other keys if an earlier part is met: nothing is said.
    @Test func earlierPartsMayBeMet() throws {
        let known = [("alice", "2: bob@active3 a2"), ("carol", "1: b1")]
        var checker = try Self.checker("ab", known)
        #expect(try checker.check(Self.level("carol@active")).status == .met)
        #expect(try checker.check(Self.level("alice@active")).status == .unknown)
        checker = try Self.checker("ab", known + [("bob", "1: b1")])
        #expect(try checker.check(Self.level("alice@active")).status == .met)
        #expect(try checker.usedKeys == [Self.key("b")])
    }

    @Test func listsAllParts() throws {
        var checker = try Self.checker(
            "abc", delay: 60, [("alice", "2: a1 b1 d1 hello@active1 wait60+1 wait90+1"), ("hello", "1: c1")])
        let checked = try checker.check(Self.level("alice@active"))
        #expect((checked.status, checked.threshold, checked.weight) == (.met, 2, 4))
        let parts = checked.parts.map { part in
            switch part.kind {
            case .key(let key): "\(key.text) \(part.weight) \(part.status)"
            case .nullKey: "null \(part.weight) \(part.status)"
            case .account(let level): "\(level.text) \(part.weight) \(part.status)"
            case .wait(let seconds): "\(seconds) \(part.weight) \(part.status)"
            }
        }
        let keys = try "abd".map { "\(try Self.key($0).text) 1 \($0 == "d" ? "notMet" : "met")" }
        #expect(Set(parts) == Set(["60 1 met", "90 1 notMet", "hello@active 1 met"] + keys))
        // The wait and one key are enough.
        #expect(checker.usedKeys.count == 1)
    }
}
