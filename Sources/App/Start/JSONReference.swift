import Shell

/// What each command prints with `--json`. The command scripts compare every output with it.
struct JSONReference: Sendable {
    /// The command or commands that print this, such as `slot list`.
    let commands: [String]
    let shape: JSONShape

    /// Whether there is one object for each item, on one line each.
    var isStream: Bool { commands.contains(where: Self.streams.contains) }

    /// What commands print on standard output.
    static let all = [vaults, credentials, logs, transactions, policies, abis, others].flatMap { outputs in
        outputs.map { JSONReference(commands: $0.key.split(separator: ", ").map(String.init), shape: $0.value) }
    }

    private static let streams: Set = [
        "import --lines", "import --from", "credential sign --lines", "log", "log export", "sign --lines",
        "inspect --lines",
    ]

    private static let vaults: KeyValuePairs<String, JSONShape> = [
        "create, import, rename, remove": .entry,
        "import --lines, import --from": [
            "id": .number("the number of the line, from 1, or of the key in a list"),
            "public_key?": .text("the imported key"), "label?": .orNull(.text, "its label"),
            "error?": .object(.error, "why it was refused"),
        ],
        "list": [
            "unverified": .boolean("false with --verify"),
            "keys": .list(of: .listedKey, "the keys, by creation time, then by public key"),
            "credentials": .list(of: .listedKey, "the credentials, in the same order"),
        ],
        "show": .shownKey,
        "init": [
            "vault": .text("the path of the new vault"), "kdf_passes": .number("the passes of Argon2id"),
            "kdf_memory": .number("the memory of Argon2id, in bytes"), "slots": .list(of: slot, "the unlock methods"),
        ],
        "slot list": [
            "unverified": .boolean("true: the command needs no PIN"),
            "slots": .list(of: .slotDetails, "the slots, by number"),
        ],
        "slot add, slot remove, pin change, rekey": [
            "slot": .number("the slot that was added, removed or changed; for `rekey`, the slot that was kept")
        ],
        "check": .checkReport, "backup": .backup("backup"), "restore": .backup("vault"),
        "backup verify": ["backups": .list(of: .verifiedBackup, "the backups that opened")], "rescue": .rescueReport,
    ]

    private static let slot: JSONShape = [
        "slot": .number("its number"), "kind": .text("`pin`, `pin+keyfile` or `recovery`"),
    ]

    private static let credentials: KeyValuePairs<String, JSONShape> = [
        "credential add, credential rename, credential rotate, credential remove": .entry,
        "credential list": [
            "unverified": .boolean("false with --verify"),
            "credentials": .list(of: .credential, "the credentials, by creation time"),
        ],
        "credential show": .object(["unverified": .boolean("false with --verify")]).adding(.credential),
        "credential sign --format=json": .signedRequest, "credential sign --lines": .requestResult,
    ]

    private static let logs: KeyValuePairs<String, JSONShape> = [
        "log": .record, "log export": .exportedRecord,
        "log verify": [
            "ok": .boolean("whether nothing is damaged or missing"),
            "record_count": .number("the verified records in the vault"),
            "faults": .list(of: .fault, "what is damaged or missing"),
            "archives": .list(of: .archive, "the archives that the vault refers to"),
            "verified": .list(of: .verifiedArchive, "the given archives that are intact"),
        ],
        "log archive": [
            "archive": .text("the path of the new file"), "first": .number("its first record"),
            "last": .number("its last record"), "record_count": .number("the number of its records"),
            "blake2b": .text("the BLAKE2b hash of the file, in hex"),
        ],
    ]

    private static let transactions: KeyValuePairs<String, JSONShape> = [
        "inspect": .review,
        "inspect --lines": .object([
            "line?": .number("the number of the line, from 1"), "id?": .any("the text or the integer of the line"),
        ]).adding(.review.optional)
            .adding([
                "error?": .object(.error, "why the line can't be signed"),
                "review?": .any("after all lines: the review of `sign --lines`"),
            ]),
        "sign --lines": [
            "line": .number("the number of the line, from 1"), "id?": .any("the text or the integer of the line"),
            "transaction_id?": .text("the signed transaction"),
            "signatures?": .list(of: .text, "all signatures of the transaction"),
            "already?": .boolean("true: this vault made these signatures before"),
            "error?": .object(.error, "why the line was refused"),
        ],
        "signatures": [
            "transaction_id": .text("the transaction id"), "chain_id": .text("the chain"),
            "signatures": .list(of: .signer, "the signatures, in their order"),
            "permissions?": .list(of: .checkedPermission, "those that the actions name, with --authority"),
            "unneeded_keys?": .list(of: .text, "keys whose signature makes a chain refuse the transaction"),
            "accepted?": .boolean("whether a chain with these permissions accepts the signatures"),
        ],
        "request create": [
            "link": .text("the link"), "request": .any("the request, as EEP-7 writes it, with action data in hex"),
        ],
        "request show": .shownRequest,
        "msig hash": ["proposal_hash": .text("the SHA-256 of the packed transaction"), "size": .number("its bytes")],
    ]

    private static let policies: KeyValuePairs<String, JSONShape> = [
        "policy list": [
            "unverified": .boolean("false with --verify"),
            "policies": .list(of: .policy, "that of all keys, then those of single keys"),
        ],
        "policy show": .object(["unverified": .boolean("false with --verify")]).adding(.policy).adding([
            "uses": .list(of: .limitUse, "what is used of the rolling limits; empty for all keys"),
            "room": .orNull(
                [
                    "sums": .number("the sums for each recipient and slice of time"),
                    "recipients": .number("their recipients, once for each window and token"),
                    "maximum": .number("the most sums, and the most recipients"),
                ], "the room that limits for each recipient use; null for all keys"),
            "document": .text("the policy, whose lines messages name"),
        ]),
        "policy simulate": [
            "allowed_count": .number("the transactions that are allowed"),
            "confirmed_count": .number("those of them that a person must confirm at a terminal"),
            "refused": .list(
                of: [
                    "line": .number("where the file has the transaction"), "time": .text("when it was signed, in UTC"),
                    "transaction_id": .text("the transaction id"), "error": .object(.error, "why it is refused"),
                    "denial": .orNull(.any, "the same in fields; null for another reason than the policy"),
                ],
                "those that are refused, by their times"),
        ],
        "policy set, policy remove": .changedPolicy,
        "policy clock-corrected": ["time": .text("the time of the record, from which limits count, in UTC")],
        "policy test": [
            "public_key": .text("the key"), "unverified": .boolean("true"),
            "allowed": .boolean("true: a denial is an error"),
            "signed": .boolean("whether the vault signed it with the key, or the key's signature is attached"),
            "actions": .list(
                of: [
                    "path": .text("the action, for example actions[0].inner.actions[2]"),
                    "contract": .text("its contract"), "action": .text("its name"),
                    "rule": .number("the index of the rule that allows it"),
                    "name": .orNull(.text, "the name of the rule"), "line": .number("its line in the policy"),
                ],
                "the actions, with those of nested transactions"),
            "confirmations": .list(of: .text, "why a person must confirm the signature: always, clock"),
        ],
    ]

    private static let abis: KeyValuePairs<String, JSONShape> = [
        "abi list": ["abis": .list(of: .listedABI, "the ABIs")],
        "abi show": ["abis": .list(of: .shownABI, "the ABIs of the account")], "abi pin": .changedABI,
        "abi unpin": .pinnedABI,
        "abi convert": [
            "sha256": .text("the SHA-256 of the raw form"), "bytes": .number("the size of the raw form"),
            "raw": .text("the raw form, in hex"), "abi": .any("the ABI, as `get_abi` of a node prints it"),
        ],
    ]

    private static let others: KeyValuePairs<String, JSONShape> = [
        "chains": [
            "chains": .list(
                of: [
                    "name": .text("the value for --chain"), "aliases": .list(of: .text, "others"),
                    "title": .text("the name for people"), "id": .text("the chain id, in hex"),
                ],
                "the built-in chains")
        ],
        "key convert": [
            "private_key?": .text("PVT_K1_… or PVT_R1_…, for a private key from standard input"),
            "wif?": .text("the WIF, for a private key of K1"),
            "public_key?": .text("the public key, as all commands print it"),
            "canonical?": .text("PUB_K1_…, PUB_R1_… or PUB_WA_…, for a public key"),
            "legacy?": .text("EOS…, for a public key of K1"), "signature?": .text("SIG_…, for a signature"),
            "binary?": .text("the bytes, in hex"),
        ],
        "verify": ["files": .list(of: .vectorFile, "one object for each file")],
        "doctor": [
            "version": .text("of eosvault"), "kernel": .orNull(.text, "the version of Linux"),
            "warning_count": .number("the warnings"), "note_count": .number("the notes"),
            "findings": .list(of: .finding, "what was inspected"),
        ],
        "codes": [
            "exit_statuses": .list(of: .status, "the exit statuses"), "errors": .list(of: .code, "the codes of errors"),
            "faults": .list(of: .code, "the codes of faults"),
            "warnings": .list(of: .code, "the codes of warnings of a review"),
            "abi_warnings": .list(of: .code, "the codes of warnings about an ABI"),
        ],
        "help json": [
            "outputs": .list(
                of: .any,
                "one object for each output: `commands`, `stream` (true for one object per item), `type`, `members`"),
            "messages": .any("the same for standard error"),
            "lines_review": .any("the same for the review of `sign --lines`"),
            "answer": .any("the same for the result of a signing request"),
        ],
    ]

    /// What commands print on standard error, one object on each line.
    static let messages: JSONShape = [
        "error?": .object(.error, "why the command failed"), "warning?": .text("a warning"),
        "code?": .text("the code of a warning about an ABI"), "note?": .text("a note"),
        "review?": .any("with --yes: what `inspect` prints, or the review of `sign --lines`"),
        "review_line?": .any("with --lines and --yes, before the review: what `inspect --lines` prints for a line"),
    ]
}
