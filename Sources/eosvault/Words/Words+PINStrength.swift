import KeyVault

extension Messages {
    /// What the new PIN is worth against a thief of the file, and the cure where that is little.
    /// - Parameter keyFileBy: what makes a key file, for this command.
    static func strength(_ strength: PINStrength, of cost: KDFCost.Measured, withKeyFile: Bool, keyFileBy: String) {
        let text = Words.text(of: strength, secondsPerGuess: cost.secondsPerGuess)
        if withKeyFile {
            note("to whoever has the key file as well, \(text)")
        } else if strength.isWeak(secondsPerGuess: cost.secondsPerGuess) {
            warning(
                "a weak PIN: \(text); six words or more drawn at random, or a key file (\(keyFileBy)) beside the PIN, is the cure"
            )
        } else {
            note(text)
        }
    }
}

extension Words {
    /// `6 digits: all of them last 11 days against one core, 16 minutes against a thousand, if
    /// drawn at random`
    static func text(of strength: PINStrength, secondsPerGuess: Double) -> String {
        let one = duration(strength.seconds(perGuess: secondsPerGuess, cores: 1))
        let thousand = duration(strength.seconds(perGuess: secondsPerGuess, cores: 1_000))
        return
            "\(shape(of: strength)): all of them last \(one) against one core, \(thousand) against a thousand, if drawn at random"
    }

    private static func shape(of strength: PINStrength) -> String {
        if let words = strength.words { return "\(words) words of a list of \(PINStrength.wordListCount)" }
        let kinds: [(PINStrength.Alphabet, String)] = [
            (.lowerCase, "lower-case letters"), (.upperCase, "upper-case letters"), (.digits, "digits"),
            (.signs, "signs"),
        ]
        let named = kinds.filter { strength.alphabet.contains($0.0) }.map(\.1)
        let last = named.last ?? ""
        return "\(strength.length) " + (named.count > 1 ? named.dropLast().joined(separator: ", ") + " and " : "")
            + last
    }

    /// Rounded down, in the unit that a person would take: `11 days`.
    static func duration(_ seconds: Double) -> String {
        let units: [(String, Double)] = [
            ("year", PINStrength.secondsPerYear), ("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1),
        ]
        guard seconds < 1e6 * PINStrength.secondsPerYear else { return "more than a million years" }
        guard let (unit, length) = units.first(where: { seconds >= 2 * $0.1 }) else { return "less than 2 seconds" }
        return "\(Int(seconds / length)) \(unit)s"
    }
}
