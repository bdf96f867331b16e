/// The 2,048 English words of BIP-39, in its order: the file bip-0039/english.txt of bitcoin/bips,
/// byte for byte. No word of a phrase is ever a `String`.
enum WordList {
    static let wordCount = 2_048
    /// Letters, a to z, so that a word fits in a `UInt64`.
    static let longestWord = 8

    /// The words, each followed by a line feed.
    static let text: [UInt8] = PackageResources.bip39_english_txt

    /// Calls `body` with every word: its letters from the lowest byte up, then zeros. The whole
    /// list is always read, so that no memory access discloses the searched word.
    static func forEach(_ body: (_ index: UInt64, _ letters: UInt64) -> Void) {
        var index: UInt64 = 0
        var letters: UInt64 = 0
        var shift: UInt64 = 0
        for byte in text {
            if byte == UInt8(ascii: "\n") {
                body(index, letters)
                (index, letters, shift) = (index + 1, 0, 0)
            } else {
                letters |= UInt64(byte) << shift
                shift += 8
            }
        }
    }
}
