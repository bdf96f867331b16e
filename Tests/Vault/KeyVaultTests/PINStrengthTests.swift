import Testing

@testable import KeyVault

struct PINStrengthTests {
    /// Computed with integers of arbitrary size: 10^6, 26^8, 36^8, 62^10, 95^12, 59^8, 7776^5,
    /// 7776^2, 59^15, 59^11, 43^7, 59^6.
    private static let counted: [(String, PINStrength.Alphabet, words: Int?, count: Double)] = [
        ("000000", .digits, nil, 1_000_000),
        ("password", .lowerCase, nil, 208_827_064_576),
        ("passw0rd", [.lowerCase, .digits], nil, 2_821_109_907_456),
        ("Passw0rdXY", [.lowerCase, .upperCase, .digits], nil, 839_299_365_868_340_224),
        ("Passw0rd XY!", [.lowerCase, .upperCase, .digits, .signs], nil, 5.403_600_876_626_367e23),
        ("correct!", [.lowerCase, .signs], nil, 146_830_437_604_321),
        ("a passphrase of several words", [.lowerCase, .signs], 5, 28_430_288_029_929_701_376),
        ("Correct-Horse", [.lowerCase, .upperCase, .signs], 2, 60_466_176),
        // One-letter words: the count of letters is lower than the count of words.
        ("a b c d e f g h", [.lowerCase, .signs], 8, 3.654_097_865_606_169_7e26),
        // Not words: two spaces in a row, a digit, a space at the end.
        ("corr  horse", [.lowerCase, .signs], nil, 3.015_588_844_473_784_3e19),
        ("12 3-4!", [.digits, .signs], nil, 271_818_611_107),
        ("horse ", [.lowerCase, .signs], nil, 42_180_533_641),
    ]

    @Test(arguments: counted)
    func counts(pin: String, alphabet: PINStrength.Alphabet, words: Int?, count: Double) throws {
        let strength = try VaultFixture.pin(pin).strength
        #expect(strength.alphabet == alphabet)
        #expect(strength.length == pin.utf8.count)
        #expect(strength.words == words)
        #expect(abs(strength.count / count - 1) < 1e-12, "\(strength.count)")
    }

    @Test func secondsToTryAllPINs() throws {
        let strength = try VaultFixture.pin("000000").strength
        #expect(strength.seconds(perGuess: 0.5, cores: 1) == 500_000)
        #expect(strength.seconds(perGuess: 0.5, cores: 1_000) == 500)
    }

    /// 100 years are 3,155,760,000 seconds. At one second a guess, a thousand cores make
    /// 3,155,760,000,000 guesses in that time.
    @Test(arguments: [
        ("000000", true), ("passw0rd", true), ("passw0rdX", false), ("two words", true),
        ("a passphrase of several words", false),
    ])
    func isWeakBelowAHundredYearsOnAThousandCores(pin: String, weak: Bool) throws {
        let isWeak = try VaultFixture.pin(pin).strength.isWeak(secondsPerGuess: 1)
        #expect(isWeak == weak)
    }

    @Test func theLongestPINDoesNotOverflow() throws {
        let strength = try VaultFixture.pin(String(repeating: "~", count: 1_024)).strength
        #expect(strength.count == .infinity)
        #expect(!strength.isWeak(secondsPerGuess: 1e-9))
    }
}
