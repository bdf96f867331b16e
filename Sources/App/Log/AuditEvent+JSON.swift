import ABICodec
import Codecs
import JSON
import KeyVault
import Shell
import Signing

extension AuditRecord {
    /// The event decides which members a record has.
    static let shape: JSONShape = [
        "sequence": .number("the number of the record"), "time": .text("in UTC; with Z in `log export`"),
        "event": .text("the event, as in `--event`, or `unknown-N`"),
        "requester?": .object(
            ["uid": .number("its user id"), "program": .text("the name of its program")],
            "the process that requested it, if an agent did it for another process"),
        "public_key?": .text("the key that was used or changed"),
        "name?": .text("the entry that was changed, if it is not a key"),
        "from?": .orNull(.text, "the earlier label"),
        "to?": .orNull(.text, "the new label"),
        "chain_id?": .text("the chain of a signature, an ABI or a name"),
        "chain_name?": .text("the name that a chain got or lost"),
        "transaction_id?": .text("the signed transaction"),
        "actions?": .list(
            of: ["action": .text("CONTRACT::ACTION"), "count": .number("how many")], "the signed actions"),
        "other_action_count?": .number("the signed actions that are not named"),
        "payments?": .list(
            of: [
                "kind": .text("`transfer`, or another kind of payment"),
                "payer": .text("the account that pays"),
                "recipient": .text("the account that is paid"), "amount": .text("the amount with its token"),
                "contract": .text("the contract of the token"),
                "memo": .text("at most 256 bytes of the memo"),
            ], "the payments of the signed actions, at most 256"),
        "other_payment_count?": .number("the payments that are not listed"),
        "digest?": .text("the signed digest, which may be of anything"),
        "account?": .text("the account of a pinned ABI"), "abi_sha256?": .text("the SHA-256 of a pinned ABI"),
        "policy_sha256?": .text("the SHA-256 of a policy"),
        "all_keys?": .boolean("true for a policy of all keys"),
        "slot?": .number("the slot that was changed"),
        "kind?": .text("the kind of the slot, as in `slot list`"),
        "count?": .number("the number of failed unlocks, of rescued entries, or of refused requests"),
        "first?": .text("the time of the first failed unlock or refused request"),
        "last?": .text(
            "the time of the last failed unlock or refused request, or of the last record before a corrected clock"
        ),
        "refusals?": .list(
            of: [
                "public_key": .text("the key"), "code": .text("the code of the error"),
                "member": .text("the part of the policy, as a JSON pointer; empty for none"),
                "count": .number("how many requests"),
            ], "the refused requests, by key, code and part of the policy; at most 64 kinds"),
        "generation?": .number("the generation of a backup"),
        "first_sequence?": .number("the first record of an archive"),
        "last_sequence?": .number("the last record of an archive"),
        "blake2b?": .text("the hash of an archive"),
        "profile?": .text("the profile of a signed HTTP request"), "method?": .text("its method"),
        "host?": .text("its host, and the port if it is not the default port"),
        "path?": .text("at most 200 bytes of its path, without the query"),
        "path_sha256?": .text("the SHA-256 of its path"),
    ]

    static let exported = shape.adding([
        "label?": .orNull(.text, "the label that the key has in the vault now")
    ])

    /// - Parameter clock: formats a time, in seconds since 1970.
    func json(time clock: (Int64) -> String = Clock.text) -> JSONValue {
        let code = event.code
        let record: JSONValue = [
            "sequence": .number(sequence), "time": .string(clock(time)), "event": .string(code),
        ]
        let request: JSONValue? = requester.map {
            ["requester": ["uid": .number($0.uid), "program": .string($0.program)]]
        }
        return record.adding(event.members(time: clock)).adding(request)
    }
}

extension AuditEvent {
    /// The name for programs, as `--event` takes it.
    var code: String { kind?.name ?? "unknown-\(number)" }

    /// - Parameter time: formats a time, in seconds since 1970.
    fileprivate func members(time: (Int64) -> String) -> JSONValue {
        switch self {
        case .created(let key), .imported(let key), .exported(let key), .removed(let key), .rotated(let key):
            key.json
        case .signed(let key, let chain, let transaction, let actions):
            key.json.adding([
                "chain_id": .string(Hex.encode(chain)), "transaction_id": .string(Hex.encode(transaction)),
            ]).adding(actions.json)
        case .renamed(let key, let from, let to):
            key.json.adding(["from": .string(from?.text), "to": .string(to?.text)])
        case .requestSigned(let key, let request):
            key.json.adding([
                "profile": .string(request.profile), "method": .string(request.method),
                "host": .string(request.host), "path": .string(request.path),
                "path_sha256": .string(Hex.encode(request.pathHash)),
            ])
        case .slotAdded(let slot, let kind), .slotRemoved(let slot, let kind),
            .slotChanged(let slot, let kind):
            ["slot": .number(slot), "kind": .string(kind.code)]
        case .failedUnlocks(let count, let first, let last):
            ["count": .number(count), "first": .string(time(first)), "last": .string(time(last))]
        case .backedUp(let generation), .restored(let generation): ["generation": .number(generation)]
        case .rescued(let count): ["count": .number(count)]
        case .abiPinned(let contract, let hash), .abiUnpinned(let contract, let hash):
            [
                "chain_id": .string(Hex.encode(contract.chain)), "account": .string(contract.account),
                "abi_sha256": .string(Hex.encode(hash)),
            ]
        case .archived(let first, let last, let hash):
            [
                "first_sequence": .number(first), "last_sequence": .number(last),
                "blake2b": .string(Hex.encode(hash)),
            ]
        case .policySet(let subject, let hash), .policyRemoved(let subject, let hash):
            subject.json.adding(["policy_sha256": .string(Hex.encode(hash))])
        case .policyRefusals(let refusals): refusals.json
        case .clockCorrected(let last): ["last": .string(time(last))]
        case .chainNamed(let chain, let name), .chainUnnamed(let chain, let name):
            ["chain_id": .string(Hex.encode(chain)), "chain_name": .string(name.text)]
        case .digestSigned(let key, let digest): key.json.adding(["digest": .string(Hex.encode(digest))])
        case .made, .rekeyed, .other: [:]
        }
    }
}

extension SignedActions {
    /// `other_action_count` counts the actions of kinds that the record does not list.
    fileprivate var json: JSONValue {
        let members: JSONValue = [
            "actions": .array(counts.map { ["action": .string($0.kind.text), "count": .number($0.count)] }),
            "other_action_count": .number(otherCount),
        ]
        guard !payments.isEmpty else { return members }
        return members.adding([
            "payments": .array(payments.map(\.json)), "other_payment_count": .number(otherPaymentCount),
        ])
    }
}

extension SignedActions.Kind {
    /// `CONTRACT::ACTION`
    var text: String { "\(Name(rawValue: contract).text)::\(Name(rawValue: action).text)" }
}

extension SignedPayment {
    fileprivate var json: JSONValue {
        [
            "kind": .string(kind), "payer": .string(payer.text), "recipient": .string(recipient.text),
            "amount": .string(quantity.text), "contract": .string(contract.text), "memo": .string(memo),
        ]
    }
}

extension StoredPolicy.Subject {
    fileprivate var json: JSONValue {
        switch self {
        case .allKeys: ["all_keys": .boolean(true)]
        case .key(let name): name.json
        }
    }
}

extension PolicyRefusals {
    /// `refusals` has the first kinds.
    fileprivate var json: JSONValue {
        let kinds = sortedCounts.map { kind, count -> JSONValue in
            [
                "public_key": .string(kind.key.text), "code": .string(kind.code),
                "member": .string(kind.part), "count": .number(count),
            ]
        }
        return [
            "count": .number(count), "first": .string(Clock.rfc3339(first)),
            "last": .string(Clock.rfc3339(last)), "refusals": .array(kinds),
        ]
    }
}
