import ABICodec

/// The ABIs of the system contracts, without the prose of their Ricardian contracts.
///
/// eosio, eosio.token, eosio.msig and eosio.wrap: as AntelopeIO/reference-contracts builds them (the ABIs that the values of
/// `Vectors/transactions.json` were packed with). core.vaulta: greymass/vaulta-contracts,
/// shared/include/core.vaulta/core.vaulta.abi at 92174e7, its types compared with the contract's source
/// (VaultaFoundation/vaulta-system-contract, contracts/include/system/system.entry.hpp).
enum BuiltInABI {
    /// The ABI, compiled when it is first asked for; nil for another account.
    static func abi(for account: Name) -> ABI? {
        switch account.text {
        case "eosio": system
        case "eosio.token": token
        case "eosio.msig": msig
        case "eosio.wrap": wrap
        case "core.vaulta": vaulta
        default: nil
        }
    }

    private static let system = compile(PackageResources.eosio_abi_json)
    private static let token = compile(PackageResources.eosio_token_abi_json)
    private static let msig = compile(PackageResources.eosio_msig_abi_json)
    private static let wrap = compile(PackageResources.eosio_wrap_abi_json)
    private static let vaulta = compile(PackageResources.core_vaulta_abi_json)

    /// The hash of the built-in ABI's raw form; nil for another account.
    static func hash(for account: Name) -> ABIHash? { hashes[account.text] }

    /// Whether a raw form with this hash is known to be an ABI of the contract at `account`.
    static func isRecorded(_ hash: ABIHash, for account: Name) -> Bool { hashes[account.text] == hash }

    private static let hashes: [String: ABIHash] = [
        "eosio": PackageResources.eosio_abi_json, "eosio.token": PackageResources.eosio_token_abi_json,
        "eosio.msig": PackageResources.eosio_msig_abi_json, "eosio.wrap": PackageResources.eosio_wrap_abi_json,
        "core.vaulta": PackageResources.core_vaulta_abi_json,
    ].compactMapValues { try? ABIDefinition.read($0).hash() }

    /// Each of them compiles, which `BuiltInABITests` checks.
    private static func compile(_ json: [UInt8]) -> ABI? { try? ABI(contents: json) }
}
