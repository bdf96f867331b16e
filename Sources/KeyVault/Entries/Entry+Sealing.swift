import Curves
import KeyText
import SecureMemory

/// What the seals of a vault's entries are bound to beside the entry itself.
struct SealContext {
    /// The format version of the vault.
    let version: UInt32
    let vaultID: [UInt8]
    let keys: VaultKeys

    init(_ manifest: Manifest, _ keys: VaultKeys) {
        version = manifest.version
        vaultID = manifest.vaultID
        self.keys = keys
    }

    init(version: UInt32, vaultID: [UInt8], _ keys: VaultKeys) {
        self.version = version
        self.vaultID = vaultID
        self.keys = keys
    }
}

extension EntryRow {
    /// Seals the key's scalar into the row.
    mutating func seal(_ key: borrowing PrivateKey, _ context: SealContext) {
        key.withScalar { scalar in seal(scalar, context) }
    }

    private mutating func seal(_ secret: RawSpan, _ context: SealContext) {
        let nonce = Sodium.randomBytes(Sodium.nonceCount)
        let associated = associatedData(version: context.version, vaultID: context.vaultID)
        sealed = Sodium.seal(secret, binding: associated, nonce: nonce, key: context.keys.seal)
        self.nonce = nonce
    }

    /// Opens the row. The public key is derived from the secret and compared: a seal that opens is not yet the right key.
    /// - Throws: `unsupportedKind`, `entryDamaged`.
    func open(_ context: SealContext) throws(VaultError) -> PrivateKey {
        guard case .privateKey(let curve) = kind else { throw .unsupportedKind(kind.number) }
        let secret = try openSeal(context)
        do {
            let key = try PrivateKey(curve: curve, scalar: secret)
            guard key.publicKey.text == name else { throw VaultError.entryDamaged(.key) }
            return key
        } catch CurveError.memory(let error) {
            throw .memory(error)
        } catch {
            throw .entryDamaged(.key)
        }
    }

    /// What the row seals, whatever it is: also of a kind that this version does not know.
    private func openSeal(_ context: SealContext) throws(VaultError) -> SecureBytes {
        let associated = associatedData(version: context.version, vaultID: context.vaultID)
        let secret = try Sodium.open(sealed, binding: associated, nonce: nonce, key: context.keys.seal)
        guard let secret else { throw .entryDamaged(.seal) }
        return secret
    }

    /// Opens the row and lets go of what was in it: also one of a kind that this version does not know, whose seal can be looked at all the same.
    /// - Throws: `entryDamaged`, `memory`.
    func verify(_ context: SealContext) throws(VaultError) {
        if case .privateKey = kind { _ = try open(context) } else { _ = try openSeal(context) }
    }

    /// The same secret, sealed for another version, another master key, or with another label.
    /// - Throws: `entryDamaged`, `memory`.
    func resealed(from old: SealContext, to new: SealContext, label: Label?) throws(VaultError) -> EntryRow {
        if case .privateKey = kind { _ = try open(old) }
        let secret = try openSeal(old)
        var row = self
        row.label = label
        secret.withBytes { span in row.seal(span, new) }
        return row
    }
}
