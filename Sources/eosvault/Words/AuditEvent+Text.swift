import Codecs
import JSON
import KeyVault

extension AuditEvent {
    /// For programs: lower case, words joined by hyphens.
    var code: String {
        switch self {
        case .made: "made"
        case .created: "created"
        case .imported: "imported"
        case .signed: "signed"
        case .exported: "exported"
        case .removed: "removed"
        case .renamed: "renamed"
        case .slotAdded: "slot-added"
        case .slotRemoved: "slot-removed"
        case .slotChanged: "slot-changed"
        case .rekeyed: "rekeyed"
        case .failedUnlocks: "failed-unlocks"
        case .backedUp: "backed-up"
        case .restored: "restored"
        case .migrated: "migrated"
        case .rescued: "rescued"
        case .abiPinned: "abi-pinned"
        case .abiUnpinned: "abi-unpinned"
        case .other(let kind): "unknown-\(kind)"
        }
    }

    var text: String {
        switch self {
        case .made: "made the vault"
        case .created(let key): "created \(key)"
        case .imported(let key): "imported \(key)"
        case .signed(let key, let chain, let transaction):
            "signed transaction \(Hex.encode(transaction)) on \(ChainName.short(chain)) with \(key)"
        case .exported(let key): "exported \(key)"
        case .removed(let key): "removed \(key)"
        case .renamed(let key, let from, let to): "renamed \(key) from \(Self.text(of: from)) to \(Self.text(of: to))"
        case .slotAdded(let number, let kind): "added slot \(number): \(kind.words)"
        case .slotRemoved(let number, let kind): "removed slot \(number): \(kind.words)"
        case .slotChanged(let number, let kind): "changed slot \(number): \(kind.words)"
        case .rekeyed: "made a new master key"
        case .failedUnlocks(let count, let first, let last):
            "\(Words.count(count, "failed unlock")), from \(Clock.text(first)) to \(Clock.text(last)) "
                + "(from an unauthenticated counter)"
        case .backedUp(let generation): "backed up generation \(generation)"
        case .restored(let generation): "restored from a backup of generation \(generation)"
        case .migrated(let version): "migrated from format version \(version)"
        case .rescued(let count): "rescued \(Words.count(count, "key")) from a damaged vault"
        case .abiPinned(let contract, let hash): "pinned the ABI \(Self.text(of: contract, hash))"
        case .abiUnpinned(let contract, let hash): "unpinned the ABI \(Self.text(of: contract, hash))"
        case .other(let kind): "an event that this version does not support (kind \(kind))"
        }
    }

    var members: [JSONMember] {
        let key = key.map { [$0.member] } ?? []
        switch self {
        case .made, .created, .imported, .exported, .removed, .rekeyed, .other: return key
        case .signed(_, let chain, let transaction):
            return key + [
                JSONMember("chain_id", .string(Hex.encode(chain))),
                JSONMember("transaction_id", .string(Hex.encode(transaction))),
            ]
        case .renamed(_, let from, let to):
            return key + [JSONMember("from", Self.json(from)), JSONMember("to", Self.json(to))]
        case .slotAdded(let number, let kind), .slotRemoved(let number, let kind), .slotChanged(let number, let kind):
            return [JSONMember("slot", .number(number)), JSONMember("kind", .string(kind.code))]
        case .failedUnlocks(let count, let first, let last):
            return [
                JSONMember("count", .number(count)), JSONMember("first", .string(Clock.text(first))),
                JSONMember("last", .string(Clock.text(last))),
            ]
        case .backedUp(let generation), .restored(let generation):
            return [JSONMember("generation", .number(generation))]
        case .migrated(let version): return [JSONMember("from_version", .number(version))]
        case .rescued(let count): return [JSONMember("count", .number(count))]
        case .abiPinned(let contract, let hash), .abiUnpinned(let contract, let hash):
            return [
                JSONMember("chain_id", .string(Hex.encode(contract.chain))),
                JSONMember("account", .string(contract.account)), JSONMember("abi_sha256", .string(Hex.encode(hash))),
            ]
        }
    }

    private static func text(of contract: ContractAddress, _ hash: [UInt8]) -> String {
        "\(Hex.encode(hash)) of \(contract.account) on \(ChainName.short(contract.chain))"
    }

    private static func text(of label: Label?) -> String { label.map { "`\($0.text)`" } ?? "no label" }
    private static func json(_ label: Label?) -> JSONValue { label.map { .string($0.text) } ?? .null }
}
