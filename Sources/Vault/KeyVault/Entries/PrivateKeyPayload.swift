import Codecs
import Keys
import SecureMemory
import Seeds

/// A private key of an EOS account: the scalar, big-endian. The name is the public key.
struct PrivateKeyPayload: EntryPayload {
    private static let scalarCount = 32

    let curve: Curve

    let secretCounts = scalarCount...scalarCount
    let maximumDetailCount = SeedOrigin.maximumDetailCount

    /// The private key of an opened secret. Its public key is derived and compared with the name.
    /// - Throws: `entryDamaged(.key)`, `memory`.
    func key(_ secret: consuming SecureBytes, named name: EntryName) throws(VaultError) -> PrivateKey {
        do {
            let key = try PrivateKey(curve: curve, scalar: secret)
            guard EntryName(key.publicKey) == name else { throw VaultError.integrity(.entryDamaged(.key)) }
            return key
        } catch CurveError.memory(let error) {
            throw .machine(.memory(error))
        } catch {
            throw .integrity(.entryDamaged(.key))
        }
    }

    func check(_ secret: RawSpan, of entry: EntryDescription) throws(VaultError) {
        let key: PublicKey
        do { key = try PrivateKey.publicKey(of: secret, on: curve) } catch {
            throw .integrity(.entryDamaged(.key))
        }
        guard EntryName(key) == entry.name else { throw .integrity(.entryDamaged(.key)) }
    }

    func facts(of entry: EntryDescription) -> [EntryFact] {
        let named = EntryFact(field: "public_key", value: entry.name.text, title: nil)
        guard let key = entry.name.publicKey else { return [named] }
        let origin = entry.origin
        var writer = ByteWriter()
        key.write(to: &writer)
        return [
            named,
            EntryFact(field: "legacy", value: key.legacyText, title: "public key"),
            EntryFact(
                field: "canonical", value: key.canonicalText, title: key.legacyText == nil ? "public key" : ""
            ),
            EntryFact(field: "binary", value: Hex.encode(writer.bytes), title: nil),
            EntryFact(field: "seed", value: origin?.seed.text, title: "seed"),
            EntryFact(field: "path", value: origin?.path.text, title: "path"),
        ]
    }
}
