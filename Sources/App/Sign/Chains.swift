import ArgumentParser
import JSON
import Shell
import Transactions

struct Chains: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "chains", abstract: "Print the built-in chain names and ids.")

    @OptionGroup var common: CommonOptions

    func run() throws {
        if json.isOn {
            try Output.json(Self.object.json(Chain.all))
        } else {
            let width = Chain.all.map(\.name.columns).max() ?? 0
            for chain in Chain.all {
                let aliases = chain.aliases.isEmpty ? "" : " (also \(chain.aliases.joined(separator: ", ")))"
                try Output.report(chain.name.padded(to: width) + "  \(chain.id)  \(chain.title)\(aliases)\n")
            }
        }
    }
}

extension Chains {
    static let object = JSONObject<[Chain]>([.list("chains", of: chain, "the built-in chains") { $0 }])

    private static let chain = JSONObject<Chain>([
        .text("name", "the value for --chain") { $0.name }, .texts("aliases", "others") { $0.aliases },
        .text("title", "the name for people") { $0.title }, .text("id", "the chain id, in hex") { $0.id },
    ])
}
