import Codecs
import JSON
import Keys
import Messages
import SecureMemory
import TestSupport
import Testing
import WordLists

@testable import Seeds

/// The vectors of the reference implementation, and further sets that it made.
struct ShareVectorTests {
    private static let official = SeedRow.all("slip39-official")
    private static let sets = SeedRow.all("slip39-sets")

    @Test func allRowsAreRead() { #expect(Self.official.count == 45 && Self.sets.count == 53) }

    private static func shares(_ row: SeedRow) -> [String] {
        row.json["mnemonics"]?.array?.compactMap(\.string) ?? []
    }

    private static func join(_ shares: [String]) throws -> ShareJoin {
        var join = ShareJoin()
        for share in shares { try join.add(words: bytes(share)) }
        return join
    }

    private static func secret(_ shares: [String], passphrase: String?) throws -> String {
        let join = try join(shares)
        #expect(join.status.isComplete)
        return hex(try join.secret(passphrase: bytes(passphrase ?? "")))
    }

    // MARK: joining

    @Test(arguments: (official + sets).filter(\.isValid))
    func joins(_ row: SeedRow) throws {
        let shares = Self.shares(row)
        #expect(try Self.secret(shares, passphrase: row["passphrase"]) == row["secret"])
        // The order does not matter.
        #expect(try Self.secret(shares.reversed(), passphrase: row["passphrase"]) == row["secret"])
        for key in row.keys {
            let keys = try SeedKeys(seed: bytes(hex: row["secret"]))
            try expect(keys.key(at: DerivationPath(try #require(key["path"]?.string))), equals: key)
        }
    }

    /// The last groups, and the last shares of each.
    @Test(arguments: sets.filter { $0.isValid && $0.json["all_mnemonics"] != nil })
    func joinsOtherShares(_ row: SeedRow) throws {
        let groups = try #require(row.json["all_mnemonics"]?.array).map {
            $0.array?.compactMap(\.string) ?? []
        }
        let thresholds = try #require(row.json["groups"]?.array).map {
            Int($0.array?.first?.number ?? "") ?? 0
        }
        let groupThreshold = try #require(row.json["group_threshold"]?.number.flatMap { Int($0) })
        let chosen = zip(groups, thresholds).suffix(groupThreshold).flatMap { $0.suffix($1) }
        #expect(try Self.secret(chosen, passphrase: row["passphrase"]) == row["secret"])
    }

    @Test(arguments: (official + sets).filter(\.isValid).prefix(20))
    func typedWords(_ row: SeedRow) throws {
        var join = ShareJoin()
        for share in Self.shares(row) {
            let words = share.split(separator: " ")
            #expect(join.wordCount ?? words.count == words.count)
            #expect(ShareJoin.isWordCount(words.count))
            var typed = try TypedPhrase(list: .slip39, count: words.count)
            for word in words {
                #expect(try typed.take(bytes(String(word.prefix(4)))) == .taken(unknown: []))
            }
            try join.add(typed: typed)
        }
        #expect(hex(try join.secret(passphrase: bytes(row["passphrase"] ?? ""))) == row["secret"])
    }

    // MARK: refusals

    private static func tooFew(_ needed: Int, of count: Int, _ groups: (Int, Int, Int)...) -> ShareProblem {
        .tooFew(
            ShareStatus(
                groupsNeeded: needed, groupCount: count,
                groups: groups.map { ShareStatus.Group(number: $0.0 + 1, needed: $0.1, have: $0.2) }))
    }

    /// The same refusals for 128 bits, and 19 vectors later for 256 bits.
    private static let refusedOfficial: [Int: ShareProblem] = [
        2: .checksum, 3: .padding, 5: tooFew(1, of: 1, (0, 2, 1)), 6: .foreign(.identifier),
        7: .foreign(.exponent), 8: .foreign(.groupThreshold), 9: .foreign(.groupCount),
        10: .groupThreshold(2, groups: 1), 11: .sameNumber, 12: .foreign(.memberThreshold), 13: .digest,
    ]

    @Test(arguments: official.filter { !$0.isValid })
    func refusesOfficial(_ row: SeedRow) throws {
        let number = try #require(Int(row.id.dropFirst("official-".count)))
        let error = seedError { _ = try Self.join(Self.shares(row)).secret(passphrase: bytes("TREZOR")) }
        switch number {
        case 2...13, 21...32:
            let expected = Self.refusedOfficial[number > 20 ? number - 19 : number]
            #expect(error == expected.map { .share($0) })
        case 14...16, 33...35:
            guard case .share(.tooFew(let status)) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(!status.isComplete && status.groupsNeeded == 2)
        // 39: 19 words; 40: a value of an odd number of bytes.
        default:
            let count = Self.shares(row).first?.split(separator: " ").count ?? 0
            #expect(error == .share(.wordCount(count)))
        }
    }

    private static let refusedSets: [String: ShareProblem] = [
        "checksum-1": .checksum, "checksum-2": .checksum, "checksum-3": .checksum, "checksum-4": .checksum,
        "checksum-5": .checksum, "checksum-6": .checksum, "checksum-swap": .checksum,
        "duplicate": .repeated, "no-shares": tooFew(0, of: 0), "mixed-sets": .foreign(.identifier),
        "mixed-sets-3": .foreign(.identifier), "short-19": .wordCount(19),
    ]

    @Test(arguments: sets.filter { $0["result"] == "invalid" })
    func refusesSet(_ row: SeedRow) throws {
        let error = seedError {
            _ = try Self.join(Self.shares(row)).secret(passphrase: bytes(row["passphrase"] ?? ""))
        }
        if let expected = Self.refusedSets[row.id] { #expect(error == .share(expected)) }
        let reason: String? =
            switch error {
            case .share(.checksum): "bad_checksum"
            case .share(.wordCount): "wrong_count"
            case .share(.unknownWord): "unknown_word"
            case .share(.tooFew): "too_few"
            case .share(.repeated): "duplicate"
            case .share(.foreign): "mixed_sets"
            default: nil
            }
        let allowed = row.json["refuse"]?.array?.compactMap(\.string) ?? []
        #expect(allowed.contains(reason ?? "\(String(describing: error))"))
    }

    /// A share that is not needed is refused, and the others give the secret.
    @Test func refusesMoreThanTheThreshold() throws {
        let row = try #require(Self.sets.first { $0.id == "more-than-threshold" })
        let shares = Self.shares(row)
        var join = try Self.join(Array(shares.dropLast()))
        #expect(seedError { try join.add(words: bytes(shares[3])) } == .share(.notNeeded))
        #expect(hex(try join.secret(passphrase: bytes(row["passphrase"] ?? ""))) == row["secret"])
    }

    @Test func upperCaseIsReadAndAbbreviationsAreNot() throws {
        let upper = try #require(Self.sets.first { $0.id == "form-upper" })
        #expect(try Self.secret(Self.shares(upper), passphrase: upper["passphrase"]) == upper["secret"])
        let short = try #require(Self.sets.first { $0.id == "form-four-letters" })
        let error = seedError { _ = try Self.join(Self.shares(short)) }
        guard case .share(.unknownWord) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    private static let valid =
        "duckling enlarge academic academic agency result length solution fridge kidney "
        + "coal piece deal husband erode duke ajar critical decision keyboard"

    private static let refused: [(text: String, problem: ShareProblem)] = [
        ("", .wordCount(0)), (String(valid.dropLast(9)), .wordCount(19)),
        (valid + " academic", .wordCount(21)),
        // 24 words have 10 bits too many, 23 words have a value of 160 bits.
        (valid + " academic academic academic academic", .wordCount(24)),
        (valid + " academic academic academic", .checksum),
        (valid.replacing("duckling", with: "abandon"), .unknownWord(position: 1)),
        (valid.replacing("keyboard", with: "keyb"), .unknownWord(position: 20)),
        (valid.replacing("duckling enlarge", with: "enlarge duckling"), .checksum),
        (valid.replacing("coal piece", with: "piece coal"), .checksum),
        (Array(repeating: "academic", count: 60).joined(separator: " "), .wordCount(60)),
    ]

    @Test(arguments: refused.indices)
    func refusesText(_ index: Int) throws {
        var join = ShareJoin()
        let (text, problem) = Self.refused[index]
        #expect(seedError { try join.add(words: bytes(text)) } == .share(problem))
        #expect(join.status.groupsNeeded == 0)
        try join.add(words: bytes(Self.valid))
        #expect(join.status.isComplete)
    }

    @Test func refusesPassphrases() throws {
        let join = try Self.join([Self.valid])
        #expect(
            seedError { _ = try join.secret(passphrase: bytes("é")) } == .passphraseNotASCII(offset: 0))
        #expect(
            seedError { _ = try join.secret(passphrase: bytes(String(repeating: "a", count: 1_025))) }
                == .passphraseTooLong(limit: 1_024))
        // No passphrase is the empty one.
        #expect(hex(try join.secret(passphrase: nil)) == hex(try join.secret(passphrase: bytes(""))))
    }

    /// The cost of a set is stated before anything is derived from it.
    @Test(arguments: 0...15)
    func limitsTheExponent(_ exponent: Int) throws {
        let parameters = ShareParameters(
            identifier: 7, isExtendable: true, exponent: exponent, memberThreshold: 1)
        let value = try SecureBytes(count: 16)
        let numbers = try value.withBytes { try Share.numbers(parameters, $0) }
        let words = try numbers.joined()
        var join = ShareJoin()
        let error = seedError { try join.add(words: words) }
        #expect(error == (exponent > 5 ? .share(.exponent(exponent, limit: 5)) : nil))
        if exponent == 15 { #expect(error?.words.message.contains("327680000 rounds") == true) }
    }
}
