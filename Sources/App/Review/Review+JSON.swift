import ABICodec
import Codecs
import JSON
import Keys
import Shell
import Signing
import Transactions

extension ReviewText: JSONDescribed {
    /// The review, and the signing request that the transaction comes from.
    static let object = JSONObject<ReviewText>([
        .text("transaction_id", "the transaction id") { $0.review.transaction.id },
        .text("chain_id?", "the chain; absent without --chain") { $0.review.chain?.text },
        .value("chain?", .orNull(.text), "its name; null for an unknown chain") { text in
            text.review.chain.map { .string($0.chain?.name ?? text.review.chainName) }
        },
        .text("signing_digest?", "the SHA-256 that is signed; absent without --chain") {
            $0.review.digest.map { Hex.encode($0.bytes) }
        },
        .text("expiration", "in UTC: 2026-12-01T00:00:00") { $0.header.expiration.text },
        .number("expires_in_seconds", "by this machine's clock; negative after the expiration") {
            $0.review.remaining(now: $0.now)
        },
        .number("ref_block_num", "of the header") { $0.header.refBlockNum },
        .number("ref_block_prefix", "of the header") { $0.header.refBlockPrefix },
        .number("max_net_usage_words", "of the header") { $0.header.maxNetUsageWords },
        .number("max_cpu_usage_ms", "of the header") { $0.header.maxCPUUsageMS },
        .number("delay_sec", "of the header") { $0.header.delaySec },
    ]).adding(lists)

    private static let lists: [JSONObject<ReviewText>.Member] = [
        .value("context_free_actions", .list(of: ReviewedAction.shape), "the context-free actions") {
            .array($0.review.contextFreeActions.map(\.json))
        },
        .value("actions", .list(of: ReviewedAction.shape), "the actions") {
            .array($0.review.actions.map(\.json))
        },
        .value("transaction_extensions", .list(of: .any), "pairs of a number and data in hex") {
            .array($0.header.extensions.map(\.json))
        },
        .texts("context_free_data", "in hex") {
            $0.review.transaction.contextFreeData.map { Hex.encode($0) }
        },
        .texts("signatures", "the signatures") { $0.review.transaction.signatures.map(\.text) },
        .value(
            "signers", .list(of: .orNull(.text)), "the key of each signature; null if none can be recovered"
        ) {
            .array($0.review.signers.map { .string($0.key?.text) })
        },
        .object("summary", Summary.object, "what the transaction does") { $0.review.summary },
        .list("warnings", of: WarningGroup.object, "the warnings, each kind once") {
            WarningGroup.bySubject($0.review.warnings(now: $0.now, own: $0.own))
        },
        .object("request?", RequestReview.object, "the signing request that the transaction comes from") {
            $0.request
        },
    ]
}

/// An action can contain a transaction with further actions, so these objects are made in code. The
/// members of the actions inside are described one level deep.
extension ReviewedAction {
    static let shape = shape(inner: NestedTransaction.shape)

    /// - Parameter inner: The shape of the transaction inside.
    fileprivate static func shape(inner: JSONShape) -> JSONShape {
        [
            "account": .text("the contract"), "name": .text("the action"),
            "authorization": .list(
                of: ["actor": .text("the account"), "permission": .text("the permission")],
                "the authorizations"),
            "data": .any("the decoded data; null if it is signed as bytes"),
            "abi": .orNull(
                .text,
                "its source: `given`, `pinned`, `built in` or `built in, older`; null if signed as bytes"),
            "abi_sha256?": .text("the SHA-256 of the raw form of a given or pinned ABI"),
            "hex_data": .text("the bytes of the data, in hex"),
            "inner?": .object(inner, "the transaction that the data contains or refers to"),
            "stated?": .any(
                "the transaction in `file`, which `exec` may run, as in `inner`; the signature does not bind it"
            ),
        ]
    }

    fileprivate var json: JSONValue {
        let members: JSONValue = [
            "account": .string(action.account.text), "name": .string(action.name.text),
            "authorization": .array(action.authorization.map(\.json)), "data": value?.json ?? .null,
            "abi": .string(source?.code),
        ]
        return members.adding(source?.hash.map { ["abi_sha256": .string($0.text)] })
            .adding(["hex_data": .string(Hex.encode(action.data))]).adding(nested.map { ["inner": $0.json] })
            .adding(stated.map { ["stated": $0.transaction.json.adding(["file": .string($0.file)])] })
    }

    /// The source of the ABI that decoded the data; nil if it is signed as bytes.
    private var source: ContractABIs.Source? {
        if case .decoded(let source) = content { source } else { nil }
    }
}

extension NestedTransaction {
    fileprivate static let shape: JSONShape = {
        let innermost = ReviewedAction.shape(inner: .any)
        return [
            "role": .text("`proposed`, `approved`, `wrapped` or `stated`"),
            "hash": .text("the SHA-256 of the packed transaction"),
            "expiration": .text("in UTC: 2026-12-01T00:00:00"), "ref_block_num": .number("of the header"),
            "ref_block_prefix": .number("of the header"), "delay_sec": .number("of the header"),
            "context_free_actions": .list(of: innermost, "as above"),
            "actions": .list(of: innermost, "as above"),
        ]
    }()

    fileprivate var json: JSONValue {
        let header = transaction.transaction
        return [
            "role": .string(role.rawValue), "hash": .string(Hex.encode(hash)),
            "expiration": .string(header.expiration.text), "ref_block_num": .number(header.refBlockNum),
            "ref_block_prefix": .number(header.refBlockPrefix), "delay_sec": .number(header.delaySec),
            "context_free_actions": .array(contextFreeActions.map(\.json)),
            "actions": .array(actions.map(\.json)),
        ]
    }
}

extension ContractABIs.Source {
    fileprivate var code: String {
        switch self {
        case .given: "given"
        case .pinned: "pinned"
        case .builtIn: "built in"
        case .builtInOlder: "built in, older"
        }
    }
}

extension Summary: JSONDescribed {
    static let object = JSONObject<Summary>([
        .number("action_count", "the number of actions, without inner ones") { $0.actionCount },
        .number("inner_count", "the number of inner actions") { $0.innerCount },
        .list("actions", of: action, "the kinds of actions") { $0.kinds },
        .list("payments", of: payment, "the sums, for each payer, recipient, token and memo") { $0.totals },
        .list("changes", of: change, "what the actions do, other than payments") { $0.changes },
    ])

    private static let action = JSONObject<Summary.Kind>([
        .text("account", "the contract") { $0.contract.text }, .text("name", "the action") { $0.action.text },
        .boolean("inner", "whether they are inside other actions") { $0.isInner },
        .boolean("decoded", "false for actions that are signed as bytes") { $0.isDecoded },
        .number("count", "how many") { $0.count },
    ])

    private static let payment = JSONObject<Summary.Total>([
        .text(
            "kind",
            "transfer, stake, buy-ram, power-up, exchange, spend, unstake, withdraw, sell, issue, retire"
        ) {
            $0.kind.rawValue
        },
        .text("contract", "the token's contract") { $0.contract.text },
        .text("payer", "who pays") { $0.payer.text },
        .text("recipient", "who is paid") { $0.recipient.text },
        .text(orNull: "for", "who or what gets the use of the tokens, if it is not the recipient") {
            $0.beneficiary?.text
        },
        .text("symbol", "decimals and code of the token: 4,EOS") { $0.symbol.text },
        .text("amount", "the sum in the smallest unit") { "\($0.amount)" },
        .boolean("inner", "whether they are inside other actions") { $0.execution != .direct },
        .number("count", "how many payments") { $0.count },
        .boolean("if_approved", "whether a proposal must be approved first") { $0.execution == .proposed },
        .text("memo?", "the memo; of a long one the beginning") {
            $0.memo.isEmpty ? nil : $0.memo + ($0.isMemoCut ? "..." : "")
        },
        .boolean("first_time?", "true if this vault signed no payment to the recipient before") {
            $0.isFirst ? true : nil
        },
    ])

    private static let change = JSONObject<Summary.Change>([
        .text("kind", changeKinds) { $0.kind.code },
        .text("account", "the account that acts or is changed") { $0.account.text },
        .number("count", "how many actions") { $0.count },
        .boolean("inner", "whether they are inside other actions") { $0.execution != .direct },
        .boolean("if_approved", "whether a proposal must be approved first") { $0.execution == .proposed },
        .text("bytes?", "the sum of the bytes of RAM") { $0.amount.map { "\($0)" } },
    ]).adding(
        described: [
            "contract?": .text("of the link"), "action?": .orNull(.text, "of the link; null for all actions"),
            "permission?": .text("the permission"), "size?": .number("the bytes of the code"),
            "receiver?": .text("the other account"),
            "details?": .list(of: .any, "keys, names and amounts of the action"),
        ]
    ) { $0.kind.fields }

    private static let changeKinds =
        "new-account, change-permission, delete-permission, link, unlink, replace-code, remove-code, replace-abi, "
        + "change-privileges, " + ActionEffect.Kind.allCases.map(\.rawValue).joined(separator: ", ")
}

extension AccountChange.Kind {
    fileprivate var fields: JSONValue {
        switch self {
        case .created, .codeRemoved, .abiReplaced, .privilegesChanged: [:]
        case .permissionReplaced(let name), .permissionDeleted(let name): ["permission": .string(name.text)]
        case .linked(let contract, let action, let permission):
            [
                "contract": .string(contract.text), "action": .string(action?.text),
                "permission": .string(permission.text),
            ]
        case .unlinked(let contract, let action):
            ["contract": .string(contract.text), "action": .string(action?.text)]
        case .codeReplaced(let size): ["size": .number(size)]
        case .effect(let effect):
            (effect.receiver.map { ["receiver": .string($0.text)] } ?? [:] as JSONValue)
                .adding(effect.details.isEmpty ? nil : ["details": .array(effect.details.map(\.json))])
        }
    }
}
