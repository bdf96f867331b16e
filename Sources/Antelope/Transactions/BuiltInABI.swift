import ABICodec

/// An ABI that is part of the program: the action types of a system contract, without tables and
/// Ricardian contracts.
package struct BuiltInABI: Sendable {
    package let account: String
    /// The chains whose contract it describes, as `Chain.name`.
    package let chains: [String]
    /// The date of its newest part in ISO 8601: a day, a month or a year, depending on what is
    /// known.
    package let date: String
    package let source: String
    /// True if the program has a newer ABI of the account, which is tried first.
    package let isOlder: Bool
    /// The raw forms that decode the same bytes to the same values, newest first.
    package let recorded: [RecordedABI]
    /// Compiles the ABI at its first use.
    private let load: @Sendable () -> Compiled?

    private struct Compiled {
        let file: ABIFile
        let abi: ABI
    }

    package var definition: ABIDefinition? { load()?.file.definition }

    var abi: ABI? { load()?.abi }

    /// The hash of the raw form that eosvault packs. No chain stores the ABI in this form. Few
    /// commands need it, so each use computes it.
    package var hash: ABIHash? { try? load()?.file.hash() }

    /// The names of the actions, sorted by their text.
    package var actions: [Name] { (abi?.actionNames ?? []).sorted { $0.text < $1.text } }

    /// All built-in ABIs. The ABIs of one account are sorted from newest to oldest.
    package static let all: [BuiltInABI] = [system, olderSystem, token, msig, wrap, vaulta]

    /// The ABIs of an account, newest first; empty if there are none.
    package static func all(for account: Name) -> [BuiltInABI] {
        let text = account.text
        return all.filter { $0.account == text }
    }

    /// The newest ABI of an account; nil if there is none.
    package static func newest(for account: Name) -> BuiltInABI? { all(for: account).first }
}

// MARK: - the ABIs

extension BuiltInABI {
    /// Chains that run the contracts of VaultaFoundation/system-contracts.
    private static let vaultaChains = ["eos", "jungle4", "kylin"]

    private static let system = BuiltInABI(
        account: "eosio", chains: vaultaChains, date: "2025-06-25",
        source: """
            raw ABI b4863a5a (wharfkit/account, src/contracts/eosio.ts); newer actions as declared in \
            VaultaFoundation/system-contracts 9edc8bc, contracts/eosio.system/include
            """,
        isOlder: false,
        recorded: [
            RecordedABI(
                account: "eosio", sha256: "b4863a5af178fdd17a453eed6843f23b27bf4014cba65974c1eab92bd78222f9",
                chain: "eos",
                date: "2025-02-18", source: "wharfkit/account, src/contracts/eosio.ts"),
            RecordedABI(
                account: "eosio", sha256: "37e8c56c025ece8299f9798cf620d90bce08604a1050583a53a86dec283e2e9d",
                chain: "eos",
                date: "2024-06-16", source: "wharfkit/contract, test/data, from eos.greymass.com"),
            RecordedABI(
                account: "eosio", sha256: "61788bc26da987e1aa17600bc8327949146a5700bfbcbfb3cec4213b4120b3cd",
                chain: "jungle4",
                date: "2023-07-28", source: "wharfkit/contract, test/data, from jungle4.greymass.com"),
        ],
        load: { systemABI })

    /// Actions that the newest ABI lacks. An action with a newer type is not included, so that no
    /// bytes have two readings.
    private static let olderSystem = BuiltInABI(
        account: "eosio", chains: ["eos"], date: "2018",
        source:
            """
            EOSIO system contract 1.2.1 (VaultaFoundation/system-contracts 9edc8bc, \
            tests/test_contracts/old_versions)
            """,
        isOlder: true, recorded: [], load: { olderSystemABI })

    private static let token = BuiltInABI(
        account: "eosio.token", chains: vaultaChains, date: "2023-11-30",
        source: "raw ABI 3cb2e0c0 (wharfkit/session, test/data)",
        isOlder: false,
        recorded: [
            RecordedABI(
                account: "eosio.token",
                sha256: "3cb2e0c01c7729b34d11844e19f41e282c39872decc80b6159fe7c3a207d2fcf",
                chain: "jungle4", date: "2023-11-30",
                source: "wharfkit/session, test/data, from jungle4.greymass.com"),
            RecordedABI(
                account: "eosio.token",
                sha256: "85fd4e647e88e595223e69d09a3368a14a45d29320ed1515f54fdfac6ca999df",
                chain: "eos", date: "2023-07-28",
                source: "wharfkit/contract, test/data, from eos.greymass.com"),
        ],
        load: { tokenABI })

    private static let msig = BuiltInABI(
        account: "eosio.msig", chains: vaultaChains, date: "2024-06-16",
        source: "raw ABI b71b5bb8 (wharfkit/contract, test/data)",
        isOlder: false,
        recorded: [
            RecordedABI(
                account: "eosio.msig",
                sha256: "b71b5bb8b5a23a3f06d5e0129f8190f810843e11e66c4d0aea89ba8ef26c8fa7",
                chain: "eos", date: "2024-06-16",
                source: "wharfkit/contract, test/data, from eos.greymass.com")
        ],
        load: { msigABI })

    /// No raw form of this ABI is recorded.
    private static let wrap = BuiltInABI(
        account: "eosio.wrap", chains: vaultaChains, date: "2022",
        source: "AntelopeIO/reference-contracts, as built",
        isOlder: false, recorded: [], load: { wrapABI })

    private static let vaulta = BuiltInABI(
        account: "core.vaulta", chains: vaultaChains, date: "2025-05-04",
        source: "raw ABI d72bd9da (greymass/unicove, configs/contracts/core.vaulta.ts)", isOlder: false,
        recorded: [
            RecordedABI(
                account: "core.vaulta",
                sha256: "d72bd9da6971f250151f3b6df37330b010647f2825e5f3b36b4590c679c85cc9",
                chain: "eos",
                date: "2025-05-04", source: "greymass/unicove, configs/contracts/core.vaulta.ts")
        ],
        load: { vaultaABI })

    private static let systemABI = compile(PackageResources.eosio_abi_json)
    private static let olderSystemABI = compile(PackageResources.eosio_older_abi_json)
    private static let tokenABI = compile(PackageResources.eosio_token_abi_json)
    private static let msigABI = compile(PackageResources.eosio_msig_abi_json)
    private static let wrapABI = compile(PackageResources.eosio_wrap_abi_json)
    private static let vaultaABI = compile(PackageResources.core_vaulta_abi_json)

    /// `BuiltInABITests` checks that each of the ABIs compiles.
    private static func compile(_ json: [UInt8]) -> Compiled? {
        guard let file = try? ABIDefinition.read(json), let abi = try? ABI(file.definition) else {
            return nil
        }
        return Compiled(file: file, abi: abi)
    }
}
