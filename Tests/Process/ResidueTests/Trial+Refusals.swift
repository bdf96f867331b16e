import CResidue
import Glibc
import Synchronization
import TestSupport

extension Trial {
    /// Each failure while the command has a secret in memory.
    static let refusals: [Trial] = wrongUnlocks + wrongKeys + wrongSecrets + badDisks + signals

    private static let sign = ["sign", "transfer.json", "--chain", "eos", "--key", "one", "--yes"]

    private static let wrongUnlocks: [Trial] = [
        Trial(
            name: "a wrong PIN", arguments: ["create", "--pin-file", "wrong-pin"], status: 77,
            prints: "wrong PIN"),
        typed("a wrong PIN at the terminal", ["create"], status: 77, prints: "wrong PIN") {
            Array(repeating: .line($0.wrongPIN), count: 3)
        },
        Trial(
            name: "a wrong PIN with the key file",
            arguments: ["check", "--pin-file", "wrong-pin", "--keyfile", "stick/vault.key"],
            status: 77,
            prints: "wrong PIN"),
        by(
            "a wrong key file", ["list", "--verify", "--keyfile", "stick/wrong.key"], status: 77,
            prints: "wrong"),
        by(
            "a key file of another length", ["check", "--keyfile", "stick/short.key"], status: 1, prints: "31"
        ),
        typed("new PINs that differ", ["pin", "change"], status: 1, prints: "differ") {
            [.line($0.pin), .line($0.newPIN), .line($0.wrongPIN)]
        },
        Trial(
            name: "a wrong phrase", arguments: ["create", "--recovery-file", "phrase-wrong"], status: 77,
            prints: "belongs to another vault"),
        Trial(
            name: "a phrase of a wrong checksum",
            arguments: ["create", "--recovery-file", "phrase-checksum"],
            status: 1, prints: "phrase"),
        Trial(
            name: "a phrase with an unknown word",
            arguments: ["create", "--recovery-file", "phrase-unknown"],
            status: 1, prints: "24"),
        by("a phrase that is not confirmed", ["slot", "add", "--new-recovery"], status: 2) { _, watch in
            watch.answers = Array(repeating: [.line(""), .line("zzz"), .line("")], count: 3).flatMap(\.self)
            watch.shown = [.terminal: ["random bytes 1"]]
        },
        by("rekey with other slots", ["rekey"], status: 1, prints: "slot"),
    ]

    private static let wrongKeys: [Trial] = [
        by("import of an existing key", ["import", "key-kept"], status: 1, prints: "already"),
        by("import with an existing label", ["import", "key", "--label", "one"], status: 1, prints: "label"),
        by("import of a mistyped key", ["import", "key-mistyped"], status: 1, prints: "checksum"),
        typed("import of a mistyped key at the terminal", ["import"], status: 1, prints: "checksum") {
            [.line($0.pin), .line(VaultFixture.mistyped(try VaultFixture.wif($0.new[0])))]
        },
        by("import of lines, some of them bad", ["import", "--lines", "keys-bad"], status: 1),
        Trial(
            name: "import with a wrong PIN", arguments: ["import", "key", "--pin-file", "wrong-pin"],
            status: 77,
            prints: "wrong PIN"),
        Trial(
            name: "key convert of a mistyped key", arguments: ["key", "convert", "-"], status: 1,
            prints: "checksum"
        ) {
            fixture, watch in
            watch.input = Array(VaultFixture.mistyped(try VaultFixture.wif(fixture.new[0])).utf8)
        },
    ]

    private static let wrongSecrets: [Trial] = [
        by(
            "credential add of a secret with a space", addCredential + ["--secret-file", "secret-spaced"],
            status: 1,
            prints: "byte 21 is white space"),
        typed(
            "credential add of a secret with a space at the terminal", addCredential, status: 1,
            prints: "byte 21 is white space"
        ) { [.line($0.pin), .line($0.spacedSecret)] },
        by(
            "credential rotate to a secret with a space",
            ["credential", "rotate", "hook", "--secret-file", "secret-spaced"], status: 1,
            prints: "byte 21 is white space"),
        by(
            "credential add with a similar name",
            ["credential", "add", "Hook", "--profile", "basic", "--key-id", "a", "--secret-file", "secret"],
            status: 1,
            prints: "differs only in case"),
        Trial(
            name: "credential add with a wrong PIN",
            arguments: addCredential + ["--secret-file", "secret", "--pin-file", "wrong-pin"], status: 77,
            prints: "wrong PIN"),
        Trial(
            name: "credential sign with a wrong PIN",
            arguments: request("hook") + ["--pin-file", "wrong-pin"],
            status: 77, prints: "wrong PIN"),
        by(
            "credential sign of a used nonce", request("exchange") + ["--nonce", "0"], status: 1,
            prints: "not greater than the last one"),
        by(
            "credential sign with a header that is not signed",
            request("site") + ["--force", "--header", "X-A: b"],
            status: 1, prints: "does not sign headers"),
        by(
            "credential sign of a placeholder",
            ["credential", "sign", "site", "--method", "POST", "--url", "https://example.com/", "--force"]
                + ["--body", "placeholder", "--format", "json"], status: 1, prints: "marks the secret"),
        by(
            "credential sign of lines, some of them refused", ["credential", "sign", "exchange", "--lines"],
            status: 1
        ) { _, watch in
            let lines = [
                #""nonce":0}"#, #""body":"a"}"#, #""time":0,"nonce":5}"#, "nonsense",
            ].map { #"{"method":"GET","url":"https://example.com/",\#($0)\#n"# }
            (watch.input, watch.held) = (Array(lines.joined().utf8), vaultKeys)
        },
    ]

    private static let badDisks: [Trial] = [
        by(
            "credential add into a full disk", addCredential + ["--secret-file", "secret"], status: 1,
            prints: "disk is full"
        ) { _, watch in watch.fileSizeLimit = 8_192 },
        by("credential sign on a full disk", request("hook"), status: 1, prints: "disk is full") { _, watch in
            watch.fileSizeLimit = 8_192
        },
        by(
            "credential sign with a vault that can't be written", request("messages"), status: 1,
            prints: "written"
        ) { fixture, watch in try protect(fixture, &watch) },
        by(
            "credential sign with standard output full", request("hook"), status: 1,
            prints: "can't be written"
        ) {
            _, watch in
            (watch.output, watch.held) = (.full, vaultKeys)
        },
        by(
            "credential sign of a secret header with standard output closed", request("site") + ["--force"],
            status: 1,
            prints: "can't be written"
        ) { _, watch in (watch.output, watch.held) = (.broken, vaultKeys.union(["secret of site"])) },
        by(
            "credential export with standard output full", ["credential", "export", "hook", "--force"],
            status: 1
        ) {
            _, watch in
            (watch.output, watch.held) = (.full, ["secret of hook"])
        },
        by("import into a full disk", ["import", "key"], status: 1, prints: "disk is full") { _, watch in
            watch.fileSizeLimit = 8_192
        },
        by(
            "import of lines into a full disk", ["import", "--lines", "keys"], status: 1,
            prints: "disk is full"
        ) {
            _, watch in
            watch.fileSizeLimit = 8_192
        },
        by("sign on a full disk", sign, status: 1, prints: "disk is full") { _, watch in
            watch.fileSizeLimit = 8_192
        },
        by("import into a vault that can't be written", ["import", "key"], status: 1, prints: "written") {
            fixture, watch in
            try protect(fixture, &watch)
        },
        by("sign with a vault that can't be written", sign, status: 1, prints: "--no-record") {
            fixture, watch in
            try protect(fixture, &watch)
        },
        by("sign without a record", sign + ["--no-record"], prints: "NOT RECORDED") { fixture, watch in
            try protect(fixture, &watch)
        },
        by(
            "sign into a file that another process creates meanwhile", sign + ["-o", "signed.json"],
            status: 1,
            prints: "already exists"
        ) {
            fixture, watch in
            let path = try fixture.path + "/signed.json"
            // The vault's first page is written long after the program checked that the file is
            // absent.
            watch.onCall = { stop in
                if stop.call == Int64(RESIDUE_CALL_PWRITE) { try Files.write([], to: path) }
            }
        },
        by("sign with standard output full", sign, status: 1, prints: "can't be written") { _, watch in
            watch.output = .full
        },
        by("sign with standard output closed", sign, status: 1, prints: "can't be written") { _, watch in
            watch.output = .broken
        },
        by("import with standard output full", ["import", "key"], status: 1, prints: "is in the vault") {
            _, watch in
            watch.output = .full
        },
        by("create with standard output closed", ["create"], status: 1, prints: "is in the vault") {
            _, watch in
            watch.output = .broken
        },
        by("export with standard output full", ["export", "one", "--force"], status: 1) { _, watch in
            (watch.output, watch.held) = (.full, ["kept key 0"])
        },
        by("import of lines with standard output full", ["import", "--lines", "keys"], status: 1) {
            _, watch in
            watch.output = .full
        },
    ]

    /// Removes the write permission from the vault's file and its folder.
    private static func protect(_ fixture: VaultFixture, _ watch: inout Watch) throws {
        watch.respectsModes = true
        for name in ["data/vault.db", "data"]
        where chmod(try fixture.path + "/" + name, name == "data" ? 0o500 : 0o400) != 0 {
            throw FileFailure(path: name, errno: errno)
        }
    }

    private static let signals: [Trial] = [SIGINT, SIGTERM, SIGHUP].flatMap { signal in
        [
            typed("signal \(signal) after half a PIN", ["create"], status: nil, signal: signal) {
                [.interrupted(String($0.pin.prefix(12)), by: signal)]
            },
            typed("signal \(signal) after half a new PIN", ["pin", "change"], status: nil, signal: signal) {
                [.line($0.pin), .interrupted(String($0.newPIN.prefix(12)), by: signal)]
            },
            typed(
                "signal \(signal) after half a phrase", ["create", "--recovery"], status: nil, signal: signal
            ) {
                let words = try VaultFixture.words($0.phrase).split(separator: " ")
                return [
                    .line(words.prefix(11).joined(separator: " ")), .interrupted(words[11] + "", by: signal),
                ]
            },
            typed("signal \(signal) after half a secret", addCredential, status: nil, signal: signal) {
                [.line($0.pin), .interrupted(String($0.newSecret.prefix(12)), by: signal)]
            },
            typed("signal \(signal) at the key after the PIN", ["import"], status: nil, signal: signal) {
                [.line($0.pin), .interrupted(String(try VaultFixture.wif($0.new[0]).prefix(12)), by: signal)]
            },
        ]
    }
}
