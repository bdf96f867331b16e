// The review of a transaction, and the review of many transactions.

extension JSONShape {
    static let review = object(
        [
            .always("transaction_id", .text, "the transaction id"),
            .sometimes("chain_id", .text, "the chain; absent without --chain"),
            .sometimes("chain", .orNull(.text), "its built-in name; null for an unknown chain"),
            .sometimes("signing_digest", .text, "the SHA-256 that is signed; absent without --chain"),
        ] + header + [
            .always("expires_in_seconds", .number, "by this machine's clock; negative after the expiration"),
            .always("max_net_usage_words", .number, "of the header"),
            .always("max_cpu_usage_ms", .number, "of the header"),
            .always("context_free_actions", .list(of: action), "the context-free actions"),
            .always("actions", .list(of: action), "the actions"),
            .always(
                "transaction_extensions", .list(of: .any), "pairs of a number and data in hex"),
            .always("context_free_data", .list(of: .text), "in hex"),
            .always("signatures", .list(of: .text), "the signatures"),
            .always("signers", .list(of: .orNull(.text)), "the key of each signature; null if none can be recovered"),
            .always("summary", summary, "what the transaction does"),
            .always("warnings", .list(of: warning), "the warnings, each kind once"),
            .sometimes("request", request, "the signing request that the transaction comes from"),
        ])

    /// What `request show` prints.
    static let shownRequest = object(
        request.members + [
            .always("chain_ids", .orNull(.list(of: .text)), "the chains of the request; null for any chain"),
            .always("needs_block", .boolean, "whether the signer chooses the reference block"),
            .always("needs_expiration", .boolean, "whether the signer chooses the expiration"),
            .always("signature", .orNull(.text), "the request signature"),
            .always("signature_digest", .text, "the SHA-256 that a request signature signs"),
            .always("request", .any, "the request, as EEP-7 writes it, with action data in hex"),
        ])

    /// What signing a request prints.
    static let answer = object([
        .always("transaction_id", .text, "the transaction id"),
        .always("transaction", .any, "the signed transaction, as cleos writes it, with action data in hex"),
        .always("broadcast", .boolean, "whether the transaction is to be sent to the chain"),
        .always("callback", .orNull(.text), "the address of the callback with the result in it; null if there is none"),
        .always(
            "background", .boolean,
            "whether the payload is sent to the callback (HTTP POST) instead of opening its address"),
        .always("payload", .orNull(payload), "what the callback gets; null without a signature"),
        .sometimes("identity_proof", .text, "the proof of a login of version 3, for the header `Authorization`"),
    ])

    /// EEP-7, "Callback payload".
    private static let payload = object([
        .always("sig", .text, "the first signature"), .always("tx", .text, "the transaction id"),
        .always("rbn", .text, "the number of the reference block"),
        .always("rid", .text, "the prefix of the reference block"),
        .always("ex", .text, "the expiration"), .always("req", .text, "the link of the request"),
        .always("sa", .text, "the account of the signer"), .always("sp", .text, "the permission of the signer"),
        .always("cid", .text, "the chain id"),
        .sometimes("sig0", .text, "the second signature; then `sig1` and so on"),
    ])

    /// What a review shows of a signing request.
    private static let request = object([
        .always("version", .number, "the version of the request"),
        .always("login", .boolean, "whether it is a login, which is not sent to a chain"),
        .always("broadcast", .boolean, "whether the transaction is to be sent to the chain"),
        .always("background", .boolean, "whether the callback is called in the background"),
        .always("callback", .orNull(.text), "the scheme and the host of the callback; null if there is none"),
        .always("signer", .orNull(.text), "the account that the request signature names; null without one"),
        .always("signer_key", .orNull(.text), "the key that made the request signature"),
        .always("verified", .boolean, "whether this key is that of --request-key"),
        .sometimes("scope", .text, "who asks for the login; in version 3"),
    ])

    static let signer = object([
        .always("signature", .text, "SIG_…"),
        .always("public_key", .orNull(.text), "its key; null if none can be recovered"),
        .always("status", .text, "`ok`, `not-canonical`, `not-recovered` or `duplicate`"),
    ])

    static let checkedPermission = object([
        .always("permission", .text, "`account@permission`"),
        .always("status", .text, "`met`, `not-met`, `no-such-permission` or `unknown`"),
        .always("threshold", .number, "the weight that is needed; 0 if it is not known"),
        .always("weight", .number, "the sum of all parts that are met"),
        .always(
            "parts",
            .list(
                of: .object([
                    .sometimes("public_key", .text, "a key"), .sometimes("account", .text, "`account@permission`"),
                    .sometimes("wait_seconds", .number, "a delay of the transaction"),
                    .always("weight", .number, "its weight"), .always("status", .text, "as above"),
                ])), "the parts of the authority"),
    ])

    static let batchReview = object([
        .always("lines", .number, "the number of lines in the file"),
        .always("to_sign", .number, "the number of lines to sign"),
        .always("signed_already", .number, "the number of lines that all chosen keys have signed already"),
        .always("refused", .number, "the number of refused lines"),
        .always("sha256", .text, "the SHA-256 of the file"), .always("chain_id", .text, "the chain"),
        .always("chain", .orNull(.text), "its built-in name; null for an unknown chain"),
        .always("summary", summary, "what the transactions do together"),
        .always(
            "warnings",
            .list(
                of: .object([
                    .always("code", .text, "its code"), .always("severity", .text, "note, warning or danger"),
                    .always("message", .text, "for people, of the first line"),
                    .always("line", .number, "the first line with this warning"),
                    .always("count", .number, "the number of lines with this warning"),
                ])), "the warnings, each kind once"),
        .always(
            "errors",
            .list(
                of: .object(
                    error.members + [
                        .always("line", .number, "the first line with this error"),
                        .always("count", .number, "the number of lines with this error"),
                    ])), "why lines are refused"),
        .always("keys", .list(of: .text), "the signing keys"),
    ])

    private static let header: [Member] = [
        .always("expiration", .text, "in UTC: 2026-12-01T00:00:00"),
        .always("ref_block_num", .number, "of the header"), .always("ref_block_prefix", .number, "of the header"),
        .always("delay_sec", .number, "of the header"),
    ]

    /// An action at the deepest level that is described; deeper actions have the same members.
    private static let innermost = object(actionMembers(inner: .any))

    private static let action = object(
        actionMembers(
            inner: .object(
                [
                    .always("role", .text, "proposed, approved or wrapped"),
                    .always("hash", .text, "the SHA-256 of the packed transaction"),
                ] + header + [
                    .always("context_free_actions", .list(of: innermost), "as above"),
                    .always("actions", .list(of: innermost), "as above"),
                ])))

    private static func actionMembers(inner: JSONShape) -> [Member] {
        [
            .always("account", .text, "the contract"), .always("name", .text, "the action"),
            .always(
                "authorization",
                .list(
                    of: .object([
                        .always("actor", .text, "the account"), .always("permission", .text, "the permission"),
                    ])), "the authorizations"),
            .always("data", .any, "the decoded data; null if it is signed as bytes (--blind)"),
            .always(
                "abi", .orNull(.text),
                "its source: `given`, `pinned`, `built in` or `built in, older`; null if signed as bytes"),
            .sometimes("abi_sha256", .text, "the SHA-256 of the raw form of a given or pinned ABI"),
            .always("hex_data", .text, "the bytes of the data, in hex"),
            .sometimes("inner", inner, "the transaction that the data contains or names"),
        ]
    }

    private static let summary = object([
        .always("action_count", .number, "the number of actions, without inner ones"),
        .always("inner_count", .number, "the number of inner actions"),
        .always(
            "actions",
            .list(
                of: .object([
                    .always("account", .text, "the contract"), .always("name", .text, "the action"),
                    .always("inner", .boolean, "whether they are inside other actions"),
                    .always("decoded", .boolean, "false for actions that are signed as bytes"),
                    .always("count", .number, "how many"),
                ])), "the kinds of actions"),
        .always(
            "payments",
            .list(
                of: .object([
                    .always(
                        "kind", .text,
                        "transfer, stake, buy-ram, power-up, exchange, spend, unstake, withdraw, sell, issue, retire"),
                    .always("contract", .text, "the token's contract"), .always("payer", .text, "who pays"),
                    .always("recipient", .orNull(.text), "who is paid; null for all that are not listed"),
                    .always("symbol", .text, "decimals and code of the token: 4,EOS"),
                    .always("amount", .text, "the sum in the smallest unit"),
                    .always("inner", .boolean, "whether they are inside other actions"),
                    .always("count", .number, "how many payments"),
                    .always("if_approved", .boolean, "whether a proposal must be approved first"),
                    .sometimes("first_time", .boolean, "true if this vault signed no payment to the recipient before"),
                ])), "the sums, for each payer, recipient and token"),
        .always("not_listed", .number, "the number of kinds and payments that are not in the arrays"),
    ])

    private static let warning = object(
        [
            .always("code", .text, "its code"), .always("severity", .text, "note, warning or danger"),
            .always("message", .text, "for people"),
            .sometimes("allow", .text, "the value for --allow, for a danger"),

            .sometimes("list", .text, "the array that `index` refers to: actions, context_free_actions or signatures"),
            .sometimes("index", .number, "the position in that array, from 0"),
            .sometimes("path", .text, "the place of an action inside another one"),
            .sometimes("account", .text, "the contract of the action, or the account"),
            .sometimes("name", .text, "the action"), .sometimes("permission", .text, "ACCOUNT@PERMISSION"),
            .sometimes("warning_count", .number, "how often the warning occurs, if several times"),
            .sometimes("actions", .list(of: .text), "the places of the first 100"),
        ] + warningDetails)

    private static let warningDetails: [Member] = [
        .sometimes("abi_date", .text, "the date of the ABI"),
        .sometimes("abi_sha256", .text, "the SHA-256 of the given ABI, or of the ABI that the review uses"),
        .sometimes("sender_abi_sha256", .text, "the SHA-256 of the ABI that the sender used"),
        .sometimes("pinned_abi_sha256", .text, "the SHA-256 of the pinned ABI"),
        .sometimes("built_in_abi_sha256", .text, "the SHA-256 of the built-in ABI"),
        .sometimes("symbol", .text, "of the token"), .sometimes("contract", .text, "of the token or link"),
        .sometimes("known_symbol", .text, "of the known token"),
        .sometimes("known_contract", .text, "of the known token"),
        .sometimes("quantity", .text, "the payment"), .sometimes("recipient", .text, "its recipient"),
        .sometimes("imitated", .text, "the account whose name is imitated"),
        .sometimes("public_key", .text, "the key"), .sometimes("imitated_key", .text, "your key that it resembles"),
        .sometimes("keys", .number, "the keys of the authority"),
        .sometimes("foreign_keys", .number, "those that are not in the vault"),
        .sometimes("threshold", .number, "of the authority"), .sometimes("weights", .number, "the sum of its weights"),
        .sometimes("added", .text, "the account that an authority gets"),
        .sometimes("changed_account", .text, "the account that is changed"),
        .sometimes("linked_action", .text, "the linked action"), .sometimes("proposer", .text, "of the proposal"),
        .sometimes("count", .number, "the number of extensions or authorizations"),
        .sometimes("delay_sec", .number, "the delay"),
        .sometimes("seconds_ago", .number, "since the expiration"),
        .sometimes("expires_in_seconds", .number, "until the expiration"),
        .sometimes("pushable_in_seconds", .number, "until nodes accept it"),
        .sometimes("max_net_usage_words", .number, "the limit"), .sometimes("max_cpu_usage_ms", .number, "the limit"),
        .sometimes("transaction_id", .text, "the transaction that was signed before"),
        .sometimes("expiration", .text, "its expiration"), .sometimes("chain", .text, "the other chain"),
    ]
}
