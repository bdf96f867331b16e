import Codecs
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
    /// - Parameter generation: the one that the transaction makes.
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

    /// The vault's generation with which the row was sealed last; nil where the row does not have
    /// it: before version 3, and of another kind. True only once the seal was verified.
    var sealing: Int64? {
        guard case .privateKey = kind, details.count == Self.sealingCount else { return nil }
        return Int64(bitPattern: details.reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// `i64`, little-endian.
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

    /// Whether the details are those of a private key in this version.
    func hasDetails(ofVersion version: UInt32) -> Bool {
        details.count == (version >= VaultFormat.sealingVersion ? Self.sealingCount : 0)
    }

    /// Whether the seal is whole; the secret is not opened.
    func isSealed(_ context: SealContext) -> Bool {
        Sodium.isSealed(
            sealed, binding: associatedData(version: context.version, vaultID: context.vaultID), nonce: nonce,
            key: context.keys.seal)
    }

    /// Opens the row. The public key is derived from the secret and compared: a seal that opens is
    /// not yet the right key.
    /// - Throws: `unsupportedKind`, `entryDamaged`.
    func open(_ context: SealContext) throws(VaultError) -> PrivateKey {
        guard case .privateKey(let curve) = kind else { throw .unsupportedKind(kind.number) }
        // Version 1 and 2 wrote none and ignored them.
        if context.version >= VaultFormat.sealingVersion {
            guard hasDetails(ofVersion: context.version) else { throw .entryDamaged(.seal) }
        }
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

    /// Opens the row and lets go of what was in it: also one of a kind that this version does not
    /// know, whose seal can be looked at all the same.
    /// - Throws: `entryDamaged`, `memory`.
    func verify(_ context: SealContext) throws(VaultError) {
        if case .privateKey = kind { _ = try open(context) } else { _ = try openSeal(context) }
    }

    /// The same secret, sealed for another version, another master key, or with another label.
    /// - Throws: `entryDamaged`, `memory`.
    /// - Parameter generation: the one that the transaction makes.
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
