extension Trial {
    /// Each import of another program's wallet, and each export into one.
    static let wallets: [Trial] = importing + mnemonics + exporting + walletRefusals

    private static let files = [
        ("keosd", "wallet"), ("eosc", "eosc-vault.json"), ("an encrypted key", "sec"),
    ]

    private static let addingWallets: @Sendable (VaultFixture, inout Watch) throws -> Void = { fixture, _ in
        try fixture.addWallets()
    }

    private static let importing: [Trial] = files.flatMap { kind, file in
        [
            by("import of \(kind)", ["import", file, "--password-file", "password"], addingWallets),
            by("import of \(kind), the password typed", ["import", file]) { fixture, watch in
                try fixture.addWallets()
                watch.answers = [.line(fixture.wallets.password)]
            },
            Trial(
                name: "import of \(kind), without storing it",
                arguments: ["import", file, "--password-file", "password", "--dry-run"],
                prepare: addingWallets),
        ]
    }

    // MARK: words

    private static let mnemonic = ["import", "--from", "mnemonic"]

    private static let mnemonics: [Trial] = [
        by("import of words from a file", ["import", "words", "--from", "mnemonic"]) { fixture, _ in
            try fixture.addNewSeed()
        },
        by(
            "import of words with a passphrase from files",
            ["import", "words", "--password-file", "passphrase", "--path", "m/44'/194'/0'/0/1"]
        ) { fixture, _ in try fixture.addNewSeed() },
        by("import of typed words with a passphrase", mnemonic) { fixture, watch in
            try fixture.addNewSeed()
            watch.answers = [
                .line(try SeedSecrets.words(fixture.seeds.new)), .line(fixture.seeds.passphrase),
            ]
        },
        by("import of typed words with a search", mnemonic) { fixture, watch in
            try fixture.addNewSeed()
            watch.arguments += ["--find", try fixture.publicKey(of: fixture.seeds.new, at: 2)]
            watch.answers = [.line(try SeedSecrets.words(fixture.seeds.new)), .line("")]
        },
    ]

    // MARK: export

    private static let export = ["export", "one", "three", "--to", "keosd", "-o", "exported"]

    private static let exporting: [Trial] = [
        by("export for keosd", export + ["--new-password-file", "password"], addingWallets),
        by("export for keosd, the password typed", export) { fixture, watch in
            try fixture.addWallets()
            watch.answers = [.line(fixture.wallets.password), .line(fixture.wallets.password)]
        },
        by("export of a key as PVT", ["export", "one", "--to", "pvt", "-o", "exported"]) { _, watch in
            (watch.shown, watch.held) = ([.file("exported"): ["kept key 0"]], ["kept key 0"])
        },
        by("export of a key as WIF", ["export", "two", "--to", "wif", "--force"]) { _, watch in
            (watch.shown, watch.held) = ([.output: ["kept key 1"]], ["kept key 1"])
        },
    ]

    // MARK: failures

    private static let walletRefusals: [Trial] =
        files.flatMap { kind, file in
            [
                by(
                    "a wrong password of \(kind)", ["import", file, "--password-file", "wrong-password"],
                    status: 77, prints: "the password is wrong", addingWallets),
                by(
                    "a wrong password of \(kind), typed", ["import", file], status: 77,
                    prints: "the password is wrong"
                ) {
                    fixture, watch in
                    try fixture.addWallets()
                    watch.answers = [.line(fixture.wallets.wrongPassword)]
                },
            ]
        } + [
            by(
                "import of words of a wrong checksum", ["import", "words-checksum", "--from", "mnemonic"],
                status: 1,
                prints: "the checksum is wrong"
            ) { fixture, _ in try fixture.addNewSeed() },
            by(
                "import of words without the key that is searched for", ["import", "words"], status: 1,
                prints: "key"
            ) {
                fixture, watch in
                try fixture.addNewSeed()
                watch.arguments += ["--find", "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"]
            },
            by(
                "import of keosd into a full disk", ["import", "wallet", "--password-file", "password"],
                status: 1
            ) {
                fixture, watch in
                try fixture.addWallets()
                watch.fileSizeLimit = 8_192
            },
            by(
                "import of keosd with an existing label", ["import", "sec", "--label", "one"], status: 1,
                prints: "label"
            ) {
                fixture, watch in
                try fixture.addWallets()
                watch.answers = [.line(fixture.wallets.password)]
            },
            Trial(
                name: "import of keosd with a wrong PIN",
                arguments: ["import", "wallet", "--password-file", "password", "--pin-file", "wrong-pin"],
                status: 77, prints: "wrong PIN", prepare: addingWallets),
            by("export for keosd, passwords that differ", export, status: 1, prints: "differ") {
                fixture, watch in
                try fixture.addWallets()
                watch.answers = [.line(fixture.wallets.password), .line(fixture.wallets.wrongPassword)]
            },
            Trial(
                name: "signal 2 after half of a wallet's password", arguments: ["import", "wallet"],
                status: nil,
                signal: 2
            ) { fixture, watch in
                try fixture.addWallets()
                watch.answers = [
                    .line(fixture.pin), .interrupted(String(fixture.wallets.password.prefix(12)), by: 2),
                ]
            },
        ]
}
