import Codecs
import JSON
import KeyVault

extension AuditEvent {
    /// The code and the members are for programs. The code is lower case, its words joined by
    /// hyphens.
    var words: (code: String, text: String, members: JSONValue) {
        switch self {
        case .made: ("made", "made the vault", [:])
        case .created(let key): ("created", "created \(key)", key.json)
        case .imported(let key): ("imported", "imported \(key)", key.json)
        case .signed(let key, let chain, let transaction):
            (
                "signed", "signed transaction \(Hex.encode(transaction)) on \(ChainName.short(chain)) with \(key)",
                key.json.adding([
                    "chain_id": .string(Hex.encode(chain)), "transaction_id": .string(Hex.encode(transaction)),
                ])
            )
        case .exported(let key): ("exported", "exported \(key)", key.json)
        case .removed(let key): ("removed", "removed \(key)", key.json)
        case .renamed(let key, let from, let to):
            (
                "renamed", "renamed \(key) from \(Self.text(of: from)) to \(Self.text(of: to))",
                key.json.adding(["from": Self.json(from), "to": Self.json(to)])
            )
        case .slotAdded(let slot, let kind): ("slot-added", "added slot \(slot): \(kind.words)", Self.json(slot, kind))
        case .slotRemoved(let slot, let kind):
            ("slot-removed", "removed slot \(slot): \(kind.words)", Self.json(slot, kind))
        case .slotChanged(let slot, let kind):
            ("slot-changed", "changed slot \(slot): \(kind.words)", Self.json(slot, kind))
        case .rekeyed: ("rekeyed", "made a new master key", [:])
        case .failedUnlocks(let count, let first, let last):
            (
                "failed-unlocks",
                "\(Words.count(count, "failed unlock")), from \(Clock.text(first)) to \(Clock.text(last)) "
                    + "(from an unauthenticated counter)",
                ["count": .number(count), "first": .string(Clock.text(first)), "last": .string(Clock.text(last))]
            )
        case .backedUp(let generation):
            ("backed-up", "backed up generation \(generation)", ["generation": .number(generation)])
        case .restored(let generation):
            ("restored", "restored from a backup of generation \(generation)", ["generation": .number(generation)])
        case .migrated(let version):
            ("migrated", "migrated from format version \(version)", ["from_version": .number(version)])
        case .rescued(let count):
            ("rescued", "rescued \(Words.count(count, "key")) from a damaged vault", ["count": .number(count)])
        case .abiPinned(let contract, let hash):
            ("abi-pinned", "pinned the ABI \(Self.text(of: contract, hash))", Self.json(contract, hash))
        case .abiUnpinned(let contract, let hash):
            ("abi-unpinned", "unpinned the ABI \(Self.text(of: contract, hash))", Self.json(contract, hash))
        case .other(let kind): ("unknown-\(kind)", "an event that this version does not support (kind \(kind))", [:])
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

    private static func text(of label: Label?) -> String { label.map { "`\($0.text)`" } ?? "no label" }

    private static func json(_ slot: Int, _ kind: SlotKind) -> JSONValue {
        ["slot": .number(slot), "kind": .string(kind.code)]
    }
    private static func json(_ label: Label?) -> JSONValue { label.map { .string($0.text) } ?? .null }
}
