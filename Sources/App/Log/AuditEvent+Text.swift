import ABICodec
import Codecs
import JSON
import KeyVault
import Shell

// Audit records, for people (text) and for programs (JSON).

extension AuditRecord {
    /// One line.
    var text: String {
        let request = requester.map { ", requested by \(Printable.line($0.program)) of user \($0.uid)" } ?? ""
        return "\(sequence) \(Clock.text(time)) \(event.words().text)\(request)"
    }

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
        "to?": .orNull(.text, "the new label"), "chain_id?": .text("the chain of a signature or an ABI"),
        "transaction_id?": .text("the signed transaction"),
        "actions?": .list(
            of: ["action": .text("CONTRACT::ACTION"), "count": .number("how many")], "the signed actions"),
        "other_action_count?": .number("the signed actions that are not named"),
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
        let code = event.kind?.name ?? "unknown-\(event.number)"
        let record: JSONValue = [
            "sequence": .number(sequence), "time": .string(clock(time)), "event": .string(code),
        ]
        let request: JSONValue? = requester.map {
            ["requester": ["uid": .number($0.uid), "program": .string($0.program)]]
        }
        return record.adding(event.words(time: clock).members).adding(request)
    }
}

extension AuditEvent {
    /// The text is for people, the members are for programs.
    /// - Parameter time: formats a time, in seconds since 1970.
    func words(time: (Int64) -> String = Clock.text) -> (text: String, members: JSONValue) {
        switch self {
        case .made: ("made the vault", [:])
        case .created(let key): ("created \(key)", key.json)
        case .imported(let key): ("imported \(key)", key.json)
        case .signed(let key, let chain, let transaction, let actions):
            (
                "signed transaction \(Hex.encode(transaction)) on \(ChainName.short(chain)) with \(key)",
                key.json.adding([
                    "chain_id": .string(Hex.encode(chain)),
                    "transaction_id": .string(Hex.encode(transaction)),
                ]).adding(actions.json)
            )
        case .exported(let key): ("exported \(key)", key.json)
        case .removed(let key): ("removed \(key)", key.json)
        case .renamed(let key, let from, let to):
            (
                "renamed \(key) from \(Self.text(of: from)) to \(Self.text(of: to))",
                key.json.adding(["from": .string(from?.text), "to": .string(to?.text)])
            )
        case .rotated(let key): ("replaced the secret of \(key)", key.json)
        case .requestSigned(let key, let request):
            (
                "signed \(request.method) \(request.host)\(request.path)\(request.isPathWhole ? "" : "…") with \(key) "
                    + "(\(request.profile))",
                key.json.adding([
                    "profile": .string(request.profile), "method": .string(request.method),
                    "host": .string(request.host), "path": .string(request.path),
                    "path_sha256": .string(Hex.encode(request.pathHash)),
                ])
            )
        case .slotAdded(let slot, let kind): ("added slot \(slot): \(kind.words)", Self.json(slot, kind))
        case .slotRemoved(let slot, let kind): ("removed slot \(slot): \(kind.words)", Self.json(slot, kind))
        case .slotChanged(let slot, let kind): ("changed slot \(slot): \(kind.words)", Self.json(slot, kind))
        case .rekeyed: ("made a new master key", [:])
        case .failedUnlocks(let count, let first, let last):
            (
                "\(Words.count(count, "failed unlock")), from \(time(first)) to \(time(last)) "
                    + "(from an unauthenticated counter)",
                ["count": .number(count), "first": .string(time(first)), "last": .string(time(last))]
            )
        case .backedUp(let generation):
            ("backed up generation \(generation)", ["generation": .number(generation)])
        case .restored(let generation):
            ("restored from a backup of generation \(generation)", ["generation": .number(generation)])
        case .rescued(let count):
            (
                "rescued \(Words.count(count, "entry", "entries")) from a damaged vault",
                ["count": .number(count)]
            )
        case .abiPinned(let contract, let hash):
            ("pinned the ABI \(Self.text(of: contract, hash))", Self.json(contract, hash))
        case .abiUnpinned(let contract, let hash):
            ("unpinned the ABI \(Self.text(of: contract, hash))", Self.json(contract, hash))
        case .archived(let first, let last, let hash):
            (
                "moved \(Words.records(first, last)) to the archive \(Hex.encode(hash))",
                [
                    "first_sequence": .number(first), "last_sequence": .number(last),
                    "blake2b": .string(Hex.encode(hash)),
                ]
            )
        case .policySet(let subject, let hash):
            ("set the policy \(Hex.encode(hash)) of \(subject.words)", Self.json(subject, hash))
        case .policyRemoved(let subject, let hash):
            ("removed the policy \(Hex.encode(hash)) of \(subject.words)", Self.json(subject, hash))
        case .policyRefusals(let refusals): (refusals.text, refusals.json)
        case .clockCorrected(let last):
            (
                "recorded that the clock was ahead; the record before this one was made at \(time(last))",
                ["last": .string(time(last))]
            )
        case .other(let kind): ("an event that this version does not support (kind \(kind))", [:])
        }
    }

    private static func text(of contract: ContractAddress, _ hash: [UInt8]) -> String {
        "\(Hex.encode(hash)) of \(contract.account) on \(ChainName.short(contract.chain))"
    }

    private static func json(_ contract: ContractAddress, _ hash: [UInt8]) -> JSONValue {
        [
            "chain_id": .string(Hex.encode(contract.chain)), "account": .string(contract.account),
            "abi_sha256": .string(Hex.encode(hash)),
        ]
    }

    private static func json(_ subject: StoredPolicy.Subject, _ hash: [UInt8]) -> JSONValue {
        let key: JSONValue =
            switch subject {
            case .allKeys: ["all_keys": .boolean(true)]
            case .key(let name): name.json
            }
        return key.adding(["policy_sha256": .string(Hex.encode(hash))])
    }

    private static func text(of label: Label?) -> String { label.map { "`\($0.text)`" } ?? "no label" }

    private static func json(_ slot: Int, _ kind: SlotKind) -> JSONValue {
        ["slot": .number(slot), "kind": .string(kind.code)]
    }
}

extension SignedActions {
    /// `other_action_count` counts the actions of kinds that the record does not name.
    fileprivate var json: JSONValue {
        let actions = counts.map { entry -> JSONValue in
            let (contract, action) = (Name(rawValue: entry.kind.contract), Name(rawValue: entry.kind.action))
            return ["action": .string("\(contract.text)::\(action.text)"), "count": .number(entry.count)]
        }
        return ["actions": .array(actions), "other_action_count": .number(otherCount)]
    }
}

extension StoredPolicy.Subject {
    var words: String {
        switch self {
        case .allKeys: "all keys"
        case .key(let name): name.text
        }
    }
}

extension PolicyRefusals {
    fileprivate var text: String {
        let (start, end) = (Clock.rfc3339(first), Clock.rfc3339(last))
        let kinds = sortedCounts.map { kind, count in
            "\(count) of \(kind.key.text): \(kind.code)" + (kind.part.isEmpty ? "" : " (\(kind.part))")
        }
        return (["a policy refused \(Words.count(count, "request")), from \(start) to \(end)"] + kinds)
            .joined(separator: "; ")
    }

    /// `refusals` has the first kinds.
    fileprivate var json: JSONValue {
        [
            "count": .number(count), "first": .string(Clock.rfc3339(first)),
            "last": .string(Clock.rfc3339(last)),
            "refusals": .array(
                sortedCounts.map { kind, count in
                    [
                        "public_key": .string(kind.key.text), "code": .string(kind.code),
                        "member": .string(kind.part), "count": .number(count),
                    ]
                }),
        ]
    }
}
