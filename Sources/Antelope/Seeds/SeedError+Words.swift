import Keys
import Messages
import SecureMemory

extension SeedError: WordedError {
    package var words: Words {
        switch self {
        case .wordCount(let count):
            Words(
                .invalidSeed, "\(Words.count(count, "word")) instead of 12, 15, 18, 21 or 24",
                hint: "enter all words of the wallet, in their order")
        case .unknownWord(let position):
            Words(
                .invalidSeed, "word \(position) is not in the list of BIP-39",
                hint:
                    "check its spelling; the list is English, and words of another language are not supported"
            )
        case .checksum:
            Words(.invalidSeed, "the checksum is wrong: a word is wrong, or the words are in the wrong order")
        case .recoveryPhrase:
            Words(
                .invalidSeed,
                "a word is wrong, or these words are the recovery phrase of a vault, not a seed",
                hint: "a recovery phrase opens its vault; no key is derived from it")
        case .entropyCount(let count):
            Words(
                .invalidSeed, "\(Words.count(count, "byte")) of entropy instead of 16, 20, 24, 28 or 32",
                hint: "give 32 bytes for 24 words")
        case .seedCount(let count):
            Words(
                .invalidSeed, "the seed has \(Words.count(count, "byte")); 16 to 64 are needed",
                hint: "check that this is the right secret")
        case .notARoll(let offset):
            Words(
                .invalidSeed, "character \(offset + 1) is not a roll of a die",
                hint: "type the digits 1 to 6, with or without spaces")
        case .tooFewRolls(let count, let needed):
            Words(
                .invalidSeed, "\(Words.count(count, "roll")) of a die; at least \(needed) are needed",
                hint: "roll again, and type each result")
        case .tooManyRolls(let limit):
            Words(.invalidSeed, "more than \(limit) rolls of a die", hint: "\(DiceRolls.needed) are enough")
        case .passphraseNotASCII(let offset):
            Words(.invalidPassphrase, "byte \(offset + 1) of the passphrase is not printable ASCII")
        case .passphraseTooLong(let limit):
            Words(.invalidPassphrase, "the passphrase has more than \(limit) bytes")
        case .path(let problem): problem.words
        case .noKey(let path):
            Words(.derivationPath, "\(path.text) has no key", hint: "use the next index")
        case .share(let problem): problem.words
        case .memory(let error): error.words
        case .curve(let error): error.words
        }
    }
}

extension PathProblem {
    package var words: Words {
        switch self {
        case .noRoot: Words(.derivationPath, "the path does not begin with m")
        case .level(let level):
            Words(
                .derivationPath,
                "level \(level) of the path is not a number from 0 to 2147483647, or begins with 0")
        case .letterMark(let level):
            Words(
                .derivationPath, "level \(level) of the path ends with a letter",
                hint:
                    "write ' after the number of a hardened level, and quote the path: \"m/44'/194'/0'/0/0\"")
        case .tooManyLevels(let limit): Words(.derivationPath, "the path has more than \(limit) levels")
        }
    }
}

extension ShareProblem {
    package var words: Words {
        switch self {
        case .wordCount(let count):
            Words(
                .invalidShare, "no share has \(Words.count(count, "word"))",
                hint: "a share has 20, 23, 27, 30, 33 or 59 words")
        case .unknownWord(let position):
            Words(
                .invalidShare, "word \(position) is not in the list of SLIP-39",
                hint: "check its spelling; the words of a seed (BIP-39) come from another list")
        case .checksum:
            Words(
                .invalidShare, "the checksum is wrong: a word is wrong, or the words are in the wrong order")
        case .padding: Words(.invalidShare, "the padding of the share is not zero")
        case .groupThreshold(let threshold, let groups):
            Words(.invalidShare, "the share needs \(threshold) groups of \(groups), which is impossible")
        case .exponent(let exponent, let limit):
            Words(
                .invalidShare,
                "iteration exponent \(exponent): the secret would need \(ShareCipher.rounds(exponent)) rounds of HMAC",
                hint:
                    "exponents up to \(limit) are supported; join the shares with the program that made them")
        case .foreign(let property): property.words
        case .repeated:
            Words(.invalidShare, "the share was given before", hint: "give another share of the set")
        case .sameNumber:
            Words(
                .invalidShare, "another share with this number was given before",
                hint: "one of the two is of another set or damaged: start again with other shares")
        case .notNeeded:
            Words(
                .invalidShare, "the group has all the shares that it needs",
                hint: "continue without this share")
        case .tooFew(let status):
            Words(.invalidShare, status.missingText, hint: "add the missing shares")
        case .digest:
            Words(
                .invalidShare, "the shares do not belong together, although their parameters match",
                hint: "one of the shares was forged or damaged: try other shares of the set")
        case .secretCount(let count):
            Words(
                .invalidShare, "a secret of \(Words.count(count, "byte")) can't be split",
                hint: "a secret has 16 to 64 bytes, and an even number of them")
        case .members(let members, let threshold):
            Words(
                .invalidShare, "\(threshold) of \(Words.count(members, "share")) is not possible",
                hint: "make up to 16 shares, and require at least 2 of them")
        }
    }
}

extension ShareProperty {
    package var words: Words {
        let difference =
            switch self {
            case .identifier: "its identifier differs (words 1 and 2)"
            case .extendable: "its extendable flag differs (word 2)"
            case .exponent: "its iteration exponent differs (word 2)"
            case .groupThreshold: "it needs another number of groups"
            case .groupCount: "its set has another number of groups"
            case .length: "it has another number of words"
            case .memberThreshold: "its group needs another number of shares"
            }
        return Words(
            .invalidShare, "the share belongs to another set: \(difference)",
            hint: "the shares of one set begin with the same two words")
    }
}
