/// What each command prints with `--json`. The command scripts compare every output with it.
struct JSONReference: Sendable {
    /// The command or commands that print this, such as `slot list`.
    let commands: [String]
    /// Whether there is one object for each item, on one line each.
    let isStream: Bool
    let shape: JSONShape

    private init(_ commands: [String], isStream: Bool = false, _ members: JSONShape.Member...) {
        self.commands = commands
        self.isStream = isStream
        shape = .object(members)
    }

    private init(_ commands: [String], isStream: Bool = false, _ shape: JSONShape) {
        (self.commands, self.isStream, self.shape) = (commands, isStream, shape)
    }

    /// What commands print on standard output.
    static let all: [JSONReference] =
        [
            JSONReference(["create", "import", "rename", "remove"], .entry),
            JSONReference(
                ["import --lines", "import --from"], isStream: true,
                .always("id", .number, "the number of the line, from 1, or of the key in a list"),
                .sometimes("public_key", .text, "the imported key"),
                .sometimes("label", .orNull(.text), "its label"), .sometimes("error", .error, "why it was refused")),
            JSONReference(
                ["list"], .always("unverified", .boolean, "false with --verify"),
                .always("keys", .list(of: .listedKey), "the keys, by creation time, then by public key"),
                .always("credentials", .list(of: .listedKey), "the credentials, in the same order")),
            JSONReference(["show"], .shownKey),
            JSONReference(
                ["init"], .always("vault", .text, "the path of the new vault"),
                .always("kdf_passes", .number, "the passes of Argon2id"),
                .always("kdf_memory", .number, "the memory of Argon2id, in bytes"),
                .always("slots", .list(of: .object(Self.slot)), "the unlock methods")),
            JSONReference(
                ["slot list"], .always("unverified", .boolean, "true: the command needs no PIN"),
                .always("slots", .list(of: .slotDetails), "the slots, by number")),
            JSONReference(
                ["slot add", "slot remove", "pin change", "rekey"],
                .always(
                    "slot", .number, "the slot that was added, removed or changed; for `rekey`, the slot that was kept")
            ),
            JSONReference(["check"], .checkReport),
            JSONReference(["backup"], .backup("backup")), JSONReference(["restore"], .backup("vault")),
            JSONReference(["backup verify"], .always("backups", .list(of: .verifiedBackup), "the backups that opened")),
            JSONReference(["rescue"], .rescueReport),
        ] + credentials + logs + transactions + policies + abis + others

    private static let slot: [JSONShape.Member] = [
        .always("slot", .number, "its number"), .always("kind", .text, "`pin`, `pin+keyfile` or `recovery`"),
    ]

    private static let credentials: [JSONReference] = [
        JSONReference(
            ["credential add", "credential rename", "credential rotate", "credential remove"], .entry),
        JSONReference(
            ["credential list"], .always("unverified", .boolean, "false with --verify"),
            .always("credentials", .list(of: .object(JSONShape.credential)), "the credentials, by creation time")),
        JSONReference(
            ["credential show"],
            .object([.always("unverified", .boolean, "false with --verify")] + JSONShape.credential)),
        JSONReference(["credential sign --format=json"], .signedRequest),
        JSONReference(["credential sign --lines"], isStream: true, .requestResult),
    ]

    private static let logs: [JSONReference] = [
        JSONReference(["log"], isStream: true, .record),
        JSONReference(["log export"], isStream: true, .exportedRecord),
        JSONReference(
            ["log verify"], .always("ok", .boolean, "whether nothing is damaged or missing"),
            .always("record_count", .number, "the verified records in the vault"),
            .always("faults", .list(of: .fault), "what is damaged or missing"),
            .always("archives", .list(of: .archive), "the archives that the vault refers to"),
            .always("verified", .list(of: .verifiedArchive), "the given archives that are intact")),
        JSONReference(
            ["log archive"], .always("archive", .text, "the path of the new file"),
            .always("first", .number, "its first record"), .always("last", .number, "its last record"),
            .always("record_count", .number, "the number of its records"),
            .always("blake2b", .text, "the BLAKE2b hash of the file, in hex")),
    ]

    private static let transactions: [JSONReference] = [
        JSONReference(["inspect"], .review),
        JSONReference(
            ["sign --lines"], isStream: true, .always("id", .number, "the number of the line, from 1"),
            .sometimes("transaction_id", .text, "the signed transaction"),
            .sometimes("signatures", .list(of: .text), "all signatures of the transaction"),
            .sometimes("error", .error, "why the line was refused")),
        JSONReference(
            ["signatures"], .always("transaction_id", .text, "the transaction id"),
            .always("chain_id", .text, "the chain"),
            .always("signatures", .list(of: .signer), "the signatures, in their order"),
            .sometimes("permissions", .list(of: .checkedPermission), "those that the actions name, with --authority"),
            .sometimes("unneeded_keys", .list(of: .text), "keys whose signature makes a chain refuse the transaction"),
            .sometimes("accepted", .boolean, "whether a chain with these permissions accepts the signatures")),
        JSONReference(
            ["request create"], .always("link", .text, "the link"),
            .always("request", .any, "the request, as EEP-7 writes it, with action data in hex")),
        JSONReference(["request show"], .shownRequest),
        JSONReference(
            ["msig hash"], .always("proposal_hash", .text, "the SHA-256 of the packed transaction"),
            .always("size", .number, "its bytes")),
    ]

    private static let policies: [JSONReference] = [
        JSONReference(
            ["policy list"], .always("unverified", .boolean, "false with --verify"),
            .always("policies", .list(of: .object(JSONShape.policy)), "that of all keys, then those of single keys")),
        JSONReference(
            ["policy show"],
            .object(
                [.always("unverified", .boolean, "false with --verify")] + JSONShape.policy
                    + [
                        .always("uses", .list(of: .limitUse), "what is used of the rolling limits; empty for all keys"),
                        .always("document", .text, "the policy, whose lines messages name"),
                    ])),
        JSONReference(
            ["policy simulate"], .always("allowed_count", .number, "the transactions that are allowed"),
            .always("confirmed_count", .number, "those of them that a person must confirm at a terminal"),
            .always(
                "refused",
                .list(
                    of: .object([
                        .always("line", .number, "where the file has the transaction"),
                        .always("time", .text, "when it was signed, in UTC"),
                        .always("transaction_id", .text, "the transaction id"),
                        .always("error", .error, "why it is refused"),
                        .always(
                            "denial", .orNull(.any), "the same in fields; null for another reason than the policy"),
                    ])), "those that are refused, by their times")),
        JSONReference(["policy set", "policy remove"], .changedPolicy),
        JSONReference(
            ["policy test"], .always("public_key", .text, "the key"),
            .always("unverified", .boolean, "true"), .always("allowed", .boolean, "true: a denial is an error"),
            .always("signed", .boolean, "whether the key has signed the transaction already"),
            .always(
                "actions",
                .list(
                    of: .object([
                        .always("path", .text, "the action, for example actions[0].inner.actions[2]"),
                        .always("contract", .text, "its contract"), .always("action", .text, "its name"),
                        .always("rule", .number, "the index of the rule that allows it"),
                        .always("name", .orNull(.text), "the name of the rule"),
                        .always("line", .number, "its line in the policy"),
                    ])), "the actions, with those of nested transactions"),
            .always("confirmations", .list(of: .text), "why a person must confirm the signature: always, clock")),
    ]

    private static let abis: [JSONReference] = [
        JSONReference(["abi list"], .always("abis", .list(of: .listedABI), "the ABIs")),
        JSONReference(["abi show"], .always("abis", .list(of: .shownABI), "the ABIs of the account")),
        JSONReference(["abi pin"], .changedABI), JSONReference(["abi unpin"], .object(JSONShape.pinnedABI)),
        JSONReference(
            ["abi convert"], .always("sha256", .text, "the SHA-256 of the raw form"),
            .always("bytes", .number, "the size of the raw form"), .always("raw", .text, "the raw form, in hex"),
            .always("abi", .any, "the ABI, as `get_abi` of a node prints it")),
    ]

    private static let others: [JSONReference] = [
        JSONReference(
            ["chains"],
            .always(
                "chains",
                .list(
                    of: .object([
                        .always("name", .text, "the value for --chain"), .always("aliases", .list(of: .text), "others"),
                        .always("title", .text, "the name for people"), .always("id", .text, "the chain id, in hex"),
                    ])), "the built-in chains")),
        JSONReference(
            ["key convert"],
            .sometimes("private_key", .text, "PVT_K1_… or PVT_R1_…, for a private key from standard input"),
            .sometimes("wif", .text, "the WIF, for a private key of K1"),
            .sometimes("public_key", .text, "the public key, as all commands print it"),
            .sometimes("canonical", .text, "PUB_K1_…, PUB_R1_… or PUB_WA_…, for a public key"),
            .sometimes("legacy", .text, "EOS…, for a public key of K1"),
            .sometimes("signature", .text, "SIG_…, for a signature"), .sometimes("binary", .text, "the bytes, in hex")),
        JSONReference(["verify"], .always("files", .list(of: .vectorFile), "one object for each file")),
        JSONReference(
            ["doctor"], .always("version", .text, "of eosvault"),
            .always("kernel", .orNull(.text), "the version of Linux"),
            .always("warning_count", .number, "the warnings"), .always("note_count", .number, "the notes"),
            .always("findings", .list(of: .finding), "what was inspected")),
        JSONReference(
            ["codes"], .always("exit_statuses", .list(of: .status), "the exit statuses"),
            .always("errors", .list(of: .code), "the codes of errors"),
            .always("faults", .list(of: .code), "the codes of faults"),
            .always("warnings", .list(of: .code), "the codes of warnings of a review"),
            .always("abi_warnings", .list(of: .code), "the codes of warnings about an ABI")),
        JSONReference(
            ["help json"],
            .always(
                "outputs", .list(of: .any),
                "one object for each output: `commands`, `stream` (true for one object per item), `type`, `members`"),
            .always("messages", .any, "the same for standard error"),
            .always("lines_review", .any, "the same for the review of `sign --lines`"),
            .always("answer", .any, "the same for the result of a signing request")),
    ]

    /// What commands print on standard error, one object on each line.
    static let messages: JSONShape = .object([
        .sometimes("error", .error, "why the command failed"),
        .sometimes("warning", .text, "a warning"),
        .sometimes("code", .text, "the code of a warning about an ABI"),
        .sometimes("note", .text, "a note"),
        .sometimes("review", .any, "with --yes: what `inspect` prints, or the review of `sign --lines`"),
    ])
}
