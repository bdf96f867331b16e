import ABICodec
import JSON
import Keys
import Shell
import Signing
import Transactions

// The output of `signatures`.

extension TransactionSigners {
    var text: String {
        let second =
            "  (this key has already signed: chains refuse the transaction; `eosvault merge` drops it)"
        let rows = signatures.enumerated().map { index, signed in
            "\(index + 1)  \(signed.signer.words)\(signed.isDuplicate ? second : "")\n"
        }
        return (rows.isEmpty ? "no signatures\n" : rows.joined()) + (permissions?.map(\.text).joined() ?? "")
            + (permissions?.isEmpty == true ? "no action names a permission: chains refuse the transaction\n" : "")
            + unneededKeys.map {
                "not needed: \($0.text); a chain refuses the transaction: merge again without this signature\n"
            }.joined()
            + (isAccepted.map { $0 ? "ok   a chain with these permissions accepts the signatures\n" : failure } ?? "")
    }

    private var failure: String {
        permissions?.contains { $0.status == .unknown } == true
            ? "UNKNOWN give --authority for the accounts marked ?\n"
            : "FAIL a chain with these permissions refuses the signatures\n"
    }

    var json: JSONValue {
        let members: JSONValue = [
            "transaction_id": .string(transaction.id), "chain_id": .string(chain.text),
            "signatures": .array(signatures.map(\.json)),
        ]
        let checked: JSONValue? = permissions.map {
            [
                "permissions": .array($0.map(\.json)),
                "unneeded_keys": .array(unneededKeys.map { .string($0.text) }),
            ]
        }
        return members.adding(checked).adding(isAccepted.map { ["accepted": .boolean($0)] })
    }
}

extension TransactionSigners.Signed {
    fileprivate var json: JSONValue {
        [
            "signature": .string(signature.text), "public_key": .string(signer.key?.text),
            "status": .string(isDuplicate ? "duplicate" : signer.status),
        ]
    }
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
    fileprivate var text: String {
        let result =
            switch status {
            case .met: "met, weight \(weight) of \(threshold)"
            case .notMet: "NOT MET, weight \(weight) of \(threshold)"
            case .noSuchPermission: "NOT MET, the account has no such permission"
            case .unknown where threshold == 0: "unknown: give --authority for \(level.actor.text)"
            case .unknown: "unknown, weight \(weight) of \(threshold) without the accounts marked ?"
            }
        return "\(level.text): \(result)\n" + parts.map(\.text).joined()
    }

    fileprivate var json: JSONValue {
        [
            "permission": .string(level.text), "status": .string(status.name), "threshold": .number(threshold),
            "weight": .number(weight), "parts": .array(parts.map(\.json)),
        ]
    }
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

    fileprivate var json: JSONValue {
        let name =
            switch kind {
            case .key, .nullKey: "public_key"
            case .account: "account"
            case .wait: "wait_seconds"
            }
        let value: JSONValue = if case .wait(let seconds) = kind { .number(seconds) } else { .string(kind.text) }
        return [name: value, "weight": .number(weight), "status": .string(status.name)]
    }
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
