import KeyVault

extension Words {
    static let beforePhrase = """
        The recovery phrase of this vault. These words open this vault's file when the PIN
        or the key file is lost. They restore nothing without the file: keep copies of it.
        They are no wallet's seed, and no wallet takes them.

        Write them on paper, in this order:


        """

    static let behindPhrase = "\nPress Return when they are written down; three of them are asked for then."

    static let phraseAgain = "That is another word. Press Return to see them again."

    static let phraseNote = "the recovery phrase opens this file, and restores nothing without it"

    static let notCleared = "\nThis terminal can't be cleared: the words stay on it until you do that.\n"

    static let offerKeyFile = "Make a key file, which is then needed beside the PIN?"
    static let offerPhrase = "Make a recovery phrase, which opens the vault when the PIN is lost?"

    /// A slot in a sentence.
    static func slot(_ slot: SlotDescription) -> String {
        "slot \(slot.number), \(slot.kind.words), made \(Clock.text(slot.createdAt))"
    }
    static func damagedSlot(_ number: Int) -> String { "slot \(number), of which both copies are damaged" }
    /// No PIN was given yet, so what the slot is is the file's word.
    static func removeSlot(_ slot: String) -> String {
        "\(slot), by the file's unverified word\nRemove this way into the vault?"
    }

    static func changedPIN(of old: Int, nowIn new: Int) -> String {
        old == new ? "changed the PIN of slot \(new)" : "changed the PIN: slot \(new) takes the place of slot \(old)"
    }

    static let oldPIN = "copies of the file that were made before still open with the old PIN"
    static let keyFileGone =
        "the PIN opens the vault alone now: its key file went with the old one; `eosvault slot add --new-keyfile` makes another"
    static let oldCopies =
        "copies of the file that were made before still open as they did, with all keys that they hold"
}
