extension MeantCommand {
    /// Other names of a subcommand, in any group that has one of the subcommands.
    static let usualNames: [String: [String]] = [
        "delete": ["remove", "unpin"], "del": ["remove", "unpin"], "rm": ["remove", "unpin"],
        "erase": ["remove", "unpin"], "revoke": ["remove"], "drop": ["remove", "unpin"],
        "new": ["create", "add", "set"], "create": ["add", "set"], "generate": ["create", "add"],
        "import": ["add", "pin"], "edit": ["set", "rotate"], "update": ["set", "rotate"],
        "change": ["rotate"],
        "ls": ["list"], "info": ["show"], "view": ["show"], "cat": ["show"], "check": ["verify", "test"],
        "mv": ["rename"], "label": ["rename"],
    ]

    /// What to run instead, for each group; the root command is "".
    static let advice: [String: [String: String]] = [
        "": table([
            (["recover", "recovery", "repair", "fix", "salvage"], recovering),
            (["reset", "forgot", "forgotten", "lost"], resetting),
            (["delete", "del", "rm", "erase", "drop", "revoke"], removing),
            (["wipe", "destroy", "purge", "shred", "clear", "uninstall"], destroying),
            (["passwd", "password", "passphrase", "change-pin", "change-password", "changepin"], changing),
            (["unlock", "lock", "open", "close", "login", "logout", "signin", "auth"], unlocking),
            (["generate", "gen", "keygen", "new", "add", "new-key", "create-key", "newkey"], creating),
            (["setup", "create-vault", "new-vault", "wallet"], "`eosvault init` makes a vault"),
            (
                ["history", "audit", "events", "records", "journal", "activity"],
                "`eosvault log` prints the audit log"
            ),
            (["mnemonic", "phrase", "words", "recovery-phrase", "bip39"], phrase),
            (
                ["keys", "ls", "key-list", "list-keys", "listkeys", "accounts", "wallets"],
                "`eosvault list` prints the keys"
            ),
            (["info", "details", "describe", "view", "cat", "get"], showing),
            (["address", "addresses", "pubkey", "public-key", "public", "receive"], address),
            (["private-key", "privkey", "private", "secret", "reveal", "dump"], exporting),
            (["push", "send", "broadcast", "submit", "publish", "post"], sending),
            (["save", "copy", "clone", "bak"], "`eosvault backup FILE` writes a verified backup"),
            (["load", "undo", "rollback", "revert"], "`eosvault restore FILE` makes a vault from a backup"),
            (
                ["decode", "review", "preview", "explain", "parse"],
                "`eosvault inspect FILE` shows a transaction"
            ),
            (
                ["limit", "limits", "rules", "allow", "whitelist", "allowlist"],
                "`eosvault policy` limits what keys sign"
            ),
            (
                ["api", "apikey", "api-key", "api-keys", "http"],
                "`eosvault credential` stores API keys"
            ),
            (["multisig", "proposal"], multisig),
            (["rotate", "renew"], rotating),
            (
                ["vote", "stake", "delegate", "pay", "payroll"],
                "`eosvault help build` lists the actions that can be built, such as transfer and voteproducer"
            ),
            (["version"], "the option --version prints the version"),
            (["balance", "account"], "eosvault never uses a network: `cleos get account` shows an account"),
            (["deploy", "setcode", "setabi", "contract"], deploying),
            (["sign-message", "sign-digest", "message"], "no command signs a bare message or digest"),
            (["scan", "camera"], "eosvault-scan reads QR codes; `eosvault sign FILE --qr` shows them"),
            (["network", "networks"], "`eosvault chains` prints the names of chains"),
            (["diagnose", "diagnostics", "selftest", "security"], "`eosvault doctor` examines this machine"),
        ]),
        "build": table([
            (["vote"], "did you mean `eosvault build voteproducer`?"),
            (["setcode", "setabi", "deploy", "contract"], deploying),
            (["multisig", "propose", "proposal"], multisig),
        ]),
        "pin": table([
            (["reset", "forgot", "forgotten", "lost", "recover", "new", "set", "update", "edit"], changing),
            (["add", "create", "list", "remove", "delete"], "a PIN is a slot: see `eosvault help slot`"),
        ]),
        "slot": table([
            (["change", "edit", "update", "rename", "reset", "replace"], changing),
            (["recover", "recovery", "phrase", "seed"], phrase),
        ]),
        "backup": table([
            (["restore", "load", "import"], "`eosvault restore FILE` makes a vault from a backup"),
            (["recover", "repair", "rescue"], recovering),
        ]),
        "policy": table([
            (
                ["clock", "clock-correct", "clock-fixed"],
                "`eosvault policy clock-corrected` records a clock that was set"
            ),
            (
                ["example", "template", "generate", "sample"],
                "`eosvault policy init` writes a policy to start from"
            ),
        ]),
        "transaction": table([
            (["push", "send", "broadcast", "submit"], sending),
            (["decode", "show", "view", "info"], "`eosvault inspect FILE` shows a transaction"),
            (
                ["hash"],
                "`eosvault transaction id` prints the id, `eosvault transaction digest` the signed hash"
            ),
        ]),
        "credential": table([
            (["reset", "replace", "renew"], "`eosvault credential rotate` replaces the secret")
        ]),
        "chain": table([
            (["add", "set", "create", "new", "rename", "label"], "did you mean `eosvault chain name`?"),
            (["list", "ls", "show", "info"], "did you mean `eosvault chains`?"),
        ]),
        "log": table([
            (
                ["clear", "clean", "prune", "delete", "remove", "rm", "truncate"],
                "`eosvault log archive FILE` moves old records to a file"
            )
        ]),
    ]

    private static func table(_ rows: [(names: [String], advice: String)]) -> [String: String] {
        Dictionary(rows.flatMap { row in row.names.map { ($0, row.advice) } }) { first, _ in first }
    }

    private static let recovering =
        "if the vault is damaged, run `eosvault rescue FILE`; if it is lost, `eosvault restore FILE` makes one from a "
        + "backup; if the PIN is lost, `eosvault pin change --recovery` sets a new one"
    private static let resetting =
        "if the PIN is lost, `eosvault pin change --recovery` sets a new one with the recovery phrase; without the "
        + "PIN or the phrase, the vault can't be opened"
    private static let removing =
        "to permanently remove a key, run `eosvault remove KEY`; make a backup with `eosvault backup FILE` first"
    private static let destroying =
        "no command deletes a vault; `eosvault remove KEY` permanently removes one key"
    private static let changing =
        "`eosvault pin change` replaces the PIN; with --recovery, it asks for the recovery phrase instead of the PIN"
    private static let unlocking =
        "the vault is never left open: each command asks for the PIN when it needs it; start with `eosvault list`"
    private static let creating = "`eosvault create` makes a key; `eosvault init` makes a vault"
    private static let phrase =
        "`eosvault seed` makes and restores seeds (BIP-39 words); `eosvault slot add --new-recovery` makes a recovery "
        + "phrase for the vault"
    private static let showing =
        "`eosvault show KEY` prints the details of a key; `eosvault list` prints all keys"
    private static let address =
        "`eosvault list` prints the public keys; payments go to account names, which the chain assigns to keys"
    private static let exporting =
        "`eosvault list` prints public keys; `eosvault export KEY` prints a private key unencrypted"
    private static let sending =
        "eosvault never uses a network: send the signed file with `cleos push transaction -s FILE`"
    private static let rotating =
        "to give an account a new key, run `eosvault build updateauth`; `eosvault credential rotate` replaces an API "
        + "secret, `eosvault rekey` the master key of the vault"
    private static let deploying =
        "`cleos set contract ACCOUNT FOLDER -d -s -j -x 3600` makes the transaction; sign it with `eosvault sign`"
    private static let multisig =
        "`eosvault build msig-propose` and `eosvault build msig-approve` make multisig transactions; "
        + "see `eosvault help msig`"
}
