import KeyVault

extension Trial {
    /// Commands that use the second unlock method of a policy.
    static let policies: [Trial] = [
        by("export with a policy PIN", ["export", "one", "-o", "exported", "--second-file", "new-pin"]) {
            fixture, watch in
            try fixture.setPolicy(.pin)
            (watch.shown, watch.held) = ([.file("exported"): ["kept key 0"]], ["kept key 0"])
        },
        by("export with a policy PIN, mistyped at first", ["export", "one", "-o", "exported"]) {
            fixture, watch in
            try fixture.setPolicy(.pin)
            watch.answers = [.line(fixture.wrongPIN), .line(fixture.newPIN)]
            (watch.shown, watch.held) = ([.file("exported"): ["kept key 0"]], ["kept key 0"])
        },
        by(
            "export with the phrase of a policy",
            ["export", "one", "-o", "exported", "--second-file", "phrase"]
        ) {
            fixture, watch in
            try fixture.setPolicy(.recovery)
            (watch.shown, watch.held) = ([.file("exported"): ["kept key 0"]], ["kept key 0"])
        },
        by(
            "a wrong policy PIN",
            ["remove", "one", "--yes", "--never-backed-up", "--second-file", "wrong-pin"],
            status: 77, prints: "second unlock method: wrong PIN"
        ) { fixture, _ in try fixture.setPolicy(.pin) },
        by(
            "restore with a policy PIN",
            ["restore", "data/vault.db", "--vault", "data/restored.db", "--second-file", "new-pin"]
        ) { fixture, _ in try fixture.setPolicy(.pin) },
    ]
}
