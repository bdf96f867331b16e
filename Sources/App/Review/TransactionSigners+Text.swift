import ABICodec
import JSON
import Keys
import Shell
import Signing
import Transactions

// The output of `signatures`.

extension TransactionSigners: JSONDescribed {
    /// - Parameter control: the permissions that each key controls.
    func text(_ control: [KeyControl]) -> String {
        let second =
            "  (this key has already signed: chains refuse the transaction; `eosvault merge` drops it)"
        let rows = signatures.enumerated().map { index, signed in
            "\(index + 1)  \(signed.signer.words)\(signed.isDuplicate ? second : "")\n"
        }
        return (rows.isEmpty ? "no signatures\n" : rows.joined()) + (permissions?.map(\.text).joined() ?? "")
            + control.flatMap { control in control.rows.map { "\(control.key.text) controls \($0)\n" } }
            .joined()
            + (permissions?.isEmpty == true
                ? "no action has an authorization: chains refuse the transaction\n" : "")
            + unneededKeys.map {
                "not needed: \($0.text); a chain refuses the transaction: merge again without this signature\n"
            }.joined()
            + (isAccepted.map {
                $0 ? "ok   a chain with these permissions accepts the signatures\n" : failure
            } ?? "")
    }

    private var failure: String {
        permissions?.contains { $0.status == .unknown } == true
            ? "UNKNOWN give --authority for the accounts marked ?\n"
            : "FAIL a chain with these permissions refuses the signatures\n"
    }

    static let object = JSONObject<TransactionSigners>([
        .text("transaction_id", "the transaction id") { $0.transaction.id },
        .text("chain_id", "the chain") { $0.chain.text },
        .list("signatures", of: signed, "the signatures, in their order") { $0.signatures },
        .list("permissions?", of: CheckedPermission.object, "those that the actions name, with --authority") {
            $0.permissions
        },
        .texts("unneeded_keys?", "keys whose signature makes a chain refuse the transaction") { signers in
            signers.permissions.map { _ in signers.unneededKeys.map(\.text) }
        },
        .boolean("accepted?", "whether a chain with these permissions accepts the signatures") {
            $0.isAccepted
        },
    ])

    private static let signed = JSONObject<TransactionSigners.Signed>([
        .text("signature", "SIG_…") { $0.signature.text },
        .text(orNull: "public_key", "its key; null if none can be recovered") { $0.signer.key?.text },
        .text("status", "`ok`, `not-canonical`, `not-recovered` or `duplicate`") {
            $0.isDuplicate ? "duplicate" : $0.signer.status
        },
    ])
}

extension Signer {
    fileprivate var words: String {
        switch self {
        case .key(let key): key.text
        case .nonCanonical(let key): "\(key.text)  (not canonical: chains refuse it)"
        case .unknown(let error): "no key: \(error.words.message)"
        }
    }

    fileprivate var status: String {
        switch self {
        case .key: "ok"
        case .nonCanonical: "not-canonical"
        case .unknown: "not-recovered"
        }
    }
}

extension CheckedPermission {
    /// `alice@active: met, weight 2 of 2`, and a row for each part.
    var text: String {
        let result =
            switch status {
            case .met where isApproved: "met, approved"
            case .met: "met, weight \(weight) of \(threshold)"
            case .notMet: "NOT MET, weight \(weight) of \(threshold)"
            case .noSuchPermission: "NOT MET, the account has no such permission"
            case .unknown where threshold == 0: "unknown: give --authority for \(level.actor.text)"
            case .unknown: "unknown, weight \(weight) of \(threshold) without the accounts marked ?"
            }
        return "\(level.text): \(result)\n" + parts.map(\.text).joined()
    }

    static let object = JSONObject<CheckedPermission>([
        .text("permission", "`account@permission`") { $0.level.text },
        .text("status", "`met`, `not-met`, `no-such-permission` or `unknown`") { $0.status.name },
        .number("threshold", "the weight that is needed; 0 if it is not known") { $0.threshold },
        .number("weight", "the sum of all parts that are met") { $0.weight },
        .list("parts", of: Part.object, "the parts of the authority") { $0.parts },
    ])
}

extension CheckedPermission.Part {
    fileprivate var text: String { "  \(mark)  \(kind.text)  weight \(weight)\n" }

    private var mark: String {
        switch (kind, status) {
        case (.key, .met): "signed"
        case (.account, .met), (.wait, .met): "met   "
        case (_, .unknown): "?     "
        case (_, .notMet), (_, .noSuchPermission), (.nullKey, .met): "-     "
        }
    }

    fileprivate static let object = JSONObject<CheckedPermission.Part>([
        .text("public_key?", "a key") { part in
            switch part.kind {
            case .key, .nullKey: part.kind.text
            case .account, .wait: nil
            }
        },
        .text("account?", "`account@permission`") {
            if case .account(let level) = $0.kind { level.text } else { nil }
        },
        .number("wait_seconds?", "a delay of the transaction") {
            if case .wait(let seconds) = $0.kind { seconds } else { nil }
        },
        .number("weight", "its weight") { $0.weight }, .text("status", "as above") { $0.status.name },
    ])
}

extension Authority.Part {
    fileprivate var text: String {
        switch self {
        case .key(let key): key.text
        case .nullKey: NullKey.legacyText
        case .account(let level): level.text
        case .wait(let seconds): "a delay of \(Words.count(seconds, "second"))"
        }
    }
}

extension AuthorityChecker.Status {
    fileprivate var name: String {
        switch self {
        case .met: "met"
        case .notMet: "not-met"
        case .noSuchPermission: "no-such-permission"
        case .unknown: "unknown"
        }
    }
}
