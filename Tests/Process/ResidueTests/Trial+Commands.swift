import Glibc
import TestSupport

extension Trial {
    /// Each command that processes a secret, with success.
    static let commands: [Trial] =
        making + taking + signing + building + unlockMethods + leaving + care + credentials

    private static let sign = ["sign", "transfer.json", "--chain", "eos"]

    private static let making: [Trial] = [
        by("init", ["init", "--vault", "data/other.db"] + VaultFixture.smallest),
        by(
            "init with a key file",
            ["init", "--vault", "data/other.db", "--keyfile", "stick/made.key"] + VaultFixture.smallest
        ) { _, watch in
            watch.shown[.file("stick/made.key")] = ["random bytes 1"]
            // The slot secret is derived before the key file is written, so that the vault is
            // created right after it.
            watch.held = ["PIN", "random bytes 1", "PIN and key file 0 at a new slot"]
        },
        Trial(
            name: "init at the terminal, with a key file and a phrase",
            arguments: ["init", "--vault", "data/other.db"] + VaultFixture.smallest
        ) {
            fixture, watch in
            watch.answers =
                [.line("y"), .line("stick/made.key"), .line(fixture.pin), .line(fixture.pin), .line("y")]
                + ceremony
            watch.shown = [.terminal: ["random bytes 1"], .file("stick/made.key"): ["random bytes 2"]]
            // Both slot secrets are already derived when the key file is written.
            watch.held = [
                "PIN", "phrase 0 at a new slot", "random bytes 2", "PIN and key file 1 at a new slot",
            ]
        },
        by(
            "init with a phrase, one of its words mistyped at first",
            ["init", "--vault", "data/other.db", "--recovery"] + VaultFixture.smallest
        ) {
            _, watch in
            watch.answers = [.line(""), .word, .line("zzz"), .line("")] + ceremony
            watch.shown = [.terminal: ["random bytes 1"]]
        },
        by("create", ["create", "--label", "created"]),
        typed("create at the terminal", ["create"]) { [.line($0.pin)] },
    ]

    /// The keys of a vault that is still unlocked while the command prints. They include no private
    /// key of an account and no unlock method.
    static let vaultKeys = Set(
        ["", "seal key of ", "manifest key of ", "audit key of "].map { $0 + "master key" })

    /// The answers when the words are shown: the user types three of them.
    private static let ceremony: [Watch.Answer] = [.line(""), .word, .word, .word]

    private static let taking: [Trial] = [
        typed("import at the terminal", ["import", "--label", "typed"]) {
            [.line($0.pin), .line(try VaultFixture.wif($0.new[0]))]
        },
        by("import of a file", ["import", "key", "--label", "read"]),
        by("import of standard input", ["import", "-"]) { fixture, watch in
            watch.input = Array(try VaultFixture.wif(fixture.new[1]).utf8)
        },
        by("import of lines", ["import", "--lines", "keys"]),
        by("import of keosd's list", ["import", "--from", "keosd-list", "keosd.json"]),
        by("import of nodeos's options", ["import", "--from", "nodeos-config", "config.ini"]),
        by("import of lines from standard input", ["import", "--lines", "-"]) { fixture, watch in
            watch.input = try fixture.new.flatMap { Array((try VaultFixture.wif($0) + "\n").utf8) }
        },
    ]

    private static let signing: [Trial] = [
        by("sign", sign + ["--key", "one", "--yes"]),
        by("sign by three keys", sign + ["--key", "one", "--key", "two", "--key", "three", "--yes"]),
        by(
            "sign lines by two keys",
            ["sign", "--lines", "lines", "--chain", "eos", "--key", "one", "--key", "two", "--yes"]
        ) { _, watch in watch.held = vaultKeys },
        by("sign into a file", sign + ["--key", "two", "--yes", "-o", "signed.json"]),
        typed("sign at the terminal", sign + ["--key", "three"], prints: "Sign this 1 action") {
            [.line("y"), .line($0.pin)]
        },
        Trial(
            name: "sign at the terminal, the PIN first",
            arguments: sign + ["--key", "three", "--unlock-first"],
            prints: "Sign this 1 action"
        ) { fixture, watch in watch.answers = [.line(fixture.pin), .line("y")] },
    ]

    private static let building: [Trial] = [
        by(
            "build with a label",
            ["build", "newaccount", "alice", "carol", "one", "two", "--chain", "eos", "--no-block"]),
        typed(
            "build at the terminal",
            ["build", "updateauth", "alice", "active", "three", "--chain", "eos", "--no-block"],
            prints: "sets: threshold 1"
        ) { [.line($0.pin)] },
    ]

    private static let unlockMethods: [Trial] = [
        by(
            "pin change", ["pin", "change", "--new-pin-file", "new-pin"] + VaultFixture.smallest,
            prints: "changed the PIN"),
        typed("pin change at the terminal", ["pin", "change"], prints: "changed the PIN") {
            [.line($0.pin), .line($0.newPIN), .line($0.newPIN)]
        },
        Trial(
            name: "pin change by a key file and a PIN",
            arguments: [
                "pin", "change", "--keyfile", "stick/vault.key", "--pin-file", "pin", "--new-pin-file",
                "new-pin",
            ],
            prints: "changed the PIN"),
        by("slot add of a PIN", ["slot", "add", "--new-pin-file", "new-pin"] + VaultFixture.smallest),
        by(
            "slot add of a key file",
            ["slot", "add", "--new-pin-file", "new-pin", "--new-keyfile", "stick/made.key"]
                + VaultFixture.smallest
        ) {
            _, watch in
            watch.shown[.file("stick/made.key")] = ["random bytes 1"]
            watch.held = vaultKeys.union([
                "new PIN", "random bytes 1", "new PIN and key file 0 at a new slot",
            ])
        },
        by("slot add of a phrase", ["slot", "add", "--new-recovery"]) { _, watch in
            watch.answers = ceremony
            watch.shown = [.terminal: ["random bytes 1"]]
        },
        by("slot remove", ["slot", "remove", "1", "--yes"]),
        Trial(name: "create by the phrase from a file", arguments: ["create", "--recovery-file", "phrase"]),
        typed("create by the phrase at the terminal", ["create", "--recovery"]) {
            [.line(try VaultFixture.words($0.phrase))]
        },
        typed("create by the phrase, word by word", ["create", "--recovery"], prints: "is not in the list") {
            try [.line("eosvault")]
                + VaultFixture.words($0.phrase).split(separator: " ").map { .line($0.prefix(4) + "") }
        },
        Trial(
            name: "create by the shown phrase, its last word mistyped at first",
            arguments: ["create", "--recovery", "--show-words"], prints: "The checksum does not match"
        ) { fixture, watch in
            let wrong = try VaultFixture.mistypedWords(fixture.phrase).joined(separator: " ")
            let last = try VaultFixture.words(fixture.phrase).split(separator: " ").last ?? ""
            watch.answers = [.line(wrong), .line("24"), .line(String(last))]
            watch.shown = [.terminal: ["phrase"]]
        },
        Trial(
            name: "create by a key file",
            arguments: ["create", "--keyfile", "stick/vault.key", "--pin-file", "pin"]),
        by("rekey", ["rekey", "--drop-other-slots"]),
        Trial(
            name: "rekey by the phrase",
            arguments: ["rekey", "--drop-other-slots", "--recovery-file", "phrase"]),
    ]

    private static let leaving: [Trial] = [
        by("export into a file", ["export", "one", "-o", "exported"]) { _, watch in
            (watch.shown, watch.held) = ([.file("exported"): ["kept key 0"]], ["kept key 0"])
        },
        by("export at a terminal", ["export", "two"]) { _, watch in
            (watch.answers, watch.output, watch.shown, watch.held) = (
                [], .terminal, [.terminal: ["kept key 1"]], ["kept key 1"]
            )
        },
        by("unencrypted export", ["export", "three", "--force"]) { _, watch in
            (watch.shown, watch.held) = ([.output: ["kept key 2"]], ["kept key 2"])
        },
        Trial(name: "key convert", arguments: ["key", "convert", "-"]) { fixture, watch in
            (watch.input, watch.shown) = (
                Array(try VaultFixture.wif(fixture.new[0]).utf8), [.output: ["new key 0", "mistyped key"]]
            )
            watch.held = ["new key 0", "mistyped key"]
        },
        Trial(name: "key convert to JSON", arguments: ["key", "convert", "-", "--json"]) { fixture, watch in
            (watch.input, watch.shown) = (
                Array(try VaultFixture.wif(fixture.new[0]).utf8), [.output: ["new key 0", "mistyped key"]]
            )
            watch.held = ["new key 0", "mistyped key"]
        },
    ]

    private static let care: [Trial] = [
        by("check", ["check"]),
        by("list --verify", ["list", "--verify"]),
        by("backup", ["backup", "copy.db"]),
        by("restore", ["restore", "data/vault.db", "--vault", "data/restored.db"]),
        Trial(
            name: "rescue",
            arguments: ["rescue", "data/vault.db", "-o", "data/rescued.db", "--pin-file", "pin"]),
        by("rename", ["rename", "one", "first"]) { _, watch in watch.held = vaultKeys },
        by("remove", ["remove", "two", "--yes", "--never-backed-up"]) { _, watch in watch.held = vaultKeys },
        by("abi pin", ["abi", "pin", "mytoken", "token.abi", "--chain", "eos", "--yes"]) { _, watch in
            watch.held = vaultKeys
        },
        by("log", ["log"]) { _, watch in watch.held = vaultKeys },
        by("log verify", ["log", "verify"]) { _, watch in watch.held = vaultKeys },
        by("log archive", ["log", "archive", "log.archive"]) { _, watch in watch.held = vaultKeys },
    ]
}
