import KeyVault
import Shell

extension Messages {
    /// Reports the strength of a new PIN against an attacker who has the vault's file. Warns if the
    /// PIN is weak.
    /// - Parameter keyFileBy: the option or command that makes a key file; nil for a PIN that has
    ///   none.
    static func strength(
        _ strength: PINStrength, of cost: KDFCost.Measured, with kind: SlotKind = .pin, keyFileBy: String?
    ) {
        let text = Words.text(of: strength, secondsPerGuess: cost.secondsPerGuess)
        if kind != .pin {
            note("\(Words.otherHalf(kind)); \(text)")
        } else if strength.isWeak(secondsPerGuess: cost.secondsPerGuess) {
            warning(
                "weak PIN: \(text); use six or more random words instead"
                    + (keyFileBy.map { ", or a key file (\($0)) in addition to the PIN" } ?? ""))
        } else {
            note(text)
        }
    }
}

extension Words {
    /// When only the PIN protects a slot that needs more than the PIN.
    fileprivate static func otherHalf(_ kind: SlotKind) -> String {
        switch kind {
        case .pinAndTPM: "if someone can read out the TPM, only the PIN protects the vault"
        case .pinAndFIDO2:
            "if the authenticator and its PIN are stolen too, only the PIN of the vault protects it"
        default: "if the key file is stolen too, only the PIN protects the vault"
        }
    }

    /// `6 digits: trying all of them takes 11 days on one core, 16 minutes on 1000 cores; a PIN
    /// that is not random is found sooner`
    static func text(of strength: PINStrength, secondsPerGuess: Double) -> String {
        let one = duration(strength.seconds(perGuess: secondsPerGuess, cores: 1))
        let thousand = duration(strength.seconds(perGuess: secondsPerGuess, cores: 1_000))
        return
            "\(shape(of: strength)): trying all of them takes \(one) on one core, \(thousand) on 1000 cores; "
            + "a PIN that is not random is found sooner"
    }

    private static func shape(of strength: PINStrength) -> String {
        if let words = strength.words { return "\(words) words from a list of \(PINStrength.wordListCount)" }
        let kinds: [(PINStrength.Alphabet, String)] = [
            (.lowerCase, "lower-case letters"), (.upperCase, "upper-case letters"), (.digits, "digits"),
            (.signs, "symbols"),
        ]
        let named = kinds.filter { strength.alphabet.contains($0.0) }.map(\.1)
        let last = named.last ?? ""
        return "\(strength.length) "
            + (named.count > 1 ? named.dropLast().joined(separator: ", ") + " and " : "")
            + last
    }

    /// A duration, rounded down, in the largest unit of which it has two or more: `11 days`.
    static func duration(_ seconds: Double) -> String {
        let units: [(String, Double)] = [
            ("year", PINStrength.secondsPerYear), ("day", 86_400), ("hour", 3_600), ("minute", 60),
            ("second", 1),
        ]
        guard seconds < 1e6 * PINStrength.secondsPerYear else { return "more than a million years" }
        guard let (unit, length) = units.first(where: { seconds >= 2 * $0.1 }) else {
            return "less than 2 seconds"
        }
        return "\(Int(seconds / length)) \(unit)s"
    }
}
