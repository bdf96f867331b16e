/// The names of chains: the built-in ones, and the names that a vault gives to other chains.
package struct ChainNames: Equatable, Sendable {
    package static let builtIn = ChainNames([])

    private var ids: [String: ChainID] = [:]
    private var names: [ChainID: String] = [:]

    /// - Parameter given: the names of a vault. No two of them are equal, and no two ids.
    package init(_ given: [(name: String, id: ChainID)]) {
        for (name, id) in given { (ids[name], names[id]) = (id, name) }
    }

    /// The chain that a name, in either letter case, or 64 hex digits identify.
    /// - Throws: also `ambiguous` for a name of the vault that is built in for another chain.
    package func id(_ text: some StringProtocol) throws(ChainError) -> ChainID {
        guard let id = ids[text.lowercased()] else {
            do { return try ChainID(text) } catch {
                guard case .unknownName(let known) = error else { throw error }
                throw .unknownName(known: known + ids.keys.sorted())
            }
        }
        guard Chain.named(text.lowercased()).map({ $0.id == id.text }) ?? true else { throw .ambiguous }
        return id
    }

    /// The name for `--chain`: a built-in name, or else one that the vault gives; nil without one.
    package func name(of id: ChainID) -> String? { id.chain?.name ?? names[id] }

    /// The name that the vault gives to a chain that is not built in; nil without one.
    package func givenName(of id: ChainID) -> String? { id.chain == nil ? names[id] : nil }
}
