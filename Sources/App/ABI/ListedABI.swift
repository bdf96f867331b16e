import ABICodec
import Codecs
import Hardening
import JSON
import KeyVault
import Shell

/// A pinned ABI, as `abi list` and `abi show` print it.
struct ListedABI {
    let abi: PinnedABI
    /// Whether the row was verified, which needs the unlock method.
    let isVerified: Bool

    private var chain: String { ChainName.short(abi.contract.chain) }
    private var doubt: String { isVerified ? "" : ", unverified" }

    /// The ABI; nil for bytes that are not a raw form. Anyone who can write the file can change an
    /// unverified row.
    var definition: ABIDefinition? { try? ABIDefinition(raw: abi.raw) }

    var actions: [Name] { definition?.actionNames ?? [] }

    var lines: [String] {
        var lines = [
            "\(abi.contract.account)  \(Words.count(actions.count, "action")), "
                + "pinned for \(chain) on \(Clock.text(abi.pinnedAt))\(doubt)",
            "  chain id  " + Hex.encode(abi.contract.chain), "  sha256    " + Hex.encode(abi.hash),
        ]
        lines += Words.rows(of: actions)
        return lines
    }

    var json: JSONValue {
        [
            "account": .string(abi.contract.account), "chains": .array([.string(chain)]),
            "date": .string(Clock.text(abi.pinnedAt)), "source": .string("pinned"),
            "sha256": .string(Hex.encode(abi.hash)), "older": .boolean(false),
            "actions": .array(actions.map { .string($0.text) }), "recorded": .array([]), "pinned": .boolean(true),
            "chain_id": .string(Hex.encode(abi.contract.chain)), "unverified": .boolean(!isVerified),
        ]
    }
}

extension VaultOptions {
    /// The pinned ABIs of the vault, sorted by account and chain. None if no vault is named and
    /// there is none at the default path.
    func listedABIs(verifying: Bool, by method: UnlockMethodOptions) throws -> [ListedABI] {
        guard vault != nil || isThere || verifying else { return [] }
        let file = try open(.reading)
        let abis: [PinnedABI]
        if verifying {
            abis = try method.unlock(file).withoutRecord { (transaction: inout VaultTransaction) throws(VaultError) in
                try transaction.pinnedABIs()
            }
        } else {
            abis = try placed(at: name()) { try file.unverifiedPinnedABIs() }
        }
        return abis.sorted { left, right in
            left.contract.account != right.contract.account
                ? left.contract.account < right.contract.account
                : left.contract.chain.lexicographicallyPrecedes(right.contract.chain)
        }
        .map { ListedABI(abi: $0, isVerified: verifying) }
    }

    /// The file access of `listedABIs`.
    func listingAccess(verifying: Bool, by method: UnlockMethodOptions) -> FileAccess {
        if verifying { return fileAccess(by: method) }
        return vault != nil || isThere ? lockedAccess : .none
    }
}
