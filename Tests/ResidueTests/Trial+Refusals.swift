import CResidue
import Glibc
import Synchronization
import TestSupport

extension Trial {
    /// Each way to fail with a secret in hand.
    static let refusals: [Trial] = wrongWays + wrongKeys + badDisks + signals

    private static let sign = ["sign", "transfer.json", "--chain", "eos", "--key", "one", "--yes"]

    private static let wrongWays: [Trial] = [
        Trial(name: "a wrong PIN", arguments: ["create", "--pin-file", "wrong-pin"], status: 1, says: "wrong PIN"),
        typed("a wrong PIN at the terminal", ["create"], status: 1, says: "wrong PIN") { [.line($0.wrongPIN)] },
        Trial(
            name: "a wrong PIN beside the key file",
            arguments: ["check", "--pin-file", "wrong-pin", "--keyfile", "stick/vault.key"],
            status: 1,
            says: "wrong PIN"),
        by("a wrong key file", ["list", "--verify", "--keyfile", "stick/wrong.key"], status: 1, says: "wrong"),
        by("a key file of another length", ["check", "--keyfile", "stick/short.key"], status: 1, says: "31"),
        typed("new PINs that differ", ["pin", "change"], status: 1, says: "differ") {
            [.line($0.pin), .line($0.newPIN), .line($0.wrongPIN)]
        },
        Trial(
            name: "a wrong phrase", arguments: ["create", "--recovery-file", "phrase-wrong"], status: 1,
            says: "of another vault"),
        Trial(
            name: "a phrase of a wrong checksum", arguments: ["create", "--recovery-file", "phrase-checksum"],
            status: 1, says: "phrase"),
        Trial(
            name: "a phrase with an unknown word", arguments: ["create", "--recovery-file", "phrase-unknown"],
            status: 1, says: "24"),
        by("a phrase that is not confirmed", ["slot", "add", "--new-recovery"], status: 1) { _, watch in
            watch.answers = Array(repeating: [.line(""), .line("zzz"), .line("")], count: 3).flatMap(\.self)
            watch.shown = [.terminal: ["random bytes 1"]]
        },
        by("rekey with other slots", ["rekey"], status: 1, says: "slot"),
    ]

    private static let wrongKeys: [Trial] = [
        by("import of a key that is there", ["import", "key-kept"], status: 1, says: "already"),
        by("import under a label that is there", ["import", "key", "--label", "one"], status: 1, says: "label"),
        by("import of a mistyped key", ["import", "key-mistyped"], status: 1, says: "checksum"),
        typed("import of a mistyped key at the terminal", ["import"], status: 1, says: "checksum") {
            [.line(Bench.mistyped(try Bench.wif($0.new[0])))]
        },
        by("import of lines, some of them bad", ["import", "--lines", "keys-bad"], status: 1),
        Trial(
            name: "import with a wrong PIN", arguments: ["import", "key", "--pin-file", "wrong-pin"], status: 1,
            says: "wrong PIN"),
        Trial(name: "key convert of a mistyped key", arguments: ["key", "convert", "-"], status: 1, says: "checksum") {
            bench, watch in
            watch.input = Array(Bench.mistyped(try Bench.wif(bench.new[0])).utf8)
        },
    ]

    private static let badDisks: [Trial] = [
        by("import into a full disk", ["import", "key"], status: 1, says: "disk is full") { _, watch in
            watch.fileSizeLimit = 8_192
        },
        by("import of lines into a full disk", ["import", "--lines", "keys"], status: 1, says: "disk is full") {
            _, watch in
            watch.fileSizeLimit = 8_192
        },
        by("sign on a full disk", sign, status: 1, says: "disk is full") { _, watch in watch.fileSizeLimit = 8_192 },
        by("import into a vault that can't be written", ["import", "key"], status: 1, says: "written") { bench, watch in
            try protect(bench, &watch)
        },
        by("sign with a vault that can't be written", sign, status: 1, says: "--no-record") { bench, watch in
            try protect(bench, &watch)
        },
        by("sign without a record", sign + ["--no-record"], says: "NOT RECORDED") { bench, watch in
            try protect(bench, &watch)
        },
        by(
            "sign into a file that somebody else makes meanwhile", sign + ["-o", "signed.json"], status: 1,
            says: "already exists"
        ) {
            bench, watch in
            let path = try bench.path + "/signed.json"
            // The first page of the vault is written long after the look at what stands there.
            watch.onCall = { stop in if stop.call == Int64(RESIDUE_CALL_PWRITE) { try Files.write([], to: path) } }
        },
        by("sign with standard output full", sign, status: 1, says: "can't be written") { _, watch in
            watch.output = .full
        },
        by("sign with standard output closed", sign, status: 1, says: "can't be written") { _, watch in
            watch.output = .broken
        },
        by("import with standard output full", ["import", "key"], status: 1, says: "is in the vault") { _, watch in
            watch.output = .full
        },
        by("create with standard output closed", ["create"], status: 1, says: "is in the vault") { _, watch in
            watch.output = .broken
        },
        by("export with standard output full", ["export", "one", "--force"], status: 1) { _, watch in
            (watch.output, watch.held) = (.full, ["kept key 0"])
        },
        by("import of lines with standard output full", ["import", "--lines", "keys"], status: 1) { _, watch in
            watch.output = .full
        },
    ]

    /// The vault's file and its folder lose the permission to write.
    private static func protect(_ bench: Bench, _ watch: inout Watch) throws {
        watch.isHeldToModes = true
        for name in ["data/vault.db", "data"]
        where chmod(try bench.path + "/" + name, name == "data" ? 0o500 : 0o400) != 0 {
            throw FileFailure(path: name, errno: errno)
        }
    }

    private static let signals: [Trial] = [SIGINT, SIGTERM, SIGHUP].flatMap { signal in
        [
            typed("signal \(signal) at half a PIN", ["create"], status: nil, signal: signal) {
                [.interrupted(String($0.pin.prefix(12)), by: signal)]
            },
            typed("signal \(signal) at half a new PIN", ["pin", "change"], status: nil, signal: signal) {
                [.line($0.pin), .interrupted(String($0.newPIN.prefix(12)), by: signal)]
            },
            typed("signal \(signal) at a PIN behind a key", ["import"], status: nil, signal: signal) {
                [.line(try Bench.wif($0.new[0])), .interrupted(String($0.pin.prefix(12)), by: signal)]
            },
        ]
    }
}
