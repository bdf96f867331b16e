import Codecs
import Keys
import SecureMemory

/// The context that the seals of a vault's entries are bound to, in addition to the entry itself.
struct SealContext {
    let vaultID: [UInt8]
    let keys: VaultKeys
}

extension EntryRow {
    /// Seals a secret into the row.
    /// - Parameter generation: the generation that the transaction makes.
    mutating func seal(
        _ secret: RawSpan, _ context: SealContext, generation: Int64
    ) throws(VaultError) {
        details = generation.littleEndianBytes + ownDetails
        let nonce = Sodium.randomBytes(Sodium.nonceCount)
        let associated = associatedData(vaultID: context.vaultID)
        sealed = try context.keys.seal.lend { key throws(VaultError) in
            Sodium.seal(secret, binding: associated, nonce: nonce, key: key)
        }
        self.nonce = nonce
    }

    // MARK: details

    /// The length of the generation: an `i64`, little-endian.
    static let sealingCount = 8

    /// The vault's generation in which the row was sealed last; nil for details that are too short.
    /// It is authentic only after the seal was verified.
    var sealing: Int64? {
        guard hasValidDetails else { return nil }
        return Int64(
            bitPattern: details.prefix(Self.sealingCount).reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// The details of a row before it is sealed.
    static func unsealed(_ ownDetails: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0, count: sealingCount) + ownDetails
    }

    /// The details without the generation of the sealing.
    var ownDetails: [UInt8] { Array(details.dropFirst(Self.sealingCount)) }

    /// True if the details have a length that the kind allows.
    var hasValidDetails: Bool {
        (0...(kind.payload?.maximumDetailCount ?? .max)).contains(details.count - Self.sealingCount)
    }

    /// True if the secret and the details have lengths that their kind allows. If any length were
    /// accepted, each row of a crafted file could request work on as many bytes as a page has.
    var hasPossibleCounts: Bool {
        guard let payload = kind.payload else { return sealed.count >= Sodium.tagCount }
        return payload.secretCounts.contains(sealed.count - Sodium.tagCount)
            && details.count <= Self.sealingCount + payload.maximumDetailCount
    }

    // MARK: opening

    /// True if the seal verifies. The secret is not decrypted.
    func isSealed(_ context: SealContext) throws(VaultError) -> Bool {
        try context.keys.seal.lend { key throws(VaultError) in
            Sodium.isSealed(
                sealed, binding: associatedData(vaultID: context.vaultID), nonce: nonce, key: key)
        }
    }

    /// Opens the row of a private key, in a use of the caller. The public key is derived from the
    /// secret and compared with the name.
    /// - Throws: `unsupportedKind`, `notAKey`, `keyInToken`, `entryDamaged`, `memory`.
    func openKey(_ context: SealContext) throws(VaultError) -> PrivateKey {
        if case .tokenKey = kind { throw .input(.keyInToken) }
        return try PrivateKeyPayload(curve: kind.curve()).key(openSeal(context), named: name)
    }

    /// Opens the row, in a use of the caller. The secret is checked as its kind requires; for a
    /// kind of a later version, only the seal is verified.
    /// - Throws: `entryDamaged`, `memory`.
    func open(_ context: SealContext) throws(VaultError) -> SecureBytes {
        let secret = try openSeal(context)
        try secret.withBytes { secret throws(VaultError) in try kind.check(secret, of: description) }
        return secret
    }

    /// Opens the row in guarded memory that is used for many rows, in a use of the caller, and
    /// checks the secret as `open` does.
    /// - Parameter memory: has room for the secret of each row with possible counts.
    /// - Throws: `entryDamaged`, `memory`.
    func check(_ context: SealContext, in memory: inout ReusedBytes) throws(VaultError) {
        guard kind.payload != nil else {
            _ = try open(context)
            return
        }
        #if DEBUG
            Self.testOnlyOpening()
        #endif
        guard hasValidDetails else { throw .integrity(.entryDamaged(.seal)) }
        let associated = associatedData(vaultID: context.vaultID)
        let isOpen = try context.keys.seal.lend { key throws(VaultError) in
            try Sodium.open(sealed, binding: associated, nonce: nonce, key: key, into: &memory) {
                secret throws(VaultError) in
                try kind.check(secret, of: description)
                return true
            }
        }
        guard isOpen == true else { throw .integrity(.entryDamaged(.seal)) }
    }

    private func openSeal(_ context: SealContext) throws(VaultError) -> SecureBytes {
        #if DEBUG
            Self.testOnlyOpening()
        #endif
        guard hasValidDetails else { throw .integrity(.entryDamaged(.seal)) }
        let associated = associatedData(vaultID: context.vaultID)
        let secret = try context.keys.seal.lend { key throws(VaultError) in
            try Sodium.open(sealed, binding: associated, nonce: nonce, key: key)
        }
        guard let secret else { throw .integrity(.entryDamaged(.seal)) }
        return secret
    }

    #if DEBUG
        /// Called for each opened seal, so that a test can count them.
        @TaskLocal static var testOnlyOpening: @Sendable () -> Void = {}
    #endif

    /// Seals the same secret again, as the row is now or for another master key.
    /// - Parameters:
    ///   - label: a changed label; nil to keep it.
    ///   - details: changed details of the kind; nil to keep them.
    ///   - generation: the generation that the transaction makes.
    /// - Throws: `entryDamaged`, `memory`.
    func resealed(
        from old: SealContext, to new: SealContext, label: Label?? = nil, details: [UInt8]? = nil,
        generation: Int64
    ) throws(VaultError) -> EntryRow {
        try old.keys.custody.use { () throws(VaultError) in
            let secret = try open(old)
            var row = self
            if let label { row.label = label }
            if let details { row.details = Self.unsealed(details) }
            try secret.withBytes { span throws(VaultError) in
                try row.seal(span, new, generation: generation)
            }
            return row
        }
    }
}
