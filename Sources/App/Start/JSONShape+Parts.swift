import Shell

// The objects that several commands print.

extension JSONShape {
    static let error: JSONShape = [
        "code": .text("its code, which never changes"), "message": .text("for people"), "hint": .text("what to do"),
        "policy?": .object(
            policyRefusal, "which policy refused the signature, and why; the code begins with `policy-`"),
    ]

    static let policyRefusal: JSONShape = [
        "key": .text("the public key"), "all_keys": .boolean("whether the policy is that of all keys"),
        "member?": .text("the member of the policy that failed, as a JSON pointer"),
        "rule?": .number("the index of the rule"), "limit?": .number("the index of the limit"),
        "amount?": .number("the index of the amount"), "name?": .text("its name"),
        "line?": .number("its line in the text that `policy show` prints, or in the file of --policy"),
        "path?": .text("the action, for example actions[0].inner.actions[2]"),
        "contract?": .text("the contract of the action"), "action?": .text("its name"),
        "pointer?": .text("the field of the action's data, as a JSON pointer"),
        "value?": .any("what the request has: a text or a number"), "required?": .any("what the policy requires"),
        "token?": .text("the token of the limit"), "recipient?": .text("the recipient"),
        "per?": .text("the window of the limit"), "maximum?": .any("the limit"),
        "used?": .text("what is used in the window"), "remaining?": .text("what remains"),
        "restored?": .text("when the vault was restored, if the limit counts as used up because of it"),
        "resets?": .text("when this check passes, in UTC: the limit fits, `hours` begin, or entries are free"),
    ]

    static let entry: JSONShape = [
        "public_key?": .text("the key, as EOS…; absent for an entry that is not a key"),
        "name?": .text("the name of an entry that is not a key"),
        "kind?": .number("the kind of an entry that is not a key"), "label": .orNull(.text, "its label"),
        "created": .text("when it was added, in UTC: 2026-12-01T00:00:00"),
    ]

    static let listedKey = entry.adding(["backed_up": .boolean("whether a verified backup has it")])

    static let shownKey = object([
        "unverified": .boolean("false with --verify"), "canonical?": .text("the key, as PUB_K1_…"),
        "legacy?": .orNull(.text, "the key, as EOS…; null for a key that is not K1"),
        "binary?": .text("the packed key, in hex: one byte for the curve, then 33 bytes"),
    ]).adding(listedKey)
        .adding(["policy": .orNull(.text, "which policy limits it: `own` or `all-keys`; null for none")])

    // MARK: - credentials

    static let credential: JSONShape = [
        "name": .text("its id"), "profile": .text("its profile"),
        "parameters": .text("the profile and all its parameters: the text of a JSON object"),
        "key_id": .text("the public part of the API key"), "url_prefix": .orNull(.text, "the URL prefix"),
        "nonce_unit": .text("`ms`, `us` or `s`"), "last_nonce": .text("the last nonce, in decimal; 0 for none"),
        "kind": .number("16"), "label": .orNull(.text, "its label"), "created": .text("when it was added, in UTC"),
        "backed_up": .boolean("whether a verified backup has it"),
    ]

    static let requestResult = object(["id": .any("the id of the request, or the number of the line, from 1")]).adding(
        signedRequest.optional
    )
    .adding(["error?": .object(.error, "why the line was refused")])

    static let signedRequest: JSONShape = [
        "method": .text("the method"), "url": .text("the URL to send"),
        "headers": .list(of: ["name": .text("its name"), "value": .text("its value")], "the headers to send"),
        "body?": .text("the body to send"), "body_base64?": .text("a body that is not UTF-8"),
        "nonce?": .number("the nonce, if the profile uses one"),
        "warnings": .list(
            of: .text,
            "none or several of `query-not-signed`, `body-not-signed`, `plain-http` (http to another machine)"),
    ]

    // MARK: - policies

    static let limitUse: JSONShape = [
        "limit": .number("the number of the limit in the policy, from 0"), "name": .orNull(.text, "its name"),
        "line": .number("its line"), "token": .orNull(.text, "the token that it counts; null for transactions"),
        "recipient": .orNull(.text, "the recipient; null for all together"), "per": .text("`1h`, `24h`, `7d` or `30d`"),
        "maximum": .text("the limit"), "used": .text("what is used"), "remaining": .text("what remains"),
    ]

    static let policy: JSONShape = [
        "public_key": .orNull(.text, "the key; null for all keys"),
        "label": .orNull(.text, "the label of the key, if the vault contains it"),
        "all_keys": .boolean("whether the policy is that of all keys"),
        "chains": .orNull(.list(of: .text), "its chains; null for a policy that can't be read"),
        "rule_count": .orNull(.number, "the number of its rules"),
        "limit_count": .orNull(.number, "the number of its limits"), "set": .text("when it was set, in UTC"),
        "second_method": .text("`pin` (a policy PIN) or `recovery`: what a looser policy needs"),
        "sha256": .text("the SHA-256 of the policy, as the audit log states it"),
    ]

    static let changedPolicy: JSONShape = [
        "public_key": .orNull(.text, "the key; null for all keys"),
        "all_keys": .boolean("whether the policy is that of all keys"),
        "sha256": .text("the SHA-256 of the policy that was set or removed"),
        "looser": .boolean("whether the change may allow more than before"),
        "changes": .list(
            of: [
                "part": .text("chain, identity, transaction, rule, amount or limit"),
                "name": .orNull(.text, "the name of the part, or the member of `transaction`"),
                "old": .orNull(.text, "its earlier value as JSON; null for a new part"),
                "new": .orNull(.text, "its value as JSON; null for a removed part"),
                "looser": .boolean("whether this change may allow more"),
            ],
            "what differs from the earlier policy"),
    ]

    static let slotDetails: JSONShape = [
        "slot": .number("its number"),
        "kind": .orNull(.text, "`pin`, `pin+keyfile` or `recovery`; null for a damaged slot"),
        "created": .orNull(.text, "when it was made, in UTC"), "kdf_passes": .orNull(.number, "the passes of Argon2id"),
        "kdf_memory": .orNull(.number, "the memory of Argon2id, in bytes"),
        "condition": .text("`sound`, `copy-damaged` (one of its two copies) or `damaged`"),
    ]

    // MARK: - faults, backups, archives

    static let fault: JSONShape = [
        "code": .text("its code"), "message": .text("for people"), "public_key?": .text("the key that is affected"),
        "name?": .text("the entry that is affected"), "slot?": .number("the slot that is affected"),
        "table?": .text("the table that is affected"), "sequence?": .number("the record that is affected"),
        "file?": .text("the archive that is affected"),
        "first?": .number("the first record of an archive, or the first one that is affected"),
        "last?": .number("the last one"), "time?": .text("when an archive was made, in UTC"),
        "blake2b?": .text("the hash of an archive"), "count?": .number("how many rows are in unused bytes"),
    ]

    static let archive: JSONShape = [
        "first": .number("its first record"), "last": .number("its last record"),
        "time": .text("when it was made, in UTC"), "blake2b": .text("the BLAKE2b hash of the file, in hex"),
    ]

    static let verifiedArchive = object(["file": .text("its path")]).adding(archive.without("time"))

    private static let contents: JSONShape = [
        "ok": .boolean("whether no fault was found"), "key_count": .number("the keys that open"),
        "credential_count": .number("the credentials that open"), "policy_count": .number("the policies"),
        "record_count": .number("the records of the audit log"),
        "generation": .number("the number of changes of the vault"), "faults": .list(of: fault, "what is damaged"),
        "unused_rows": .number("the rows in unused bytes of the file, also those that SQLite may have left there"),
    ]

    static let checkReport = contents.adding([
        "used_percent": .number("how much of its maximum size, 1 GiB, the vault uses"),
        "archives": .list(of: archive, "the archives that the vault refers to"),
    ])

    static let verifiedBackup = object(["file": .text("its path")]).adding(contents).adding([
        "last_change": .orNull(.text, "when the vault was last changed, in UTC"),
        "missing_keys": .orNull(.list(of: entry), "the keys of your vault that it lacks; null without one"),
        "missing_credentials": .orNull(
            .list(of: entry), "the credentials of your vault that it lacks; null without one"),
    ])

    /// - Parameter what: the member with the path: `backup` or `vault`.
    static func backup(_ what: String) -> JSONShape {
        let made: JSONShape = [
            what: .text("the path of the new file"), "key_count": .number("its keys"),
            "credential_count": .number("its credentials"),
            "generation": .number("the number of changes of the vault"), "bytes": .number("the size of the file"),
            "unused_rows": .number(
                "the rows in unused bytes of the source that its vault did not write; they were not copied"),
        ]
        guard what == "vault" else { return made }
        return made.adding([
            "limits_used_up": .number("the keys whose rolling limits count as used up"),
            "dry_run?": .boolean("true with --dry-run: nothing was made"),
        ])
    }

    static let rescueReport: JSONShape = [
        "vault": .text("the path of the new vault"), "keys": .list(of: entry, "the rescued keys"),
        "credentials": .list(of: entry, "the rescued credentials"),
        "lost": .list(of: fault, "the entries that could not be rescued"),
        "lost_unlisted": .number("how many more were lost, without a name"),
        "labels_dropped": .list(of: .text, "the entries whose label was dropped"),
        "left_out": .list(of: .text, "the entries that the digests do not cover, which are not rescued"),
        "unconfirmed": .list(of: .text, "the rescued entries that the digests do not confirm"),
        "entries_beyond_count": .number("how many more entries were rescued than the vault had"),
        "verified": .boolean("whether the digests of the vault are intact"),
        "state": .text(
            "compared with this machine's state file: unknown, newest, last-backup, older, forked or not-comparable"),
        "entry_count_before": .orNull(.number, "the entries that the vault had; null if this is lost"),
        "complete": .boolean("whether the digests prove that no entry is missing"),
        "pinned_abis": .list(of: pinnedABI.without("sha256"), "the rescued pinned ABIs"),
        "pinned_abis_complete": .boolean("true if the digests prove that no pinned ABI is missing"),
        "archives": .list(of: archive, "the archives that only the damaged vault opens"),
        "policies": .list(of: .text, "the keys whose policies were rescued, and * for the policy of all keys"),
        "policies_complete": .boolean("true if the digests prove that no policy is missing"),
        "uses_lost": .list(of: .text, "the keys whose uses of the limits were lost"),
        "limits_used_up": .number("the keys whose rolling limits count as used up"),
    ]

    // MARK: - the audit log

    static let exportedRecord = record.adding(["label?": .orNull(.text, "the label that the key has in the vault now")])

    static let record: JSONShape = [
        "sequence": .number("the number of the record"), "time": .text("in UTC; with Z in `log export`"),
        "event": .text("the event, as in `--event`, or `unknown-N`"),
        "requester?": .object(
            ["uid": .number("its user id"), "program": .text("the name of its program")],
            "the process that requested it, if an agent did it for another process"),
        "public_key?": .text("the key that was used or changed"),
        "name?": .text("the entry that was changed, if it is not a key"), "from?": .orNull(.text, "the earlier label"),
        "to?": .orNull(.text, "the new label"), "chain_id?": .text("the chain of a signature or an ABI"),
        "transaction_id?": .text("the signed transaction"),
        "actions?": .list(
            of: ["action": .text("CONTRACT::ACTION"), "count": .number("how many")], "the signed actions"),
        "other_action_count?": .number("the signed actions that are not named"),
        "account?": .text("the account of a pinned ABI"), "abi_sha256?": .text("the SHA-256 of a pinned ABI"),
        "policy_sha256?": .text("the SHA-256 of a policy"), "all_keys?": .boolean("true for a policy of all keys"),
        "slot?": .number("the slot that was changed"), "kind?": .text("the kind of the slot, as in `slot list`"),
        "count?": .number("the number of failed unlocks, of rescued entries, or of refused requests"),
        "first?": .text("the time of the first failed unlock or refused request"),
        "last?": .text(
            "the time of the last failed unlock or refused request, or of the last record before a corrected clock"),
        "refusals?": .list(
            of: [
                "public_key": .text("the key"), "code": .text("the code of the error"),
                "member": .text("the part of the policy, as a JSON pointer; empty for none"),
                "count": .number("how many requests"),
            ], "the refused requests, by key, code and part of the policy; at most 64 kinds"),
        "generation?": .number("the generation of a backup"),
        "first_sequence?": .number("the first record of an archive"),
        "last_sequence?": .number("the last record of an archive"), "blake2b?": .text("the hash of an archive"),
        "profile?": .text("the profile of a signed HTTP request"), "method?": .text("its method"),
        "host?": .text("its host, and the port if it is not the default port"),
        "path?": .text("at most 200 bytes of its path, without the query"),
        "path_sha256?": .text("the SHA-256 of its path"),
    ]

    // MARK: - ABIs

    static let pinnedABI: JSONShape = [
        "account": .text("the account"), "chain_id": .text("the chain, in hex"),
        "sha256": .text("the SHA-256 of the raw form"),
    ]

    static let changedABI = pinnedABI.adding([
        "replaced_sha256": .orNull(.text, "the ABI that it replaces; null for none"),
        "actions_added": .list(of: .text, "new actions"), "actions_removed": .list(of: .text, "actions that are gone"),
        "actions_changed": .list(of: .text, "actions with other fields or types"),
    ])

    static let shownABI = listedABI.adding(["abi": .any("the ABI, as a node prints it; null if it can't be read")])

    static let listedABI: JSONShape = [
        "account": .text("the account"), "pinned": .boolean("whether a vault pins it"),
        "unverified?": .boolean("only for a pinned ABI: false with --verify"),
        "chain_id?": .text("the chain of a pinned ABI"), "chains": .list(of: .text, "the chains: one for a pinned ABI"),
        "date": .text("when the ABI was pinned, or when the built-in ABI was recorded"),
        "source": .text("`pinned`, or where the built-in ABI was recorded"),
        "sha256": .text("the SHA-256 of the raw form"), "older": .boolean("whether it is an older built-in ABI"),
        "actions": .list(of: .text, "its actions"),
        "recorded": .list(
            of: [
                "sha256": .text("the SHA-256 of the raw form"), "chain": .text("the chain"),
                "date": .text("when it was recorded"), "source": .text("where"),
            ],
            "the ABIs that chains had, which decode each action the same way; empty for a pinned ABI"),
    ]

    // MARK: - other commands

    static let vectorFile: JSONShape = [
        "file": .text("its path"), "passed": .boolean("whether each test passed"),
        "error?": .text("why the file was refused"), "kind?": .text("the kind of vectors"),
        "tests?": .number("the number of tests"),
        "failures?": .list(
            of: ["id": .text("of the test"), "reason": .text("why it failed")], "the tests that failed"),
    ]

    static let finding: JSONShape = [
        "topic": .text("what was inspected"), "state": .text("ok, note or warning"), "finding": .text("the result"),
        "meaning": .text("what it means for an offline signer"), "advice": .orNull(.text, "what to do"),
    ]

    static let code: JSONShape = [
        "code": .text("the code"), "meaning": .text("its meaning"),
        "severities?": .list(of: .text, "note, warning or danger, for a warning of a review"),
    ]

    static let status: JSONShape = ["status": .number("the exit status"), "meaning": .text("its meaning")]
}
