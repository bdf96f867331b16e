extension RowSource {
    /// The pinned ABIs of a chain, or of all chains.
    /// - Throws: `damaged`.
    func pinnedABIs(of chain: [UInt8]?) throws(VaultError) -> [PinnedABI] {
        var rows = PinnedABIRows(of: chain)
        try visitAll(.abis) { row throws(VaultError) in try rows.visit(row) }
        return rows.abis
    }
}

extension Vault {
    /// The pinned ABIs of a chain, or of all chains, as stored in the file. Anyone who can write
    /// the file can change them. They are verified only after unlocking
    /// (`VaultTransaction.pinnedABIs`).
    /// - Parameter chain: a chain id; nil for all chains.
    /// - Returns: the same order as the verified ones.
    package func unverifiedPinnedABIs(of chain: [UInt8]? = nil) throws(VaultError) -> [PinnedABI] {
        try unverified { rows throws(VaultError) in try rows.pinnedABIs(of: chain) }
    }
}

extension VaultTransaction {
    /// The verified pinned ABIs of a chain, or of all chains.
    /// - Throws: `manifestMismatch` when another program added, changed or removed one, unless they
    ///   were verified before: then the verified ones are returned; `damaged`.
    package func pinnedABIs(of chain: [UInt8]? = nil) throws(VaultError) -> [PinnedABI] {
        let all = try keys.content.pinnedABIs(in: buckets)
        return if let chain { all.filter { $0.contract.chain == chain } } else { all }
    }

    /// The verified ABI that is pinned for a contract; nil when its absence is proved.
    /// - Throws: `manifestMismatch`, `damaged`.
    package func pinnedABI(for contract: ContractAddress) throws(VaultError) -> PinnedABI? {
        try buckets.find(contract.rowName, in: .abis) { row throws(VaultError) in
            try PinnedABI.read(name: contract.rowName, value: row.blob(2) ?? [])
        }
    }

    /// Pins an ABI for its contract, in place of an earlier one. If the same bytes are pinned
    /// already, nothing changes.
    /// - Parameter proof: the second methods of all policies. The ABI determines the values that a
    ///   policy checks.
    /// - Throws: `secondMethodNeeded`, `pinnedABIsFull`, `manifestMismatch`, `damaged`.
    package mutating func pin(_ abi: PinnedABI, proof: SecondUnlock? = nil) throws(VaultError) {
        try expectWritable()
        let known = try pinnedABIs()
        let earlier = known.first { $0.contract == abi.contract }
        guard earlier?.raw != abi.raw else { return }
        try expectProof(proof, of: policies())
        let others = known.filter { $0.contract != abi.contract }
        guard others.count < PinnedABI.maximumCount,
            others.reduce(abi.raw.count, { $0 + $1.raw.count }) <= PinnedABI.maximumTotalSize
        else {
            throw .input(.pinnedABIsFull(count: PinnedABI.maximumCount, size: PinnedABI.maximumTotalSize))
        }
        let event = AuditEvent.abiPinned(abi.contract, hash: abi.hash)
        try change(recording: event) { (transaction: inout VaultTransaction) throws(VaultError) in
            if let earlier { try transaction.remove(earlier) }
            try transaction.buckets.add(abi)
        }
    }

    /// Removes the ABI that is pinned for a contract.
    /// - Parameter proof: as for `pin`.
    /// - Throws: `noPinnedABI`, `secondMethodNeeded`, `manifestMismatch`, `damaged`.
    package mutating func unpin(_ contract: ContractAddress, proof: SecondUnlock? = nil) throws(VaultError) {
        try expectWritable()
        guard let abi = try pinnedABI(for: contract) else { throw .input(.noPinnedABI) }
        try expectProof(proof, of: policies())
        let event = AuditEvent.abiUnpinned(contract, hash: abi.hash)
        try change(recording: event) { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.remove(abi)
        }
    }

    private mutating func remove(_ abi: PinnedABI) throws(VaultError) {
        guard try buckets.remove(abi.rowName, of: PinnedABI.self) else { throw .damaged(.abis) }
    }
}
