import Transactions

extension RowSource {
    /// - Throws: `damaged`.
    func namedChains() throws(VaultError) -> [NamedChain] {
        var chains = NamedChains()
        try visit(Manifest.Leaf(table: .settings, bucket: 0)) { row throws(VaultError) in
            try chains.visit(row)
        }
        return chains.all
    }
}

extension Vault {
    /// The chains that the vault names, as stored in the file. Anyone who can write the file can
    /// change them. They are verified only after unlocking (`VaultTransaction.namedChains`).
    package func unverifiedNamedChains() throws(VaultError) -> [NamedChain] {
        try unverified { rows throws(VaultError) in try rows.namedChains() }
    }
}

extension VaultTransaction {
    /// The verified chains that the vault names.
    /// - Throws: `manifestMismatch` when another program added, changed or removed one; `damaged`.
    package func namedChains() throws(VaultError) -> [NamedChain] { try buckets.namedChains() }

    /// Gives a chain a name, in place of an earlier one. If it has the name, nothing changes.
    /// - Throws: `chainName`, `manifestMismatch`, `damaged`.
    package mutating func name(_ chain: NamedChain) throws(VaultError) {
        try expectWritable()
        if let builtIn = chain.id.chain { throw .input(.chainName(.named(builtIn.name))) }
        let known = try namedChains()
        let others = known.filter { $0.id != chain.id }
        if let other = others.first(where: { $0.name.spelling == chain.name.spelling }) {
            throw .input(.chainName(.taken(other.name.text)))
        }
        guard others.count < NamedChain.maximumCount else {
            throw .input(.chainName(.full(maximum: NamedChain.maximumCount)))
        }
        guard !known.contains(where: { $0.id == chain.id && $0.name == chain.name }) else { return }
        let row = chain.setting
        try change { transaction throws(VaultError) in
            try transaction.set(row.rowName, to: row.value)
            try transaction.record(.chainNamed(chain.id.bytes, chain.name))
        }
    }

    /// Removes the name of a chain.
    /// - Throws: `noSuchChainName`, `manifestMismatch`, `damaged`.
    @discardableResult
    package mutating func removeName(of id: ChainID) throws(VaultError) -> NamedChain {
        try expectWritable()
        guard let chain = try namedChains().first(where: { $0.id == id }) else {
            throw .input(.noSuchChainName)
        }
        try change { transaction throws(VaultError) in
            try transaction.set(NamedChain.settingName(id), to: nil)
            try transaction.record(.chainUnnamed(id.bytes, chain.name))
        }
        return chain
    }
}
