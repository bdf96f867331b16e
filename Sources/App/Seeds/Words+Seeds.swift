import KeyVault
import Keys
import OtherWallets
import Seeds
import Shell
import WordLists

extension Words {
    /// After a seed was stored.
    static func deriveNext(_ seed: EntryDescription) -> String {
        let name = seed.label.map { ShellWord.quoted($0.text) } ?? seed.name.text
        return "derive a key with `eosvault create --seed \(name)`"
    }

    /// After a key was derived.
    static func derived(_ origin: SeedOrigin) -> String {
        "the key is at \(origin.path.text) of \(origin.seed); the words or the shares of this seed restore it"
    }

    /// After words were read from a file.
    static let wordsNotOnPaper =
        "the words are from a file, so the seed and its keys count as backed up only by `eosvault backup FILE`"

    // MARK: dice

    static func askForDice(_ minimum: Int) -> String {
        "Roll a die at least \(minimum) times, and type the numbers, one or several on each line. They are not "
            + "shown. After the last number, press Return on an empty line."
    }
    static func moreDice(_ count: Int) -> String {
        Words.count(count, "more roll is needed.", "more rolls are needed.")
    }
    static let lineIgnored = "This line was ignored: type it again."

    // MARK: shares

    /// - Parameters:
    ///   - form: of the seed; nil for the recovery phrase.
    ///   - words: the number of words in each share.
    static func splitInto(_ count: ShareCount, _ form: StoredSeed.Form?, words: Int) -> String {
        let what = form == nil ? "the recovery phrase" : "the seed"
        let options = [
            form == nil ? "--recovery-phrase" : "NAME", words == 33 ? nil : "--words \(words)",
            form == .masterSecret ? "--master-secret" : nil,
        ]
        return
            "any \(count.threshold) of the \(count.members) shares restore \(what), with `eosvault seed join "
            + options.compactMap(\.self).joined(separator: " ") + "`"
    }

    static func shareStatus(_ status: ShareStatus) -> String {
        guard !status.isComplete else { return "the shares are enough" }
        guard status.groupCount == 1, let group = status.groups.first else { return status.missingText }
        return "accepted; "
            + Words.count(group.needed - group.have, "more share is needed", "more shares are needed")
    }

    static let joinedPhrase = """
        This is the recovery phrase of the vault, from its shares. It opens the vault
        with --recovery.


        """
    static let afterJoinedPhrase = "\nPress Return to clear the screen."
}

extension CeremonyTexts {
    static let seed = CeremonyTexts(
        before: """
            These are the words of the seed (BIP-39). They restore all its keys, also
            without this vault. Anyone who reads them has the keys: do not photograph them.

            Write the words on paper, in this order:


            """)

    static func share(_ number: Int, of count: ShareCount, isOfSeed: Bool) -> CeremonyTexts {
        let what = isOfSeed ? "the seed" : "the recovery phrase"
        return CeremonyTexts(
            before: """
                This is share \(number) of \(count.members). Any \(count.threshold) of them restore \(what).

                Write on paper: what it restores, and "share \(number) of \(count.members), \(count.threshold) needed".
                Then write the words, in this order:


                """)
    }
}

extension WordQuestionTexts {
    static func seed(_ count: Int) -> WordQuestionTexts {
        WordQuestionTexts(list: .bip39, count: count, what: "the \(count) words of the seed")
    }

    static func mnemonic(_ count: Int) -> WordQuestionTexts {
        WordQuestionTexts(list: .bip39, count: count, what: "the \(count) words of the wallet")
    }

    static func share(_ count: Int, _ number: Int) -> WordQuestionTexts {
        WordQuestionTexts(list: .slip39, count: count, what: "the \(count) words of share \(number)")
    }
}

extension SeedError: WordRefusal {
    var wrongWords: String? {
        switch self {
        case .checksum, .recoveryPhrase: words.message.sentence
        case .share(.foreign), .share(.repeated), .share(.sameNumber), .share(.notNeeded):
            words.message.sentence + " Type `all`, then the words of another share."
        case .share: words.message.sentence
        default: nil
        }
    }
}

extension Words {
    // MARK: other wallets

    static func walletPassword(_ format: WalletFormat) -> String {
        format == .anchorCertificate ? "the six words in handwriting: " : "password of the \(format.name): "
    }
    static let passphraseQuestion = "passphrase of the words (Return for none): "
    static func recognised(_ place: String, _ format: WalletFormat) -> String {
        "\(place) is a \(format.name)"
    }
    static func recognisedWords(_ place: String, _ count: Int) -> String {
        "\(place) contains the \(count) words of a wallet (BIP-39)"
    }
    static let keosdWritten =
        "keosd hashes the password of this file only once: wipe all copies of the file that you do not need"
    static func repeatedKeys(_ count: Int) -> String {
        "\(Words.count(count, "entry repeats", "entries repeat")) a key of the file"
    }
    static func foreignKeys(_ count: Int) -> String {
        "\(Words.count(count, "key", "keys")) of other chains can't be imported"
    }
    static func labelTaken(_ key: PublicKey) -> String {
        "\(key.text) is imported without its label, which another entry has"
    }
    static func labelNotAllowed(_ key: PublicKey) -> String {
        "\(key.text) is imported without its label, which is not allowed in a vault"
    }
    static func noKeysInWallet(_ place: String) -> String { "\(place) contains no key" }
    static func passwordWithLineEnding(_ place: String) -> String {
        "\(place) ends with a line ending, which counts as a part of the password"
    }
    static let destroyOldCopy =
        "the old file still has these keys: destroy it after `eosvault backup verify` has opened a backup with them"
    static let foreignKeysLeft =
        "the file has keys of other chains, which were not imported: move them with another wallet before you "
        + "destroy the file"
    static let keepWords =
        "anyone who reads the words has these keys; keep the paper: the words may also restore other keys"
}

extension String {
    /// A message as a sentence.
    var sentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
