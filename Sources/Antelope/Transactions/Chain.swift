/// A public Antelope chain whose id is built in.
///
/// The ids come from wharfkit/common (src/common/chains.ts at 064dc63). Each was compared with a
/// second source: the alias table of wharfkit/signing-request (src/chain-id.ts at 653dea0) or the
/// chain list of greymass/anchor (app/shared/reducers/blockchains.js). For Libre and FIO, ids with
/// other last digits circulate; the ids here are the ids that the chains' own endpoints return.
package struct Chain: Hashable, Sendable {
    package let name: String
    /// Other names that are accepted for the chain.
    package let aliases: [String]
    package let title: String
    /// The id as text: 64 hex digits.
    package let id: String

    package static let all = rows.map { Chain(name: $0, aliases: $1, title: $2, id: $3) }

    private static let rows: [(name: String, aliases: [String], title: String, id: String)] = [
        (
            "eos", ["vaulta"], "Vaulta (EOS)",
            "aca376f206b8fc25a6ed44dbdc66547c36c6c33e3a119ffbeaef943642f0e906"
        ),
        (
            "jungle4", [], "Jungle 4 testnet",
            "73e4385a2708e6d7048834fbc1079f2fabb17b3c125b146af438971e90716c4d"
        ),
        ("kylin", [], "Kylin testnet", "5fff1dae8dc8e2fc4d5b23b2c7665c97f9e9d8edf2b6485a86ba311c25639191"),
        ("wax", [], "WAX", "1064487b3cd1a897ce03ae5b6a865651747e2e152090f99c1d19d44e01aea5a4"),
        (
            "wax-testnet", [], "WAX testnet",
            "f16b1833c747c43682f4386fca9cbb327929334a762755ebec17f6f23c9b8a12"
        ),
        ("telos", [], "Telos", "4667b205c6838ef70ff7988f6e8257e8be0e1284a2f59699054a018f743b1d11"),
        (
            "telos-testnet", [], "Telos testnet",
            "1eaa0824707c8c16bd25145493bf062aecddfeb56c736f6ba6397f3195f33c9f"
        ),
        (
            "xpr", ["proton"], "XPR Network",
            "384da888112027f0321850a169f737c33e53b388aad48b5adace4bab97f437e0"
        ),
        (
            "xpr-testnet", ["proton-testnet"], "XPR Network testnet",
            "71ee83bcf52142d61019d95f9cc5427ba6a0d7ff8accd9e2088ae2abeaf3d3dd"
        ),
        ("ux", [], "UX Network", "8fc6dce7942189f842170de953932b1f66693ad3788f766e777b6f9d22335c02"),
        ("fio", [], "FIO", "21dcae42c0182200e93f954a074011f9048a7624c6fe81d3c9541a614a88bd1c"),
        (
            "fio-testnet", [], "FIO testnet",
            "b20901380af44ef59c5918439a1f9a41d83669020319a80574b804a5f95cbd7e"
        ),
        ("libre", [], "Libre", "38b1d7815474d0c60683ecbea321d723e83f5da6ae5f1c1f9fecc69d9ba96465"),
        (
            "libre-testnet", [], "Libre testnet",
            "b64646740308df2ee06c6b72f34c0f7fa066d940e831f752db2006fcc2b78dee"
        ),
    ]

    /// Testnets that were shut down, and their successors. For most tools, `jungle` alone meant
    /// Jungle 2.
    static let retired = ["jungle": "jungle4", "jungle2": "jungle4", "jungle3": "jungle4"]

    package static let retiredNames = retired.keys.sorted()

    static func named(_ name: String) -> Chain? {
        all.first { $0.name == name || $0.aliases.contains(name) }
    }
}
