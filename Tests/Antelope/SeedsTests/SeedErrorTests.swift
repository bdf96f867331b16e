import Messages
import SecureMemory
import Testing

@testable import Seeds

struct SeedErrorTests {
    private static let status = ShareStatus(
        groupsNeeded: 2, groupCount: 3,
        groups: [.init(number: 1, needed: 2, have: 2), .init(number: 3, needed: 3, have: 1)])

    /// Each code, and texts with values.
    private static let words: [(error: SeedError, code: ErrorCode, message: String)] = [
        (.wordCount(1), .invalidSeed, "1 word instead of 12, 15, 18, 21 or 24"),
        (.unknownWord(position: 3), .invalidSeed, "word 3 is not in the list of BIP-39"),
        (
            .recoveryPhrase, .invalidSeed,
            "a word is wrong, or these words are the recovery phrase of a vault, not a seed"
        ),
        (.tooFewRolls(49, needed: 50), .invalidSeed, "49 rolls of a die; at least 50 are needed"),
        (.notARoll(offset: 0), .invalidSeed, "character 1 is not a roll of a die"),
        (
            .passphraseNotASCII(offset: 2), .invalidPassphrase,
            "byte 3 of the passphrase is not printable ASCII"
        ),
        (
            .passphraseTooLong(limit: 1_024), .invalidPassphrase,
            "the passphrase has more than 1024 bytes"
        ),
        (.path(.noRoot), .derivationPath, "the path does not begin with m"),
        (.path(.letterMark(level: 2)), .derivationPath, "level 2 of the path ends with a letter"),
        (.noKey(.eos(7)), .derivationPath, "m/44'/194'/0'/0/7 has no key"),
        (.share(.unknownWord(position: 20)), .invalidShare, "word 20 is not in the list of SLIP-39"),
        (
            .share(.exponent(6, limit: 5)), .invalidShare,
            "iteration exponent 6: the secret would need 640000 rounds of HMAC"
        ),
        (
            .share(.foreign(.identifier)), .invalidShare,
            "the share belongs to another set: its identifier differs (words 1 and 2)"
        ),
        (
            .share(.tooFew(status)), .invalidShare,
            "too few shares: 1 of 3 shares of group 3, 1 of 2 groups complete"
        ),
        (.share(.members(1, threshold: 2)), .invalidShare, "2 of 1 share is not possible"),
        (.memory(.tooLong(limit: 1_024)), .tooLarge, "more than 1024 bytes"),
    ]

    @Test(arguments: words.indices)
    func message(_ index: Int) {
        let (error, code, message) = Self.words[index]
        #expect(error.words.code == code)
        #expect(error.words.message == message)
        #expect(!error.words.hint.isEmpty && error.words.hint.last != ".")
    }
}
