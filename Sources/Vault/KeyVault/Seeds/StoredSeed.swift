import Codecs
import Keys
import SecureMemory
import Seeds

/// The public part of an entry of the kind `seed`, from which keys are derived (VaultFormat.md,
/// "Seeds").
package struct StoredSeed: Hashable, Sendable {
    /// What the sealed secret is.
    package enum Form: UInt8, Sendable {
        /// The entropy of BIP-39 words: 16 to 32 bytes. The words are on paper, without a
        /// passphrase.
        case words = 0
        /// A BIP-32 seed of 16 to 64 bytes, which SLIP-39 shares of another wallet contain. It has
        /// no words.
        case masterSecret = 1
    }

    package let form: Form
    /// True if the user confirmed the words or the shares on paper, or typed them from there.
    package let isOnPaper: Bool
    /// The index of the next key, at `m/44'/194'/0'/0/next`. This vault did not use it before,
    /// unless it was restored from an older backup.
    package internal(set) var next: UInt32

    /// A seed that was used in another wallet has keys that are in no vault.
    package init(form: Form, isOnPaper: Bool = true, next: UInt32 = 0) {
        (self.form, self.isOnPaper, self.next) = (form, isOnPaper, next)
    }

    func with(next: UInt32) -> StoredSeed { StoredSeed(form: form, isOnPaper: isOnPaper, next: next) }

    /// Indices are not hardened, so the last one is 2³¹ - 1.
    static let indexLimit: UInt32 = 1 << 31

    /// The path of the next key; nil if all indices are used.
    package var nextPath: DerivationPath? { next < Self.indexLimit ? .eos(next) : nil }

    // MARK: bytes

    static let detailCount = 5
    /// The bit of the first byte for a seed whose words came from a file.
    private static let noPaper: UInt8 = 0x80

    package var details: [UInt8] { [form.rawValue | (isOnPaper ? 0 : Self.noPaper)] + next.littleEndianBytes }

    /// - Returns: nil for bytes that no writer produces.
    package init?(details: [UInt8]) {
        guard details.count == Self.detailCount, let form = Form(rawValue: details[0] & ~Self.noPaper)
        else { return nil }
        let next = details.dropFirst().reversed().reduce(0) { $0 << 8 | UInt32($1) }
        guard next <= Self.indexLimit else { return nil }
        self.init(form: form, isOnPaper: details[0] & Self.noPaper == 0, next: next)
    }
}

/// The seed of a vault that a private key was derived from, and the path: public details of the
/// key. The words of the seed on paper restore the key.
package struct SeedOrigin: Hashable, Sendable {
    /// The name of the seed. Its entry can be removed from the vault.
    package let seed: EntryName
    package let path: DerivationPath
    /// True if the words or the shares of the seed were on paper when the key was derived.
    package let isOnPaper: Bool

    // MARK: bytes

    private static let keyCount = 33
    static let maximumDetailCount = keyCount + 4 * DerivationPath.maximumLevelCount + 1

    /// The compressed public key in the name of the seed, then a `u32` for each level of the path;
    /// then a zero byte if the words were not on paper.
    package var details: [UInt8] {
        (seed.firstKeyOfSeed?.body ?? []) + path.levels.flatMap(\.littleEndianBytes) + (isOnPaper ? [] : [0])
    }

    /// - Returns: nil for bytes that no writer produces.
    package init?(details: [UInt8]) {
        isOnPaper = details.count % 4 == Self.keyCount % 4
        let end = isOnPaper ? details.count : details.count - 1
        guard end > Self.keyCount, end % 4 == Self.keyCount % 4, isOnPaper || details.last == 0,
            let first = try? PublicKey(kind: .k1, body: Array(details.prefix(Self.keyCount)))
        else { return nil }
        let levels = stride(from: Self.keyCount, to: end, by: 4).map { start in
            details[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        guard levels.count <= DerivationPath.maximumLevelCount else { return nil }
        (seed, path) = (EntryName(seed: first), DerivationPath(levels: levels))
    }

    package init(seed: EntryName, path: DerivationPath, isOnPaper: Bool = true) {
        (self.seed, self.path, self.isOnPaper) = (seed, path, isOnPaper)
    }
}

extension EntryDescription {
    /// Nil for an entry of another kind.
    package var seed: StoredSeed? { kind == .seed ? StoredSeed(details: details) : nil }

    /// The seed that a private key was derived from; nil for a key that is from no seed.
    package var origin: SeedOrigin? {
        if case .privateKey(.k1) = kind { SeedOrigin(details: details) } else { nil }
    }

    /// True if words on paper restore it: the user confirmed those of the seed, or typed them.
    package var isOnPaper: Bool { seed?.isOnPaper ?? origin?.isOnPaper ?? false }

    /// - Throws: `notASeed`; `entryDamaged` for details that no writer produces.
    package func expectSeed() throws(VaultError) -> StoredSeed {
        guard kind == .seed else { throw .input(.notASeed) }
        guard let seed else { throw .integrity(.entryDamaged(.seal)) }
        return seed
    }
}

extension EntryName {
    private static let seedStart = "seed:"

    /// The name of a seed: its public key at `m/44'/194'/0'/0/0`. So one seed is one entry.
    init(seed firstKey: PublicKey) {
        self = EntryName(Self.seedStart + EntryName(firstKey).text) ?? EntryName(firstKey)
    }

    /// The public key in the name of a seed; nil for any other name.
    package var firstKeyOfSeed: PublicKey? {
        guard text.hasPrefix(Self.seedStart) else { return nil }
        return EntryName(String(text.dropFirst(Self.seedStart.count)))?.publicKey
    }
}
