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

    /// Each of them compiles: `BuiltInABITests` says so.
    private static func compile(_ json: [UInt8]) -> ABI? { try? ABI(contents: json) }
}
