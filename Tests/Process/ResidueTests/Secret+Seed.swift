import Codecs
import HTTPSigning
import Keys
import SecureMemory
import WordLists

@testable import Seeds

/// Seeds, their words and shares, and what is derived from them.
extension Secret {
    /// The paths whose nodes are searched for.
    static let paths = (0..<3).map { DerivationPath.eos($0) }

    /// The forms of the entropy of words: their text, and the values of HMAC that can replace it.
    static func phraseForms(_ entropy: [UInt8]) throws -> [Form] {
        let phrase = try SeedPhrase(entropy: SecureBytes(copyingPublic: entropy))
        return try wordForms(cells: phrase.withWords { $0.copied() }, .bip39)
            + macForms(phrase.words().copied(), .sha512)
    }

    /// The words of a wallet, and everything that is derived from them.
    static func seed(
        _ name: String, _ entropy: [UInt8], passphrase: String? = nil, _ paths: [DerivationPath] = paths
    ) throws -> [Secret] {
        try [.bytes(name, entropy, phraseForms(entropy))]
            + derived(from: bip39Seed(entropy, passphrase: passphrase), name, paths)
    }

    /// The 64 bytes of BIP-39.
    static func bip39Seed(_ entropy: [UInt8], passphrase: String? = nil) throws -> [UInt8] {
        let phrase = try SeedPhrase(entropy: SecureBytes(copyingPublic: entropy))
        guard let passphrase else { return try phrase.seed(passphrase: nil).copied() }
        return try phrase.seed(passphrase: SecureBytes(copyingPublic: passphrase.utf8)).copied()
    }

    /// A BIP-32 seed, and each private key and chain code on the way to some paths.
    static func derived(
        from seed: [UInt8], _ name: String, _ paths: [DerivationPath] = paths
    ) throws -> [Secret] {
        var secrets: [Secret] = [.bytes("BIP-32 seed of \(name)", seed)]
        for path in paths {
            var node = try Node.master(of: seed)
            secrets += try node.secrets("m of \(name)")
            for (index, level) in path.levels.enumerated() {
                let (child, hash) = try node.child(level)
                let place = DerivationPath(levels: Array(path.levels.prefix(index + 1))).text
                secrets.append(.bytes("hash at \(place) of \(name)", hash))
                secrets += try child.secrets("\(place) of \(name)")
                node = child
            }
        }
        return secrets
    }

    /// A private key with its chain code (BIP-32).
    private struct Node {
        let scalar, chainCode: [UInt8]

        init(_ bytes: [UInt8]) { (scalar, chainCode) = (Array(bytes.prefix(32)), Array(bytes.dropFirst(32))) }

        static func master(of seed: [UInt8]) throws -> Node {
            Node(try tag(seed, Array("Bitcoin seed".utf8)))
        }

        func child(_ level: UInt32) throws -> (node: Node, hash: [UInt8]) {
            let key = try PrivateKey(curve: .k1, scalar: SecureBytes(copyingPublic: scalar))
            let start = level >> 31 == 0 ? key.publicKey.body : [0] + scalar
            let hash = try Self.tag(start + level.littleEndianBytes.reversed(), chainCode)
            let sum = Secret.sum(Array(hash.prefix(32)), scalar)
            return (Node(sum + hash.dropFirst(32)), Array(hash.prefix(32)))
        }

        func secrets(_ name: String) throws -> [Secret] {
            try [
                .key("key \(name)", scalar),
                .bytes("chain code \(name)", chainCode, macForms(chainCode, .sha512)),
            ]
        }

        private static func tag(_ message: [UInt8], _ key: [UInt8]) throws -> [UInt8] {
            try HMAC.sha512.tag(
                of: SecureBytes(copyingPublic: message), key: SecureBytes(copyingPublic: key)
            ).copied()
        }
    }

    // MARK: shares

    /// The words of a share, its value, and its number in the set.
    static func share(_ text: String) throws -> (number: Int, secret: Secret) {
        let share = try Share(words: SecureBytes(copyingPublic: text.utf8))
        let words = text.split(separator: " ")
        let cells = words.flatMap { word in
            Array(word.utf8)
                + [UInt8](repeating: UInt8(ascii: " "), count: WordList.cellCount - word.utf8.count)
        }
        let number = share.parameters.memberIndex + 1
        let bits = try packed(share)
        // The first four words are the parameters, which are public.
        let forms =
            try wordForms(cells: cells, .slip39, known: 4) + [Form("packed words", bits, known: 5)]
        return (number, .bytes("share \(number)", share.value.copied(), forms))
    }

    private static func packed(_ share: borrowing Share) throws -> [UInt8] {
        try share.value.withBytes { value in
            try Share.numbers(share.parameters, value).withBits { bits in
                (0..<bits.byteCount).map { bits[byte: $0] }
            }
        }
    }

    /// The secret of a set after each round of its encryption. The last one is what the shares
    /// share.
    static func rounds(
        of secret: [UInt8], _ parameters: ShareParameters, passphrase: String
    ) throws -> [Secret] {
        let half = secret.count / 2
        var (left, right) = (Array(secret.prefix(half)), Array(secret.suffix(half)))
        var rounds: [Secret] = []
        for step in 0..<4 {
            let mask = try HMAC.sha256.derive(
                fromPassword: SecureBytes(copyingPublic: [UInt8(step)] + passphrase.utf8),
                salt: SecureBytes(copyingPublic: right),
                rounds: UInt32(ShareCipher.rounds(parameters.exponent) / 4), count: half
            ).copied()
            (left, right) = (right, zip(left, mask).map { $0 ^ $1 })
            rounds.append(.bytes("mask of round \(step)", mask))
            rounds.append(.bytes("half after round \(step)", right))
        }
        return rounds + [.bytes("encrypted secret", right + left)]
    }
}
