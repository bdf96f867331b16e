import Codecs
import SecureMemory
import WordLists

/// The words of a wallet (BIP-39), from which all of its keys are derived: 12, 15, 18, 21 or 24
/// words of the English list, with a checksum.
///
/// A vault's recovery phrase has the same words, and a checksum that is never the one of a wallet.
package struct SeedPhrase: ~Copyable {
    package static let wordCounts = [12, 15, 18, 21, 24]
    /// The longest accepted text, in bytes.
    package static let maximumTextCount = TypedWords.maximumTextCount
    /// The bytes of a word as it is lent: 8 letters and a space.
    package static let cellCount = WordList.cellCount

    /// The entropy, and in the last bits the checksum.
    private let numbers: WordNumbers

    package var wordCount: Int { numbers.count }

    // MARK: from words

    /// Reads words that are separated by spaces, tabs or line endings, in upper or lower case of
    /// ASCII, each complete.
    /// - Throws: `wordCount`, `unknownWord`, `checksum`, `recoveryPhrase`, `memory`.
    package init(words text: borrowing SecureBytes) throws(SeedError) {
        SeedLibraries.start()
        defer { wipeScratch() }
        let count = try Self.forEachWord(in: text) { _, _ in }
        guard Self.wordCounts.contains(count) else { throw .wordCount(count) }
        var numbers = try Self.noNumbers(count)
        var unknown: Int?
        try Self.forEachWord(in: text) { index, letters in
            if let number = letters.flatMap(WordList.bip39.number(of:)) {
                numbers[index] = number
            } else if unknown == nil {
                unknown = index + 1
            }
        }
        if let unknown { throw .unknownWord(position: unknown) }
        try self.init(checking: numbers)
    }

    /// The phrase of typed words of `WordList.bip39`.
    /// - Throws: `wordCount`, `checksum`, `recoveryPhrase`, `memory`.
    package init(typed: borrowing TypedPhrase) throws(SeedError) {
        SeedLibraries.start()
        defer { wipeScratch() }
        precondition(typed.numbers.list.bitCount == WordList.bip39.bitCount)
        let count = typed.takenCount
        guard Self.wordCounts.contains(count), typed.wordCount == count else { throw .wordCount(count) }
        var numbers = try Self.noNumbers(count)
        typed.numbers.withBits { typed in numbers.withMutableBits { $0.copy(typed, to: 0) } }
        try self.init(checking: numbers)
    }

    private init(checking numbers: consuming WordNumbers) throws(SeedError) {
        let expected = try Self.checksum(of: numbers)
        let entropyCount = Self.entropyCount(words: numbers.count)
        let checksum = numbers.withBits { $0[byte: entropyCount] }
        // Discloses whether the words are a seed, or a recovery phrase.
        let difference = disclosed(checksum ^ expected)
        guard difference == 0 else {
            // The version of a recovery phrase is 1 (KeyVault, VaultFormat.md, "Slots").
            throw numbers.count == 24 && difference == 1 ? .recoveryPhrase : .checksum
        }
        self.numbers = numbers
    }

    // MARK: new phrases

    /// The phrase of 16, 20, 24, 28 or 32 bytes.
    /// - Throws: `entropyCount`, `memory`.
    package init(entropy: consuming SecureBytes) throws(SeedError) {
        SeedLibraries.start()
        defer { wipeScratch() }
        let wordCount = entropy.count * 3 / 4
        guard entropy.count.isMultiple(of: 4), Self.wordCounts.contains(wordCount) else {
            throw .entropyCount(entropy.count)
        }
        var numbers = try Self.noNumbers(wordCount)
        let entropyCount = entropy.count
        entropy.withBytes { entropy in numbers.withMutableBits { $0.copy(entropy, to: 0) } }
        let checksum = try Self.checksum(of: numbers)
        numbers.withMutableBits { $0[byte: entropyCount] = checksum }
        self.numbers = numbers
    }

    /// The phrase of a copy of the entropy.
    /// - Throws: the errors of `init(entropy:)`.
    package init(copying entropy: borrowing SecureBytes) throws(SeedError) {
        var bytes = try guarded(entropy.count)
        bytes.copy(entropy, to: 0)
        try self.init(entropy: bytes)
    }

    /// A new phrase of 24 words, from the system's random number generator.
    package static func random() throws(SeedError) -> SeedPhrase {
        SeedLibraries.start()
        return try SeedPhrase(entropy: randomBytes(32))
    }

    /// A new phrase of 24 words, from the system's random number generator and dice.
    ///
    /// The entropy is HMAC-SHA256(key, rolls): the key is 32 bytes from the system, and the message
    /// is the rolls as ASCII digits, in their order. So the phrase is as hard to guess as the bytes
    /// of the system if somebody saw the rolls. It is as hard to guess as the rolls if the system's
    /// generator is broken: 50 rolls have 129 bits. The rolls alone do not give the phrase.
    /// - Throws: `tooFewRolls`, `memory`.
    package static func random(mixing rolls: borrowing DiceRolls) throws(SeedError) -> SeedPhrase {
        SeedLibraries.start()
        return try SeedPhrase(entropy: rolls.mixed(with: randomBytes(32)))
    }

    // MARK: bits

    /// The bytes of entropy: 32 bits for each 3 words.
    private static func entropyCount(words: Int) -> Int { words / 3 * 4 }

    /// The byte after the entropy: the first bits of its SHA-256, one for each 3 words, then zeros.
    private static func checksum(of numbers: borrowing WordNumbers) throws(SeedError) -> UInt8 {
        var digest = try guarded(HashFunction.sha256.size)
        let (wordCount, count) = (numbers.count, entropyCount(words: numbers.count))
        let first = numbers.withBits { bits in
            digest.withMutableBytes { digest in
                HashFunction.sha256.hash(bits.extracting(0..<count), into: &digest)
                return digest[byte: 0]
            }
        }
        return first & ~(0xff >> UInt8(wordCount / 3))
    }

    private static func noNumbers(_ count: Int) throws(SeedError) -> WordNumbers {
        do { return try WordNumbers(list: .bip39, count: count) } catch { throw .memory(error) }
    }

    @discardableResult
    private static func forEachWord(
        in text: borrowing SecureBytes, _ body: (_ index: Int, _ letters: UInt64?) -> Void
    ) throws(SeedError) -> Int {
        do { return try TypedWords.forEach(in: text, body) } catch { throw .memory(error) }
    }

    /// The bits of the phrase without its checksum: 4 bytes for each 3 words.
    package borrowing func entropy() throws(SeedError) -> SecureBytes {
        defer { wipeScratch() }
        return try converting(
            SeedError.outOfMemory, numbers.bits(Self.entropyCount(words: numbers.count)))
    }

    // MARK: into words

    /// Lends the words, each padded with spaces to 8 letters and a space. So the position of a word
    /// does not disclose the length of the word before it.
    /// - Throws: `memory`, and the errors of `body`.
    package borrowing func withWords<Result: ~Copyable>(
        _ body: (borrowing SecureBytes) throws -> Result
    ) throws -> Result {
        let text: SecureBytes
        do { text = try numbers.text() } catch { throw SeedError.memory(error) }
        wipeScratch()
        return try body(text)
    }

    /// True if the word at `position`, from 1, is the typed text. Spaces around the text and upper
    /// case are ignored, and the first four letters of the word are enough.
    /// - Throws: `memory`.
    package borrowing func isWord(_ position: Int, equalTo text: borrowing SecureBytes) throws(SeedError)
        -> Bool
    {
        precondition((1...wordCount).contains(position))
        defer { wipeScratch() }
        guard text.count <= Self.maximumTextCount else { return false }
        do { return try numbers.isWord(position - 1, text) } catch { throw .memory(error) }
    }

    /// The words, joined by one space.
    package borrowing func words() throws(SeedError) -> SecureBytes {
        defer { wipeScratch() }
        do { return try numbers.joined() } catch { throw .memory(error) }
    }

    // MARK: the seed

    private static let saltStart: StaticString = "mnemonic"
    private static let rounds: UInt32 = 2_048

    /// The seed of 64 bytes: PBKDF2-HMAC-SHA512 of the words, with a salt of `mnemonic` and the
    /// passphrase, in 2,048 rounds (BIP-39, "From mnemonic to seed").
    /// - Parameter passphrase: nil is the same as an empty one.
    /// - Throws: `passphraseNotASCII`, `passphraseTooLong`, `memory`.
    package borrowing func seed(passphrase: borrowing SecureBytes?) throws(SeedError) -> SecureBytes {
        let start = Self.saltStart.description.utf8
        var salt: SecureBytes
        switch passphrase {
        case .some(let passphrase):
            try SeedPassphrase.check(passphrase)
            salt = try guarded(start.count + passphrase.count)
            salt.copy(passphrase, to: start.count)
        case .none: salt = try guarded(start.count)
        }
        salt.withMutableBytes { salt in
            for (index, byte) in start.enumerated() { salt[byte: index] = byte }
        }
        let text = try words()
        return try converting(
            SeedError.outOfMemory,
            HMAC.sha512.derive(fromPassword: text, salt: salt, rounds: Self.rounds, count: 64))
    }
}
