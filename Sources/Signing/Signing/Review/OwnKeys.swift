import Keys

/// The keys of the vault that a review is made for.
package struct OwnKeys: Sendable {
    package let keys: [KeyDescription]
    private let texts: Set<String>

    package init(_ keys: [KeyDescription]) {
        self.keys = keys
        texts = Set(keys.flatMap { [$0.publicKey.text, $0.publicKey.canonicalText] })
    }

    /// The key of this vault that a text is; nil for none.
    package func key(_ text: String) -> KeyDescription? {
        guard contains(text) else { return nil }
        return keys.first { $0.publicKey.text == text || $0.publicKey.canonicalText == text }
    }

    package func contains(_ text: String) -> Bool { texts.contains(text) }
    package func contains(_ key: PublicKey) -> Bool { texts.contains(key.text) }

    /// How many characters at each end of a key people compare, at least. Finding a key whose text
    /// has the same characters takes a laptop some hours.
    private static let comparedCount = 3

    /// The key of this vault that another key looks like: the same characters at the beginning and
    /// at the end, but another key.
    package func imitated(by text: String) -> KeyDescription? {
        guard !contains(text) else { return nil }
        let ends = Self.ends(of: text)
        return keys.first { Self.ends(of: $0.publicKey.text) == ends }
    }

    /// The characters that are compared, after the prefix (`EOS`, `PUB_K1_`, …). The first of them
    /// has few values, so it is not counted.
    private static func ends(of text: String) -> [Substring] {
        let body = text.lastIndex(of: "_").map { text[text.index(after: $0)...] } ?? text.dropFirst(3)
        return [body.prefix(comparedCount + 1), body.suffix(comparedCount)]
    }
}

extension Review {
    /// True if the review says which keys are the vault's own.
    package var comparesKeys: Bool {
        !signers.isEmpty || allActions.contains { !$0.authorityChanges.isEmpty }
    }

    /// The vault's own keys among the signers and in the authorities.
    func ownKeys(_ own: OwnKeys) -> [KeyDescription] {
        var texts = Set(signers.compactMap { $0.key?.text })
        for action in allActions {
            for change in action.authorityChanges { texts.formUnion(change.authority.keys.map(\.text)) }
        }
        return own.keys.filter {
            texts.contains($0.publicKey.text) || texts.contains($0.publicKey.canonicalText)
        }
    }

    /// The dangers of the review, each once, in the order of the actions.
    package func dangers(own: OwnKeys?) -> [Danger] {
        // No danger depends on the time.
        var seen: Set<Danger> = []
        return warnings(now: 0, own: own).compactMap(Danger.init).filter { seen.insert($0).inserted }
    }
}
