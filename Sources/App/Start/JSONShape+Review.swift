import Policy
import Shell
import Signing

// The review of a transaction, and the review of many transactions.

extension JSONShape {
    static let review = object([
        "transaction_id": .text("the transaction id"), "chain_id?": .text("the chain; absent without --chain"),
        "chain?": .orNull(.text, "its built-in name; null for an unknown chain"),
        "signing_digest?": .text("the SHA-256 that is signed; absent without --chain"),
    ]).adding(header).adding([
        "expires_in_seconds": .number("by this machine's clock; negative after the expiration"),
        "max_net_usage_words": .number("of the header"), "max_cpu_usage_ms": .number("of the header"),
        "context_free_actions": .list(of: action, "the context-free actions"),
        "actions": .list(of: action, "the actions"),
        "transaction_extensions": .list(of: .any, "pairs of a number and data in hex"),
        "context_free_data": .list(of: .text, "in hex"), "signatures": .list(of: .text, "the signatures"),
        "signers": .list(of: .orNull(.text), "the key of each signature; null if none can be recovered"),
        "summary": .object(summary, "what the transaction does"),
        "warnings": .list(of: warning, "the warnings, each kind once"),
        "request?": .object(request, "the signing request that the transaction comes from"),
    ])

    /// What `request show` prints.
    static let shownRequest = request.adding([
        "chain_ids": .orNull(.list(of: .text), "the chains of the request; null for any chain"),
        "needs_block": .boolean("whether the signer chooses the reference block"),
        "needs_expiration": .boolean("whether the signer chooses the expiration"),
        "signature": .orNull(.text, "the request signature"),
        "signature_digest": .text("the SHA-256 that a request signature signs"),
        "request": .any("the request, as EEP-7 writes it, with action data in hex"),
    ])

    /// What signing a request prints.
    static let answer: JSONShape = [
        "transaction_id": .text("the transaction id"),
        "transaction": .any("the signed transaction, as cleos writes it, with action data in hex"),
        "broadcast": .boolean("whether the transaction is to be sent to the chain"),
        "callback": .orNull(.text, "the address of the callback with the result in it; null if there is none"),
        "background": .boolean(
            "whether the payload is sent to the callback (HTTP POST) instead of opening its address"),
        "payload": .orNull(payload, "what the callback gets; null without a signature"),
        "identity_proof?": .text("the proof of a login of version 3, for the header `Authorization`"),
    ]

    /// EEP-7, "Callback payload".
    private static let payload: JSONShape = [
        "sig": .text("the first signature"), "tx": .text("the transaction id"),
        "rbn": .text("the number of the reference block"), "rid": .text("the prefix of the reference block"),
        "ex": .text("the expiration"), "req": .text("the link of the request"),
        "sa": .text("the account of the signer"), "sp": .text("the permission of the signer"),
        "cid": .text("the chain id"), "sig0?": .text("the second signature; then `sig1` and so on"),
    ]

    /// What a review shows of a signing request.
    private static let request: JSONShape = [
        "version": .number("the version of the request"),
        "login": .boolean("whether it is a login, which is not sent to a chain"),
        "broadcast": .boolean("whether the transaction is to be sent to the chain"),
        "background": .boolean("whether the callback is called in the background"),
        "callback": .orNull(.text, "the scheme and the host of the callback; null if there is none"),
        "signer": .orNull(.text, "the account that the request signature names; null without one"),
        "signer_key": .orNull(.text, "the key that made the request signature"),
        "verified": .boolean("whether this key is that of --request-key"),
        "scope?": .text("who asks for the login; in version 3"),
    ]

    static let signer: JSONShape = [
        "signature": .text("SIG_…"), "public_key": .orNull(.text, "its key; null if none can be recovered"),
        "status": .text("`ok`, `not-canonical`, `not-recovered` or `duplicate`"),
    ]

    static let checkedPermission: JSONShape = [
        "permission": .text("`account@permission`"),
        "status": .text("`met`, `not-met`, `no-such-permission` or `unknown`"),
        "threshold": .number("the weight that is needed; 0 if it is not known"),
        "weight": .number("the sum of all parts that are met"),
        "parts": .list(
            of: [
                "public_key?": .text("a key"), "account?": .text("`account@permission`"),
                "wait_seconds?": .number("a delay of the transaction"), "weight": .number("its weight"),
                "status": .text("as above"),
            ],
            "the parts of the authority"),
    ]

    static let batchReview: JSONShape = [
        "lines": .number("the number of lines in the file"), "to_sign": .number("the number of lines to sign"),
        "signed_already": .number("the number of lines that all chosen keys have signed already"),
        "signed_before": .number("the number of lines to sign that this vault signed before"),
        "refused": .number("the number of refused lines"), "sha256": .text("the SHA-256 of the file"),
        "chain_id": .text("the chain"), "chain": .orNull(.text, "its built-in name; null for an unknown chain"),
        "history": .orNull(.number, "the number of earlier signatures that the vault remembers; null without a vault"),
        "history_complete_since": .orNull(.text, "when older ones were removed: since when it has each signature"),
        "summary": .object(summary, "what the transactions do together"),
        "warnings": .list(
            of: [
                "code": .text("its code"), "severity": .text("note, warning or danger"),
                "message": .text("for people, of the first line"), "line": .number("the first line with this warning"),
                "count": .number("the number of lines with this warning"),
            ],
            "the warnings, each kind once"),
        "errors": .list(
            of: error.adding([
                "line": .number("the first line with this error"),
                "count": .number("the number of lines with this error"),
            ]),
            "why lines are refused"),
        "keys": .list(of: .text, "the signing keys"),
    ]

    private static let header: JSONShape = [
        "expiration": .text("in UTC: 2026-12-01T00:00:00"), "ref_block_num": .number("of the header"),
        "ref_block_prefix": .number("of the header"), "delay_sec": .number("of the header"),
    ]

    /// An action at the deepest level that is described; deeper actions have the same members.
    private static let innermost = actionShape(inner: .any)

    private static let action = actionShape(
        inner: object([
            "role": .text("`proposed`, `approved`, `wrapped` or `stated`"),
            "hash": .text("the SHA-256 of the packed transaction"),
        ]).adding(header).adding(
            ["context_free_actions": .list(of: innermost, "as above"), "actions": .list(of: innermost, "as above")]))

    private static func actionShape(inner: JSONShape) -> JSONShape {
        [
            "account": .text("the contract"), "name": .text("the action"),
            "authorization": .list(
                of: ["actor": .text("the account"), "permission": .text("the permission")], "the authorizations"),
            "data": .any("the decoded data; null if it is signed as bytes (--blind)"),
            "abi": .orNull(
                .text, "its source: `given`, `pinned`, `built in` or `built in, older`; null if signed as bytes"),
            "abi_sha256?": .text("the SHA-256 of the raw form of a given or pinned ABI"),
            "hex_data": .text("the bytes of the data, in hex"),
            "inner?": .object(inner, "the transaction that the data contains or names"),
            "stated?": .any(
                "the transaction in `file`, which `exec` may run, as in `inner`; the signature does not bind it"),
        ]
    }

    private static let summary: JSONShape = [
        "action_count": .number("the number of actions, without inner ones"),
        "inner_count": .number("the number of inner actions"),
        "actions": .list(
            of: [
                "account": .text("the contract"), "name": .text("the action"),
                "inner": .boolean("whether they are inside other actions"),
                "decoded": .boolean("false for actions that are signed as bytes"), "count": .number("how many"),
            ],
            "the kinds of actions"),
        "payments": .list(
            of: [
                "kind": .text(
                    "transfer, stake, buy-ram, power-up, exchange, spend, unstake, withdraw, sell, issue, retire"),
                "contract": .text("the token's contract"), "payer": .text("who pays"),
                "recipient": .text("who is paid"),
                "for": .orNull(.text, "who or what gets the use of the tokens, if it is not the recipient"),
                "symbol": .text("decimals and code of the token: 4,EOS"),
                "amount": .text("the sum in the smallest unit"),
                "inner": .boolean("whether they are inside other actions"), "count": .number("how many payments"),
                "if_approved": .boolean("whether a proposal must be approved first"),
                "memo?": .text("the memo; of a long one the beginning"),
                "first_time?": .boolean("true if this vault signed no payment to the recipient before"),
            ],
            "the sums, for each payer, recipient, token and memo"),
        "changes": .list(of: change, "what the actions do, other than payments"),
    ]

    private static let change: JSONShape = [
        "kind": .text(
            "new-account, change-permission, delete-permission, link, unlink, replace-code, remove-code, replace-abi, "
                + "change-privileges, " + ActionEffect.Kind.allCases.map(\.rawValue).joined(separator: ", ")),
        "account": .text("the account that acts or is changed"), "count": .number("how many actions"),
        "inner": .boolean("whether they are inside other actions"),
        "if_approved": .boolean("whether a proposal must be approved first"),
        "bytes?": .text("the sum of the bytes of RAM"), "permission?": .text("the permission"),
        "contract?": .text("of the link"), "action?": .orNull(.text, "of the link; null for all actions"),
        "size?": .number("the bytes of the code"), "receiver?": .text("the other account"),
        "details?": .list(of: .any, "keys, names and amounts of the action"),
    ]

    private static let warning = object([
        "code": .text("its code"), "severity": .text("note, warning or danger"), "message": .text("for people"),
        "allow?": .text("the value for --allow, for a danger"),
        "list?": .text("the array that `index` refers to: actions, context_free_actions or signatures"),
        "index?": .number("the position in that array, from 0"),
        "path?": .text("the place of an action inside another one"),
        "account?": .text("the contract of the action, or the account"), "name?": .text("the action"),
        "permission?": .text("ACCOUNT@PERMISSION"),
        "warning_count?": .number("how often the warning occurs, if several times"),
        "actions?": .list(of: .text, "the places of the first 100"),
    ]).adding(warningDetails)

    /// The fields of all warnings, each once.
    private static let warningDetails: JSONShape = {
        var seen: Set<String> = []
        let fields = WarningCode.allCases.flatMap(\.fields).filter { seen.insert($0.name).inserted }
        return .object(
            fields.map {
                Member(name: $0.name, shape: $0.isNumber ? .number : .text, meaning: $0.meaning, isAlways: false)
            })
    }()
}
