// The objects that several commands print.

extension JSONShape {
    static let error = object([
        .always("code", .text, "its code, which never changes"), .always("message", .text, "for people"),
        .always("hint", .text, "what to do"),
        .sometimes(
            "policy", policyRefusal, "which policy refused the signature, and why; the code begins with `policy-`"),
    ])

    static let policyRefusal = object([
        .always("key", .text, "the public key"),
        .always("all_keys", .boolean, "whether the policy is that of all keys"),
        .sometimes("member", .text, "the member of the policy that failed, as a JSON pointer"),
        .sometimes("rule", .number, "the index of the rule"), .sometimes("limit", .number, "the index of the limit"),
        .sometimes("amount", .number, "the index of the amount"), .sometimes("name", .text, "its name"),
        .sometimes("line", .number, "its line in the text that `policy show` prints, or in the file of --policy"),
        .sometimes("path", .text, "the action, for example actions[0].inner.actions[2]"),
        .sometimes("contract", .text, "the contract of the action"), .sometimes("action", .text, "its name"),
        .sometimes("pointer", .text, "the field of the action's data, as a JSON pointer"),
        .sometimes("value", .any, "what the request has: a text or a number"),
        .sometimes("required", .any, "what the policy requires"),
        .sometimes("token", .text, "the token of the limit"), .sometimes("recipient", .text, "the recipient"),
        .sometimes("per", .text, "the window of the limit"), .sometimes("maximum", .any, "the limit"),
        .sometimes("used", .text, "what is used in the window"), .sometimes("remaining", .text, "what remains"),
        .sometimes("restored", .text, "when the vault was restored, if the limit counts as used up because of it"),
        .sometimes(
            "resets", .text, "when this check passes, in UTC: the limit fits, `hours` begin, or entries are free"),
    ])

    static let entry = object(entryMembers)

    private static let entryMembers: [Member] = [
        .sometimes("public_key", .text, "the key, as EOS…; absent for an entry that is not a key"),
        .sometimes("name", .text, "the name of an entry that is not a key"),
        .sometimes("kind", .number, "the kind of an entry that is not a key"),
        .always("label", .orNull(.text), "its label"),
        .always("created", .text, "when it was added, in UTC: 2026-12-01T00:00:00"),
    ]

    static let listedKey = object(
        entryMembers + [.always("backed_up", .boolean, "whether a verified backup has it")])

    static let shownKey = object(
        [
            .always("unverified", .boolean, "false with --verify"),
            .sometimes("canonical", .text, "the key, as PUB_K1_…"),
            .sometimes("legacy", .orNull(.text), "the key, as EOS…; null for a key that is not K1"),
            .sometimes("binary", .text, "the packed key, in hex: one byte for the curve, then 33 bytes"),
        ] + listedKey.members + [
            .always("policy", .orNull(.text), "which policy limits it: `own` or `all-keys`; null for none")
        ])

    // MARK: - credentials

    static let credential: [Member] = [
        .always("name", .text, "its id"), .always("profile", .text, "its profile"),
        .always("parameters", .text, "the profile and all its parameters: the text of a JSON object"),
        .always("key_id", .text, "the public part of the API key"),
        .always("url_prefix", .orNull(.text), "the URL prefix"),
        .always("nonce_unit", .text, "`ms`, `us` or `s`"),
        .always("last_nonce", .text, "the last nonce, in decimal; 0 for none"),
        .always("kind", .number, "16"), .always("label", .orNull(.text), "its label"),
        .always("created", .text, "when it was added, in UTC"),
        .always("backed_up", .boolean, "whether a verified backup has it"),
    ]

    static let signedRequest = object(signedRequestMembers)

    static let requestResult = object(
        [.always("id", .any, "the id of the request, or the number of the line, from 1")]
            + signedRequestMembers.map { .sometimes($0.name, $0.shape, $0.meaning) }
            + [.sometimes("error", .error, "why the line was refused")])

    private static let signedRequestMembers: [Member] = [
        .always("method", .text, "the method"), .always("url", .text, "the URL to send"),
        .always(
            "headers",
            .list(of: .object([.always("name", .text, "its name"), .always("value", .text, "its value")])),
            "the headers to send"),
        .sometimes("body", .text, "the body to send"), .sometimes("body_base64", .text, "a body that is not UTF-8"),
        .sometimes("nonce", .number, "the nonce, if the profile uses one"),
        .always(
            "warnings", .list(of: .text),
            "none or several of `query-not-signed`, `body-not-signed`, `plain-http` (http to another machine)"),
    ]

    // MARK: - policies

    static let limitUse = object([
        .always("limit", .number, "the number of the limit in the policy, from 0"),
        .always("name", .orNull(.text), "its name"), .always("line", .number, "its line"),
        .always("token", .orNull(.text), "the token that it counts; null for transactions"),
        .always("recipient", .orNull(.text), "the recipient; null for all together"),
        .always("per", .text, "`1h`, `24h`, `7d` or `30d`"), .always("maximum", .text, "the limit"),
        .always("used", .text, "what is used"), .always("remaining", .text, "what remains"),
    ])

    static let policy: [Member] = [
        .always("public_key", .orNull(.text), "the key; null for all keys"),
        .always("label", .orNull(.text), "the label of the key, if the vault contains it"),
        .always("all_keys", .boolean, "whether the policy is that of all keys"),
        .always("chains", .orNull(.list(of: .text)), "its chains; null for a policy that can't be read"),
        .always("rule_count", .orNull(.number), "the number of its rules"),
        .always("limit_count", .orNull(.number), "the number of its limits"),
        .always("set", .text, "when it was set, in UTC"),
        .always("second_method", .text, "`pin` (a policy PIN) or `recovery`: what a looser policy needs"),
        .always("sha256", .text, "the SHA-256 of the policy, as the audit log states it"),
    ]

    static let changedPolicy = object([
        .always("public_key", .orNull(.text), "the key; null for all keys"),
        .always("all_keys", .boolean, "whether the policy is that of all keys"),
        .always("sha256", .text, "the SHA-256 of the policy that was set or removed"),
        .always("looser", .boolean, "whether the change may allow more than before"),
        .always(
            "changes",
            .list(
                of: object([
                    .always("part", .text, "chain, identity, transaction, rule, amount or limit"),
                    .always("name", .orNull(.text), "the name of the part, or the member of `transaction`"),
                    .always("old", .orNull(.text), "its earlier value as JSON; null for a new part"),
                    .always("new", .orNull(.text), "its value as JSON; null for a removed part"),
                    .always("looser", .boolean, "whether this change may allow more"),
                ])), "what differs from the earlier policy"),
    ])

    static let slotDetails = object([
        .always("slot", .number, "its number"),
        .always("kind", .orNull(.text), "`pin`, `pin+keyfile` or `recovery`; null for a damaged slot"),
        .always("created", .orNull(.text), "when it was made, in UTC"),
        .always("kdf_passes", .orNull(.number), "the passes of Argon2id"),
        .always("kdf_memory", .orNull(.number), "the memory of Argon2id, in bytes"),
        .always("condition", .text, "`sound`, `copy-damaged` (one of its two copies) or `damaged`"),
    ])

    // MARK: - faults, backups, archives

    static let fault = object([
        .always("code", .text, "its code"), .always("message", .text, "for people"),
        .sometimes("public_key", .text, "the key that is affected"),
        .sometimes("name", .text, "the entry that is affected"),
        .sometimes("slot", .number, "the slot that is affected"),
        .sometimes("table", .text, "the table that is affected"),
        .sometimes("sequence", .number, "the record that is affected"),
        .sometimes("file", .text, "the archive that is affected"),
        .sometimes("first", .number, "the first record of an archive, or the first one that is affected"),
        .sometimes("last", .number, "the last one"), .sometimes("time", .text, "when an archive was made, in UTC"),
        .sometimes("blake2b", .text, "the hash of an archive"),
    ])

    static let archive = object(archiveMembers)

    private static let archiveMembers: [Member] = [
        .always("first", .number, "its first record"), .always("last", .number, "its last record"),
        .always("time", .text, "when it was made, in UTC"),
        .always("blake2b", .text, "the BLAKE2b hash of the file, in hex"),
    ]

    static let verifiedArchive = object(
        [.always("file", .text, "its path")] + archiveMembers.filter { $0.name != "time" })

    private static let contents: [Member] = [
        .always("ok", .boolean, "whether no fault was found"), .always("key_count", .number, "the keys that open"),
        .always("credential_count", .number, "the credentials that open"),
        .always("policy_count", .number, "the policies"),
        .always("record_count", .number, "the records of the audit log"),
        .always("generation", .number, "the number of changes of the vault"),
        .always("faults", .list(of: fault), "what is damaged"),
    ]

    static let checkReport = object(
        contents + [
            .always("used_percent", .number, "how much of its maximum size, 1 GiB, the vault uses"),
            .always("archives", .list(of: archive), "the archives that the vault refers to"),
        ])

    static let verifiedBackup = object(
        [.always("file", .text, "its path")] + contents + [
            .always("last_change", .orNull(.text), "when the vault was last changed, in UTC"),
            .always(
                "missing_keys", .orNull(.list(of: entry)), "the keys of your vault that it lacks; null without one"),
            .always(
                "missing_credentials", .orNull(.list(of: entry)),
                "the credentials of your vault that it lacks; null without one"),
        ])

    /// - Parameter what: the member with the path: `backup` or `vault`.
    static func backup(_ what: String) -> JSONShape {
        object(
            [
                .always(what, .text, "the path of the new file"), .always("key_count", .number, "its keys"),
                .always("credential_count", .number, "its credentials"),
                .always("generation", .number, "the number of changes of the vault"),
                .always("bytes", .number, "the size of the file"),
            ]
                + (what == "vault"
                    ? [
                        .always("limits_used_up", .number, "the keys whose rolling limits count as used up"),
                        .sometimes("dry_run", .boolean, "true with --dry-run: nothing was made"),
                    ] : []))
    }

    static let rescueReport = object([
        .always("vault", .text, "the path of the new vault"), .always("keys", .list(of: entry), "the rescued keys"),
        .always("credentials", .list(of: entry), "the rescued credentials"),
        .always("lost", .list(of: fault), "the entries that could not be rescued"),
        .always("lost_unlisted", .number, "how many more were lost, without a name"),
        .always("labels_dropped", .list(of: .text), "the entries whose label was dropped"),
        .always("left_out", .list(of: .text), "the entries that the digests do not cover, which are not rescued"),
        .always("unconfirmed", .list(of: .text), "the rescued entries that the digests do not confirm"),
        .always("entries_beyond_count", .number, "how many more entries were rescued than the vault had"),
        .always("verified", .boolean, "whether the digests of the vault are intact"),
        .always(
            "state", .text,
            "compared with this machine's state file: unknown, newest, last-backup, older, forked or not-comparable"),
        .always("entry_count_before", .orNull(.number), "the entries that the vault had; null if this is lost"),
        .always("complete", .boolean, "whether the digests prove that no entry is missing"),
        .always(
            "pinned_abis", .list(of: .object(pinnedABI.filter { $0.name != "sha256" })), "the rescued pinned ABIs"),
        .always("pinned_abis_complete", .boolean, "true if the digests prove that no pinned ABI is missing"),
        .always("archives", .list(of: archive), "the archives that only the damaged vault opens"),
        .always("policies", .list(of: .text), "the keys whose policies were rescued, and * for the policy of all keys"),
        .always("policies_complete", .boolean, "true if the digests prove that no policy is missing"),
        .always("uses_lost", .list(of: .text), "the keys whose uses of the limits were lost"),
        .always("limits_used_up", .number, "the keys whose rolling limits count as used up"),
    ])

    // MARK: - the audit log

    static let record = object(recordMembers)

    static let exportedRecord = object(
        recordMembers + [.sometimes("label", .orNull(.text), "the label that the key has in the vault now")])

    private static let recordMembers: [Member] = [
        .always("sequence", .number, "the number of the record"),
        .always("time", .text, "in UTC; with Z in `log export`"),
        .always("event", .text, "the event, as in `--event`, or `unknown-N`"),
        .sometimes("public_key", .text, "the key that was used or changed"),
        .sometimes("name", .text, "the entry that was changed, if it is not a key"),
        .sometimes("from", .orNull(.text), "the earlier label"), .sometimes("to", .orNull(.text), "the new label"),
        .sometimes("chain_id", .text, "the chain of a signature or an ABI"),
        .sometimes("transaction_id", .text, "the signed transaction"),
        .sometimes(
            "actions",
            .list(
                of: .object([
                    .always("action", .text, "CONTRACT::ACTION"), .always("count", .number, "how many"),
                ])), "the signed actions"),
        .sometimes("other_action_count", .number, "the signed actions that are not named"),
        .sometimes("account", .text, "the account of a pinned ABI"),
        .sometimes("abi_sha256", .text, "the SHA-256 of a pinned ABI"),
        .sometimes("policy_sha256", .text, "the SHA-256 of a policy"),
        .sometimes("all_keys", .boolean, "true for a policy of all keys"),
        .sometimes("slot", .number, "the slot that was changed"),
        .sometimes("kind", .text, "the kind of the slot, as in `slot list`"),
        .sometimes("count", .number, "the number of failed unlocks, of rescued entries, or of refused requests"),
        .sometimes("first", .text, "the time of the first failed unlock or refused request"),
        .sometimes("last", .text, "the time of the last failed unlock or refused request"),
        .sometimes("generation", .number, "the generation of a backup"),
        .sometimes("from_version", .number, "the earlier version of the format"),
        .sometimes("first_sequence", .number, "the first record of an archive"),
        .sometimes("last_sequence", .number, "the last record of an archive"),
        .sometimes("blake2b", .text, "the hash of an archive"),
        .sometimes("profile", .text, "the profile of a signed HTTP request"),
        .sometimes("method", .text, "its method"),
        .sometimes("host", .text, "its host, and the port if it is not the default port"),
        .sometimes("path", .text, "at most 200 bytes of its path, without the query"),
        .sometimes("path_sha256", .text, "the SHA-256 of its path"),
    ]

    // MARK: - ABIs

    static let pinnedABI: [Member] = [
        .always("account", .text, "the account"), .always("chain_id", .text, "the chain, in hex"),
        .always("sha256", .text, "the SHA-256 of the raw form"),
    ]

    static let changedABI = object(
        pinnedABI + [
            .always("replaced_sha256", .orNull(.text), "the ABI that it replaces; null for none"),
            .always("actions_added", .list(of: .text), "new actions"),
            .always("actions_removed", .list(of: .text), "actions that are gone"),
            .always("actions_changed", .list(of: .text), "actions with other fields or types"),
        ])

    static let listedABI = object(listedABIMembers)
    static let shownABI = object(
        listedABIMembers + [.always("abi", .any, "the ABI, as a node prints it; null if it can't be read")])

    private static let listedABIMembers: [Member] = [
        .always("account", .text, "the account"), .always("pinned", .boolean, "whether a vault pins it"),
        .sometimes("unverified", .boolean, "only for a pinned ABI: false with --verify"),
        .sometimes("chain_id", .text, "the chain of a pinned ABI"),
        .always("chains", .list(of: .text), "the chains: one for a pinned ABI"),
        .always("date", .text, "when the ABI was pinned, or when the built-in ABI was recorded"),
        .always("source", .text, "`pinned`, or where the built-in ABI was recorded"),
        .always("sha256", .text, "the SHA-256 of the raw form"),
        .always("older", .boolean, "whether it is an older built-in ABI"),
        .always("actions", .list(of: .text), "its actions"),
        .always(
            "recorded",
            .list(
                of: .object([
                    .always("sha256", .text, "the SHA-256 of the raw form"), .always("chain", .text, "the chain"),
                    .always("date", .text, "when it was recorded"), .always("source", .text, "where"),
                ])), "the ABIs that chains had, which decode each action the same way; empty for a pinned ABI"),
    ]

    // MARK: - other commands

    static let vectorFile = object([
        .always("file", .text, "its path"), .always("passed", .boolean, "whether each test passed"),
        .sometimes("error", .text, "why the file was refused"),
        .sometimes("kind", .text, "the kind of vectors"), .sometimes("tests", .number, "the number of tests"),
        .sometimes(
            "failures",
            .list(of: .object([.always("id", .text, "of the test"), .always("reason", .text, "why it failed")])),
            "the tests that failed"),
    ])

    static let finding = object([
        .always("topic", .text, "what was inspected"), .always("state", .text, "ok, note or warning"),
        .always("finding", .text, "the result"), .always("meaning", .text, "what it means for an offline signer"),
        .always("advice", .orNull(.text), "what to do"),
    ])

    static let code = object([
        .always("code", .text, "the code"), .always("meaning", .text, "its meaning"),
        .sometimes("severities", .list(of: .text), "note, warning or danger, for a warning of a review"),
    ])

    static let status = object([
        .always("status", .number, "the exit status"), .always("meaning", .text, "its meaning"),
    ])
}
