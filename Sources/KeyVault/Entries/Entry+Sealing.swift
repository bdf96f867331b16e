import Codecs
import Curves
import KeyText
import SecureMemory

/// What the seals of a vault's entries are bound to, in addition to the entry itself.
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
    /// - Parameter generation: the generation that the transaction makes.
    mutating func seal(_ key: borrowing PrivateKey, _ context: SealContext, generation: Int64) {
        key.withScalar { scalar in seal(scalar, context, generation: generation) }
    }

    private mutating func seal(_ secret: RawSpan, _ context: SealContext, generation: Int64) {
        if case .privateKey = kind { setSealing(generation, version: context.version) }
        let nonce = Sodium.randomBytes(Sodium.nonceCount)
        let associated = associatedData(version: context.version, vaultID: context.vaultID)
        sealed = Sodium.seal(secret, binding: associated, nonce: nonce, key: context.keys.seal)
        self.nonce = nonce
    }

    /// The vault's generation in which the row was sealed last. Nil when the row does not contain
    /// it: before format version 3, and for other kinds. It is authentic only after the seal was
    /// verified.
    var sealing: Int64? {
        guard case .privateKey = kind, details.count == Self.sealingCount else { return nil }
        return Int64(bitPattern: details.reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// The length of an `i64`, little-endian.
    private static let sealingCount = 8

    private mutating func setSealing(_ generation: Int64, version: UInt32) {
        guard version >= VaultFormat.sealingVersion else {
            details = []
            return
        }
        var writer = ByteWriter()
        writer.write(integer: generation)
        details = writer.bytes
    }

    /// Whether the details have the length that this format version requires for a private key.
    func hasDetails(ofVersion version: UInt32) -> Bool {
        details.count == (version >= VaultFormat.sealingVersion ? Self.sealingCount : 0)
    }

    /// Whether the seal verifies. The secret is not decrypted.
    func isSealed(_ context: SealContext) -> Bool {
        Sodium.isSealed(
            sealed, binding: associatedData(version: context.version, vaultID: context.vaultID), nonce: nonce,
            key: context.keys.seal)
    }

    /// Opens the row. The public key is derived from the secret and compared with the name.
    /// A seal that opens does not prove that the key is the right one.
    /// - Throws: `unsupportedKind`, `entryDamaged`.
    func open(_ context: SealContext) throws(VaultError) -> PrivateKey {
        guard case .privateKey(let curve) = kind else { throw .input(.unsupportedKind(kind.number)) }
        // Format versions 1 and 2 wrote no details and ignored them.
        if context.version >= VaultFormat.sealingVersion {
            guard hasDetails(ofVersion: context.version) else { throw .integrity(.entryDamaged(.seal)) }
        }
        let secret = try openSeal(context)
        do {
            let key = try PrivateKey(curve: curve, scalar: secret)
            guard key.publicKey.text == name else { throw VaultError.integrity(.entryDamaged(.key)) }
            return key
        } catch CurveError.memory(let error) {
            throw .machine(.memory(error))
        } catch {
            throw .integrity(.entryDamaged(.key))
        }
    }

    /// The sealed secret, also for a kind that this version does not support.
    private func openSeal(_ context: SealContext) throws(VaultError) -> SecureBytes {
        let associated = associatedData(version: context.version, vaultID: context.vaultID)
        let secret = try Sodium.open(sealed, binding: associated, nonce: nonce, key: context.keys.seal)
        guard let secret else { throw .integrity(.entryDamaged(.seal)) }
        return secret
    }

    /// Opens the row and discards the secret. This also works for a kind that this version does not
    /// support, because only the seal is verified then.
    /// - Throws: `entryDamaged`, `memory`.
    func verify(_ context: SealContext) throws(VaultError) {
        if case .privateKey = kind { _ = try open(context) } else { _ = try openSeal(context) }
    }

    /// Seals the same secret for another format version, another master key, or with another label.
    /// - Throws: `entryDamaged`, `memory`.
    /// - Parameter generation: the generation that the transaction makes.
    func resealed(from old: SealContext, to new: SealContext, label: Label?, generation: Int64) throws(VaultError)
        -> EntryRow
    {
        if case .privateKey = kind { _ = try open(old) }
        let secret = try openSeal(old)
        var row = self
        row.label = label
        secret.withBytes { span in row.seal(span, new, generation: generation) }
        return row
    }
}
