import SecureMemory

/// The words of a wallet (BIP-39), from which the wallet derives its keys.
package enum Mnemonic {
    /// The lengths that BIP-39 defines are 12, 15, 18, 21 and 24 words. Other numbers from 9 to 33
    /// are recognised too: a word may be missing, and SLIP-39 has 20 or 33 words.
    private static let counts = 9...33

    /// The number of words in text that looks like a mnemonic: most of its words are in the English
    /// list of BIP-39. Checksum and spelling are not compared, so that a mistyped mnemonic is
    /// recognised. Nil for other text.
    ///
    /// The time depends on the words. Use it only for text that is not a key.
    package static func wordCount(in text: RawSpan) -> Int? {
        guard text.byteCount <= TypedWords.maximumTextCount else { return nil }
        defer { wipeScratch() }
        var known = 0
        let count = TypedWords.forEach(in: text) { _, letters in
            if letters.flatMap(WordList.bip39.number(of:)) != nil { known += 1 }
        }
        return counts.contains(count) && known * 2 > count ? count : nil
    }
}
