import Keys
import SecureMemory
import Seeds

/// A seed: the entropy of BIP-39 words, or a BIP-32 seed. The name is the public key at
/// `m/44'/194'/0'/0/0`, so a seed that opens is the one that the entry names.
struct SeedPayload: EntryPayload {
    let secretCounts = 16...64
    let maximumDetailCount = StoredSeed.detailCount

    func check(_ secret: RawSpan, of entry: EntryDescription) throws(VaultError) {
        guard let seed = entry.seed else { throw .integrity(.entryDamaged(.seal)) }
        let copy = try Sodium.guarded(copying: secret)
        do throws(SeedError) {
            let name = EntryName(seed: try seed.form.keys(copy).key(at: .eos(0)).publicKey)
            guard name == entry.name else { throw SeedError.checksum }
        } catch { throw VaultError(stored: error) }
    }

    func facts(of entry: EntryDescription) -> [EntryFact] {
        let seed = entry.seed
        let form = seed.map { $0.form == .words ? "words" : "master-secret" }
        return [
            EntryFact(field: "name", value: entry.name.text, title: "name"),
            EntryFact(
                field: "first_key", value: entry.name.firstKeyOfSeed?.text, title: "first key"),
            EntryFact(field: "form", value: form, title: nil),
            EntryFact(
                field: "next_path", value: seed?.nextPath?.text, title: "next path"),
        ]
    }
}

extension StoredSeed.Form {
    /// The keys of a secret of this form.
    package func keys(_ secret: borrowing SecureBytes) throws(SeedError) -> SeedKeys {
        switch self {
        case .words: try SeedKeys(seed: SeedPhrase(copying: secret).seed(passphrase: nil))
        case .masterSecret: try SeedKeys(seed: secret)
        }
    }
}
