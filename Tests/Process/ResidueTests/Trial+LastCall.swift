import KeyVault
import TestSupport

extension Trial {
    /// Commands that change or copy a vault. At their last system call, their unlock methods and
    /// the secrets derived from them are wiped.
    static let lastCalls: [Trial] = [
        last("policy set", ["policy", "set", "one", "policy.json", "--yes"] + newSecond, holding: vaultKeys),
        last(
            "policy set of a phrase", ["policy", "set", "one", "policy.json", "--yes"] + newPhrase,
            holding: vaultKeys),
        last(
            "policy set, looser", ["policy", "set", "--all", "policy.json", "--yes"] + second,
            holding: vaultKeys
        ) {
            fixture, _ in
            try fixture.setPolicy(.pin)
        },
        last("backup", ["backup", "copy.db"], holding: vaultKeys),
        last("slot add of a PIN", ["slot", "add", "--new-pin-file", "new-pin"] + VaultFixture.smallest),
        last("slot add of a key file", ["slot", "add"] + newKeyFile + VaultFixture.smallest) { _, watch in
            watch.shown[.file("stick/made.key")] = ["random bytes 1"]
            watch.held = vaultKeys.union([
                "new PIN", "random bytes 1", "new PIN and key file 0 at a new slot",
            ])
        },
        last("pin change", ["pin", "change", "--new-pin-file", "new-pin"] + VaultFixture.smallest),
        last("rekey", ["rekey", "--drop-other-slots"]),
        last("restore", ["restore", "data/vault.db", "--vault", "data/restored.db"]),
    ]

    private static let newSecond = ["--second", "pin", "--new-second-file", "new-pin"]
    private static let newPhrase = ["--second", "recovery", "--new-second-file", "phrase"]
    private static let second = newSecond + ["--second-file", "new-pin"]
    private static let newKeyFile = ["--new-pin-file", "new-pin", "--new-keyfile", "stick/made.key"]

    /// - Parameter held: the secrets that may be in guarded memory at the last system call.
    private static func last(
        _ name: String, _ arguments: [String], holding held: Set<String> = [],
        _ prepare: @escaping @Sendable (VaultFixture, inout Watch) throws -> Void = { _, _ in }
    ) -> Trial {
        by("the last call of \(name)", arguments) { fixture, watch in
            let policy =
                #"{"version":1,"chains":["eos"],"rules":[{"contract":"eosio.token","action":"transfer"}]}"#
            try Files.write(Array(policy.utf8), to: fixture.path + "/policy.json")
            watch.held = nil
            watch.heldLast = held
            try prepare(fixture, &watch)
        }
    }
}
