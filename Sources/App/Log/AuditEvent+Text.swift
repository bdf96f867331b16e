import ABICodec
import Codecs
import JSON
import KeyVault
import Shell

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
                    "chain_id": .string(Hex.encode(chain)), "transaction_id": .string(Hex.encode(transaction)),
                ]).adding(actions.json)
            )
        case .exported(let key): ("exported \(key)", key.json)
        case .removed(let key): ("removed \(key)", key.json)
        case .renamed(let key, let from, let to):
            (
                "renamed \(key) from \(Self.text(of: from)) to \(Self.text(of: to))",
                key.json.adding(["from": Self.json(from), "to": Self.json(to)])
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
        case .backedUp(let generation): ("backed up generation \(generation)", ["generation": .number(generation)])
        case .restored(let generation):
            ("restored from a backup of generation \(generation)", ["generation": .number(generation)])
        case .rescued(let count):
            ("rescued \(Words.count(count, "entry", "entries")) from a damaged vault", ["count": .number(count)])
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
    private static func json(_ label: Label?) -> JSONValue { .string(label?.text) }
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
        let total =
            "a policy refused \(Words.count(count, "request")), from \(Clock.rfc3339(first)) to "
            + Clock.rfc3339(last)
        return
            ([total]
            + sortedCounts.map { kind, count in
                "\(count) of \(kind.key.text): \(kind.code)" + (kind.part.isEmpty ? "" : " (\(kind.part))")
            }).joined(separator: "; ")
    }

    /// `refusals` has the first kinds.
    fileprivate var json: JSONValue {
        [
            "count": .number(count), "first": .string(Clock.rfc3339(first)), "last": .string(Clock.rfc3339(last)),
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
