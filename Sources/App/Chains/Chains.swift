import ArgumentParser
import Hardening
import JSON
import KeyVault
import Shell
import Transactions

struct Chains: PlainListing, JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "chains", abstract: "Print the names and ids of chains.",
        discussion: """
            The output has the built-in chains, then the chains that the vault names (see `eosvault help chain`). \
            Without --verify, the command needs no PIN, and marks names of the vault as unverified.

              eosvault chains
            """)

    @OptionGroup var listing: ListingOptions
    @OptionGroup var common: CommonOptions

    init() {}

    init(vault: String?, json: Bool) {
        listing = ListingOptions(plain: vault)
        common = CommonOptions(json: json)
    }

    var requiredAccess: FileAccess { vault.listingAccess(verifying: isVerified, by: method) }

    func run() throws {
        let named = try vault.listed(
            by: isVerified ? method : nil,
            verified: { transaction throws(VaultError) in try transaction.namedChains() },
            unverified: { file throws(VaultError) in try file.unverifiedNamedChains() }, otherwise: []
        ).sorted { $0.name.text < $1.name.text }
        guard !json.isOn else { return try Output.json(Self.object.json((named, isVerified))) }
        let width = (Chain.all.map(\.name) + named.map(\.name.text)).map(\.columns).max() ?? 0
        for chain in Chain.all {
            let aliases = chain.aliases.isEmpty ? "" : " (also \(chain.aliases.joined(separator: ", ")))"
            try Output.report(chain.name.padded(to: width) + "  \(chain.id)  \(chain.title)\(aliases)\n")
        }
        for chain in named {
            let doubt = isVerified ? "" : ", unverified"
            try Output.report(
                chain.name.text.padded(to: width) + "  \(chain.id.text)  named in the vault\(doubt)\n")
        }
    }
}

extension Chains {
    static let object = JSONObject<(named: [NamedChain], isVerified: Bool)>([
        .list("chains", of: chain, "the built-in chains") { _ in Chain.all },
        .list("named", of: NamedChain.listed, "the chains that the vault names") { contents in
            contents.named.map { ($0, contents.isVerified) }
        },
    ])

    private static let chain = JSONObject<Chain>([
        .text("name", "the value for --chain") { $0.name }, .texts("aliases", "others") { $0.aliases },
        .text("title", "the name for people") { $0.title }, .text("id", "the chain id, in hex") { $0.id },
    ])
}

extension NamedChain: JSONDescribed {
    static let object = JSONObject<NamedChain>([
        .text("name", "the value for --chain") { $0.name.text },
        .text("id", "the chain id, in hex") { $0.id.text },
    ])

    fileprivate static let listed = JSONObject<(chain: NamedChain, isVerified: Bool)>([
        .boolean("unverified", "false with --verify") { !$0.isVerified },
        .text("named", "when it was named, in UTC") { Clock.text($0.chain.namedAt) },
    ]).adding(object) { $0.chain }
}
