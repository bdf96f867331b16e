import Curves
import KeyText
import SecureMemory

extension EntryRow {
    /// Seals the key's scalar into the row.
    mutating func seal(_ key: borrowing PrivateKey, vaultID: [UInt8], _ keys: VaultKeys) {
        let nonce = Sodium.randomBytes(Sodium.nonceCount)
        let associated = associatedData(vaultID: vaultID)
        sealed = key.withScalar { Sodium.seal($0, binding: associated, nonce: nonce, key: keys.seal) }
        self.nonce = nonce
    }

    /// Opens the row. The public key is derived from the secret and compared: a seal that opens is not yet the right key.
    /// - Throws: `unsupportedKind`, `entryDamaged`.
    func open(vaultID: [UInt8], _ keys: VaultKeys) throws(VaultError) -> PrivateKey {
        guard case .privateKey(let curve) = kind else { throw .unsupportedKind(kind.number) }
        let secret = try Sodium.open(sealed, binding: associatedData(vaultID: vaultID), nonce: nonce, key: keys.seal)
        guard let secret else { throw .entryDamaged(.seal) }
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
}
