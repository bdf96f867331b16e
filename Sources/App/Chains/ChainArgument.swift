import ArgumentParser
import Codecs
import KeyVault
import Shell
import Transactions

/// The value of `--chain`: a built-in name, a chain id, or a name that the vault gives to a chain.
package struct ChainArgument: ExpressibleByArgument {
    package let text: String
    private let builtIn: Result<ChainID, any Error>

    package init(argument: String) {
        text = argument
        builtIn = Result { try Self.parse(argument, .builtIn) }
    }

    private static func parse(_ text: String, _ names: ChainNames) throws -> ChainID {
        try parsing("--chain \(text)") { try names.id(text) }
    }

    /// A chain that needs no vault.
    package var value: ChainID { get throws { try builtIn.get() } }

    /// True for text that only a vault can name. Any other text that is not a chain is refused
    /// before a vault is opened.
    package var needsVault: Bool {
        do { _ = try ChainNames.builtIn.id(text) } catch .unknownName {
            return ChainName.isForm(text.lowercased())
        } catch {}
        return false
    }

    /// - Parameter names: the names of the vault.
    package func id(_ names: ChainNames) throws -> ChainID { try Self.parse(text, names) }

    /// The chain, named by a vault that is opened only if it is needed.
    func id(namedBy vault: VaultOptions) throws -> ChainID {
        try needsVault ? id(vault.openLocked(.reading).chainNames()) : value
    }

    /// Refuses text that no vault can name, and names of a vault if there is none.
    func expectForm(hasVault: Bool = true) throws {
        guard needsVault else { return _ = try value }
        if !hasVault { try parsing("--chain \(text)") { throw CommandError.vaultOfChainMissing } }
    }
}

extension ArgumentHelp {
    /// The chain is never guessed.
    package static let chain = ArgumentHelp(
        "The chain: a name from `eosvault chains`, or a chain id.", valueName: "name or id")
}

extension LockedVault {
    /// The names of chains, with those that the vault gives.
    package func chainNames() throws -> ChainNames {
        try placed(at: name) { ChainNames(try vault.unverifiedNamedChains()) }
    }
}

extension LockedVault? {
    func chainNames() throws -> ChainNames { try self?.chainNames() ?? .builtIn }
}

// Names of chains in texts.

extension ChainNames {
    /// The name, or the chain id in hex.
    func short(_ id: [UInt8]) -> String { name(id) ?? Hex.encode(id) }

    /// The name, or the beginning of the chain id.
    func brief(_ id: [UInt8]) -> String { name(id) ?? Hex.brief(id) + "…" }

    /// The title of a built-in chain, or the name of another one, with the chain id; or the id
    /// alone.
    func long(_ id: [UInt8]) -> String {
        let title = (try? ChainID(bytes: id)).flatMap { $0.chain?.title ?? givenName(of: $0) }
        return (title.map { $0 + "  " } ?? "") + Hex.encode(id)
    }

    private func name(_ id: [UInt8]) -> String? { (try? ChainID(bytes: id)).flatMap(name(of:)) }
}

extension ChainID {
    /// - Parameter name: the name that the vault gives to a chain that is not built in.
    func line(named name: String?) -> String {
        guard let chain else { return name.map { "\($0) (named in the vault) \(text)" } ?? text }
        return "\(chain.title) \(text)"
    }

    /// The name of the chain in a question.
    func title(named name: String?) -> String { chain?.title ?? name ?? "this chain" }
}
