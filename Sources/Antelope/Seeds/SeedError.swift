import Keys
import SecureMemory

/// Why words, dice rolls, a passphrase or a path are refused. No case contains a part of a secret.
package enum SeedError: Error, Equatable, Sendable {
    // MARK: the words of a wallet

    /// The number of words is not 12, 15, 18, 21 or 24.
    case wordCount(Int)
    /// The word at `position`, from 1, is not in the English list of BIP-39.
    case unknownWord(position: Int)
    /// A word was mistaken for another word of the list, or the words are in the wrong order.
    case checksum
    /// The words are the recovery phrase of a vault, which is not a seed.
    case recoveryPhrase
    /// The number of bytes of entropy is not 16, 20, 24, 28 or 32.
    case entropyCount(Int)
    /// The number of bytes of a seed is not 16 to 64 (BIP-32, "Master key generation").
    case seedCount(Int)

    // MARK: dice

    /// The character at `offset` of the line is not 1 to 6 or a space.
    case notARoll(offset: Int)
    case tooFewRolls(Int, needed: Int)
    case tooManyRolls(limit: Int)

    // MARK: passphrases and paths

    /// The byte at `offset` of the passphrase is not printable ASCII (0x20 to 0x7e).
    case passphraseNotASCII(offset: Int)
    case passphraseTooLong(limit: Int)
    case path(PathProblem)
    /// The path has no key. The probability is 2^-127 (BIP-32: "proceed with the next value").
    case noKey(DerivationPath)

    case share(ShareProblem)
    case memory(SecureMemoryError)
    case curve(CurveError)
}

/// Why a text is not a derivation path. Levels are counted from 1.
package enum PathProblem: Equatable, Sendable {
    /// The text does not begin with `m`.
    case noRoot
    /// The level is not a decimal number below 2^31, with `'` after it if it is hardened.
    case level(Int)
    /// The level ends with `h` or `H` instead of `'`.
    case letterMark(level: Int)
    case tooManyLevels(limit: Int)
}

/// Why words are not a share of SLIP-0039, or shares do not belong together.
package enum ShareProblem: Equatable, Sendable {
    // MARK: one share

    /// No share has this number of words.
    case wordCount(Int)
    /// The word at `position`, from 1, is not in the list of SLIP-0039.
    case unknownWord(position: Int)
    /// A word was mistaken for another word of the list, or the words are in the wrong order.
    case checksum
    /// The bits that fill up the first word of the value are not zero.
    case padding
    /// The share needs more groups than its set has.
    case groupThreshold(Int, groups: Int)
    /// The derivation would take 10,000 * 2^exponent rounds.
    case exponent(Int, limit: Int)

    // MARK: several shares

    /// The share is not of the set of the shares before it, or has other parameters than the shares
    /// of its group.
    case foreign(ShareProperty)
    /// The share was added before.
    case repeated
    /// Another share with the same number was added before.
    case sameNumber
    /// The group has all the shares that it needs.
    case notNeeded
    case tooFew(ShareStatus)
    /// The shares have the right parameters, but were not made from one secret.
    case digest

    // MARK: splitting

    /// The secret does not have 16 to 64 bytes, or an odd number of them.
    case secretCount(Int)
    /// A set has 1 share, or 2 to 16 shares of which 2 or more are needed.
    case members(Int, threshold: Int)
}

/// A property that all shares of a set have in common, or all shares of a group.
package enum ShareProperty: Equatable, Sendable {
    case identifier
    case extendable
    case exponent
    case groupThreshold
    case groupCount
    /// The number of words.
    case length
    case memberThreshold
}

extension SeedError {
    static func outOfMemory(_ error: SecureMemoryError) -> SeedError { .memory(error) }
}
