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
            let list = Chain.all.map { chain -> JSONValue in
                [
                    "name": .string(chain.name), "aliases": .array(chain.aliases.map { .string($0) }),
                    "title": .string(chain.title), "id": .string(chain.id),
                ]
            }
            try Output.json(["chains": .array(list)])
        } else {
            let width = Chain.all.map(\.name.columns).max() ?? 0
            for chain in Chain.all {
                let aliases = chain.aliases.isEmpty ? "" : " (also \(chain.aliases.joined(separator: ", ")))"
                try Output.data(chain.name.padded(to: width) + "  \(chain.id)  \(chain.title)\(aliases)\n")
            }
        }
    }
}
