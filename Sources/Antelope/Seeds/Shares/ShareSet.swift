import SecureMemory
import WordLists

/// The shares of a secret (SLIP-0039), in one group: any `threshold` of them give the secret, and
/// fewer give nothing.
package struct ShareSet: ~Copyable {
    /// The bytes of a word as it is lent: 8 letters and a space.
    package static let cellCount = WordList.cellCount

    /// The number of shares.
    package let count: Int
    /// The number of shares that give the secret.
    package let threshold: Int
    private let parameters: ShareParameters
    private let values: SharedValues

    private init(count: Int, _ parameters: ShareParameters, _ values: consuming SharedValues) {
        self.count = count
        self.parameters = parameters
        threshold = parameters.memberThreshold
        self.values = values
    }

    /// The number of words of each share.
    package var wordCount: Int { Share.wordCount(value: values.rowCount) }

    /// The number in the first two words of each share of the set, and of no other set.
    package var identifier: UInt16 { parameters.identifier }

    /// Splits a secret, with new random shares.
    /// - Parameters:
    ///   - secret: 16 to 64 bytes, an even number.
    ///   - members: the number of shares: 1, or 2 to 16.
    ///   - threshold: the shares that give the secret: 1 of 1, or 2 or more.
    ///   - passphrase: encrypts the secret; nil is the same as an empty one.
    ///   - exponent: 0 to 5; a derivation takes 10,000 * 2^exponent rounds.
    ///   - extendable: true for a set whose secret does not depend on its identifier.
    /// - Throws: `share(.secretCount)`, `share(.members)`, `share(.exponent)`,
    ///   `passphraseNotASCII`, `passphraseTooLong`, `memory`.
    package static func split(
        _ secret: borrowing SecureBytes, of members: Int, threshold: Int,
        passphrase: borrowing SecureBytes? = nil, exponent: Int = 1, extendable: Bool = true
    ) throws(SeedError) -> ShareSet {
        SeedLibraries.start()
        guard Share.valueCounts.contains(secret.count), secret.count.isMultiple(of: 2) else {
            throw .share(.secretCount(secret.count))
        }
        // With a threshold of 1, each of several shares would be the secret (SLIP-0039, "Design
        // rationale").
        let thresholds = members == 1 ? 1...1 : 2...max(members, 2)
        guard (1...ShareParameters.maximumShares).contains(members), thresholds.contains(threshold) else {
            throw .share(.members(members, threshold: threshold))
        }
        guard (0...ShareCipher.maximumExponent).contains(exponent) else {
            throw .share(.exponent(exponent, limit: ShareCipher.maximumExponent))
        }
        let parameters = ShareParameters(
            identifier: .random(in: 0...0x7fff), isExtendable: extendable, exponent: exponent,
            memberThreshold: threshold)
        let encrypted = try ShareCipher.encrypt(secret, passphrase: passphrase, parameters)
        return ShareSet(
            count: members, parameters,
            try SharedValues.shares(of: encrypted, threshold: threshold, count: members))
    }

    // MARK: words

    /// Lends the words of a share, each padded with spaces to 8 letters and a space. So the
    /// position of a word does not disclose the length of the word before it.
    /// - Parameter number: of the share, from 1.
    /// - Throws: `memory`, and the errors of `body`.
    package borrowing func withWords<Result: ~Copyable>(
        ofShare number: Int, _ body: (borrowing SecureBytes) throws -> Result
    ) throws -> Result {
        let text: SecureBytes
        do { text = try numbers(number).text() } catch let error as SecureMemoryError {
            throw SeedError.memory(error)
        }
        wipeScratch()
        return try body(text)
    }

    /// True if the word at `position`, from 1, of a share is the typed text. Spaces around the text
    /// and upper case are ignored, and the first four letters of the word are enough.
    /// - Throws: `memory`.
    package borrowing func isWord(
        _ position: Int, ofShare number: Int, equalTo text: borrowing SecureBytes
    ) throws(SeedError) -> Bool {
        precondition((1...wordCount).contains(position))
        defer { wipeScratch() }
        guard text.count <= TypedWords.maximumTextCount else { return false }
        let numbers = try numbers(number)
        do { return try numbers.isWord(position - 1, text) } catch { throw .memory(error) }
    }

    /// The words of a share, joined by one space.
    package borrowing func text(ofShare number: Int) throws(SeedError) -> SecureBytes {
        defer { wipeScratch() }
        let numbers = try numbers(number)
        do { return try numbers.joined() } catch { throw .memory(error) }
    }

    private borrowing func numbers(_ number: Int) throws(SeedError) -> WordNumbers {
        precondition((1...count).contains(number))
        var parameters = parameters
        parameters.memberIndex = number - 1
        let value = try values.row(number - 1)
        return try value.withBytes { value throws(SeedError) in try Share.numbers(parameters, value) }
    }
}
