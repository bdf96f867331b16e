import KeyVault
import TestSupport

extension Trial {
    /// Each command that makes, restores, uses or divides a seed.
    static let seeds: [Trial] = makingSeeds + usingSeeds + sharing + seedRefusals

    private static let restore = ["seed", "restore", "restored"]
    private static let join = ["seed", "join", "joined"]

    /// The answers when the words of a seed or a share are shown: the user types three of them.
    private static let ceremony: [Watch.Answer] = [.line(""), .word, .word, .word]

    private static func answering(
        _ answers: [Watch.Answer]
    ) -> @Sendable (VaultFixture, inout Watch) throws -> Void {
        { fixture, watch in
            try fixture.addNewSeed()
            watch.answers = answers
        }
    }

    // MARK: making

    private static let makingSeeds: [Trial] = [
        by("seed create", ["seed", "create", "made"]) { fixture, watch in
            try fixture.addNewSeed()
            (watch.answers, watch.shown) = (ceremony, [.terminal: ["random bytes 1"]])
        },
        by("seed create with dice", ["seed", "create", "made", "--dice"], prints: "is not a roll") {
            fixture, watch in
            try fixture.addNewSeed()
            let rolls = fixture.seeds.rolls
            watch.answers =
                [.line(String(rolls.prefix(30))), .line("7"), .line(String(rolls.suffix(30))), .line("")]
                + ceremony
            watch.shown = [.terminal: ["random bytes 1 and the rolls"]]
        },
        by("seed restore of a file", restore + ["--words-file", "words"]) { fixture, _ in
            try fixture.addNewSeed()
        },
        by("seed restore of a file, with a search", restore + ["--words-file", "words", "--find", "public"]) {
            fixture, _ in
            try fixture.addNewSeed()
            let key = try fixture.publicKey(of: fixture.seeds.new, at: 1)
            try Files.write(Array((key + "\n").utf8), to: fixture.path + "/public")
        },
        by("seed restore at the terminal", restore) { fixture, watch in
            try fixture.addNewSeed()
            watch.answers = [.line(try SeedSecrets.words(fixture.seeds.new))]
        },
        by(
            "seed restore, its last word mistyped at first", restore, prints: "The checksum is wrong"
        ) { fixture, watch in
            try fixture.addNewSeed()
            let last = try SeedSecrets.words(fixture.seeds.new).split(separator: " ").last ?? ""
            watch.answers = [
                .line(try SeedSecrets.mistypedWords(fixture.seeds.new)), .line("24"), .line(String(last)),
            ]
        },
    ]

    // MARK: using

    private static let usingSeeds: [Trial] =
        [
            by("create of a seed's key", ["create", "--seed", "family", "--label", "savings"], addingSeed),
            by("list --verify of a seed", ["list", "--verify"], addingSeed),
            by("check of a seed", ["check"], addingSeed),
            by("backup of a seed", ["backup", "copy.db"], addingSeed),
            by("rekey of a seed", ["rekey", "--drop-other-slots"], addingSeed),
            by("restore of a seed", ["restore", "data/vault.db", "--vault", "data/restored.db"], addingSeed),
            Trial(
                name: "rescue of a seed",
                arguments: ["rescue", "data/vault.db", "-o", "data/rescued.db", "--pin-file", "pin"],
                prepare: addingSeed),
            by("rename of a seed", ["rename", "family", "house"]) { fixture, watch in
                try fixture.addSeed()
                watch.held = vaultKeys
            },
            by("remove of a seed", ["remove", "family", "--yes"]) { fixture, watch in
                try fixture.addSeed()
                watch.held = vaultKeys
            },
        ] + exportingSeeds

    private static let addingSeed: @Sendable (VaultFixture, inout Watch) throws -> Void = { fixture, _ in
        try fixture.addSeed()
    }

    private static let exportWords = ["export", "family", "--to", "mnemonic"]

    private static let exportingSeeds: [Trial] = [
        by("export of words into a file", exportWords + ["-o", "exported"]) { fixture, watch in
            try fixture.addSeed()
            (watch.shown, watch.held) = ([.file("exported"): ["kept seed"]], ["kept seed"])
        },
        by("export of words at a terminal", exportWords) { fixture, watch in
            try fixture.addSeed()
            (watch.answers, watch.output) = ([], .terminal)
            (watch.shown, watch.held) = ([.terminal: ["kept seed"]], ["kept seed"])
        },
        by(
            "export of words with a policy PIN", exportWords + ["-o", "exported", "--second-file", "new-pin"]
        ) { fixture, watch in
            try fixture.addSeed()
            try fixture.setPolicy(.pin)
            (watch.shown, watch.held) = ([.file("exported"): ["kept seed"]], ["kept seed"])
        },
    ]

    // MARK: shares

    private static let sharing: [Trial] = [
        by("seed split", ["seed", "split", "family", "--shares", "2-of-3"]) { fixture, watch in
            try fixture.addSeed()
            watch.answers = ceremony + ceremony + ceremony
            try showingShares(fixture, &watch)
        },
        Trial(
            name: "seed split of the phrase",
            arguments: ["seed", "split", "--recovery", "--shares", "2-of-2"]
        ) {
            fixture, watch in
            watch.answers = [.line(try VaultFixture.words(fixture.phrase))] + ceremony + ceremony
            try showingShares(fixture, &watch)
        },
        by("seed join", join) { fixture, watch in
            try fixture.addNewSeed()
            watch.answers = try addShares(of: fixture.seeds.new, to: fixture).suffix(2).map { .line($0) }
        },
        by(
            "seed join with a passphrase, of a master secret", join + ["--passphrase", "--master-secret"]
        ) { fixture, watch in
            try fixture.addNewSeed()
            let passphrase = fixture.seeds.passphrase
            watch.answers =
                try addShares(of: fixture.seeds.new, to: fixture, passphrase).suffix(2).map { .line($0) } + [
                    .line(passphrase)
                ]
            try fixture.addSecrets(Secret.derived(from: fixture.seeds.new, "new seed as a master secret"))
        },
        by("seed join, a word mistyped at first", join, prints: "The checksum is wrong") { fixture, watch in
            try fixture.addNewSeed()
            let shares = try addShares(of: fixture.seeds.new, to: fixture)
            let words = shares[0].split(separator: " ")
            let wrong = words.dropLast() + [words[32] == "zero" ? "year" : "zero"]
            watch.answers = [
                .line(wrong.joined(separator: " ")), .line("33"), .line(String(words[32])), .line(shares[2]),
            ]
        },
        Trial(name: "seed join of the phrase", arguments: ["seed", "join", "--recovery-phrase"]) {
            fixture, watch in
            watch.answers =
                try addShares(of: fixture.phrase, to: fixture).prefix(2).map { .line($0) } + [.line("")]
            watch.shown = [.terminal: ["phrase"]]
        },
    ]

    private static func showingShares(_ fixture: VaultFixture, _ watch: inout Watch) throws {
        watch.onScreen = fixture.recordShare
        watch.shown = [.terminal: Set((1...3).map { "share \($0)" })]
    }

    /// The texts of new shares, which are then searched for.
    private static func addShares(
        of secret: [UInt8], to fixture: VaultFixture, _ passphrase: String? = nil
    ) throws -> [String] {
        let shares = try SeedSecrets.shares(secret, passphrase: passphrase)
        try fixture.addShares(shares, of: secret, passphrase: passphrase)
        return shares
    }

    // MARK: failures

    private static let seedRefusals: [Trial] = wrongWords + wrongShares + seedSignals

    private static let wrongWords: [Trial] = [
        by(
            "seed restore of a wrong checksum", restore + ["--words-file", "words-checksum"], status: 1,
            prints: "the checksum is wrong", answering([])),
        by(
            "seed restore of an unknown word", restore + ["--words-file", "words-unknown"], status: 1,
            prints: "word 24 is not in the list", answering([])),
        by(
            "seed restore of a recovery phrase", restore + ["--words-file", "phrase"], status: 1,
            prints: "of a vault"),
        by(
            "seed restore of a known seed", restore + ["--words-file", "words-kept"], status: 1,
            prints: "already"
        ) {
            fixture, _ in try fixture.addSeed()
        },
        by("a seed whose words are not confirmed", ["seed", "create", "made"], status: 2) { fixture, watch in
            try fixture.addNewSeed()
            watch.answers = Array(repeating: [.line(""), .line("zzz"), .line("")], count: 3).flatMap(\.self)
            watch.shown = [.terminal: ["random bytes 1"]]
        },
        Trial(
            name: "create of a seed's key with a wrong PIN",
            arguments: ["create", "--seed", "family", "--pin-file", "wrong-pin"], status: 77,
            prints: "wrong PIN", prepare: addingSeed),
        by(
            "create of a seed's key with an existing label",
            ["create", "--seed", "family", "--label", "one"],
            status: 1, prints: "label", addingSeed),
        by(
            "create of a seed's key into a full disk", ["create", "--seed", "family"], status: 1,
            prints: "disk is full"
        ) {
            fixture, watch in
            try fixture.addSeed()
            watch.fileSizeLimit = 8_192
        },
        by("export of words with standard output full", exportWords + ["--force"], status: 1) {
            fixture, watch in
            try fixture.addSeed()
            (watch.output, watch.held) = (.full, ["kept seed"])
        },
    ]

    private static let wrongShares: [Trial] = [
        by("seed join of a forged share", join, status: 1, prints: "do not belong together") {
            fixture, watch in
            try fixture.addNewSeed()
            let shares = try addShares(of: fixture.seeds.new, to: fixture)
            let forged = try SeedSecrets.forged(shares[1])
            try fixture.addShares([forged], of: fixture.seeds.new)
            watch.answers = [.line(shares[0]), .line(forged)]
        },
        by("seed join of another set's share", join, prints: "another set") { fixture, watch in
            try fixture.addNewSeed()
            let shares = try addShares(of: fixture.seeds.new, to: fixture)
            let others = try addShares(of: fixture.seeds.kept, to: fixture)
            watch.answers = [.line(shares[0]), .line(others[1]), .line("all"), .line(shares[1])]
        },
        Trial(
            name: "seed join of another vault's phrase", arguments: ["seed", "join", "--recovery-phrase"],
            status: 77,
            prints: "belongs to another vault"
        ) { fixture, watch in
            watch.answers = try addShares(of: fixture.wrongPhrase, to: fixture).prefix(2).map { .line($0) }
        },
    ]

    private static let seedSignals: [Trial] = [
        Trial(
            name: "signal 15 after half of a seed's words", arguments: restore, status: nil, signal: 15
        ) { fixture, watch in
            try fixture.addNewSeed()
            let words = try SeedSecrets.words(fixture.seeds.new).split(separator: " ")
            watch.answers = [
                .line(fixture.pin), .line(words.prefix(11).joined(separator: " ")),
                .interrupted(String(words[11]), by: 15),
            ]
        },
        Trial(
            name: "signal 2 after half of the rolls", arguments: ["seed", "create", "made", "--dice"],
            status: nil,
            signal: 2
        ) { fixture, watch in
            try fixture.addNewSeed()
            let rolls = fixture.seeds.rolls
            watch.answers = [
                .line(fixture.pin), .line(String(rolls.prefix(30))),
                .interrupted(String(rolls.suffix(30)), by: 2),
            ]
        },
        Trial(name: "signal 1 after one share", arguments: join, status: nil, signal: 1) { fixture, watch in
            try fixture.addNewSeed()
            let shares = try addShares(of: fixture.seeds.new, to: fixture)
            let half = shares[1].split(separator: " ").prefix(15).joined(separator: " ")
            watch.answers = [.line(fixture.pin), .line(shares[0]), .interrupted(half, by: 1)]
        },
    ]
}
