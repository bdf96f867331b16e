import Codecs

// Rules for new labels. The labels of existing vaults stay valid, and are only flagged.

extension Label {
    /// Combining marks in a row. Thai, Hebrew and Vietnamese text need at most three.
    private static let maximumMarkCount = 3

    /// Why `create`, `import` and `rename` refuse the label; nil for a good one.
    package var problem: LabelProblem? {
        var scripts: Set<LetterScript> = []
        var (offset, markCount) = (0, Self.maximumMarkCount)
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .spacingMark, .enclosingMark:
                markCount += 1
                guard markCount <= Self.maximumMarkCount else { return .combiningMarks(offset: offset) }
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
                .letterNumber,
                .decimalNumber:
                markCount = 0
                if ("0"..."9").contains(scalar) { break }
                guard let script = LetterScript(scalar) else { return .unknownScript(offset: offset) }
                scripts.insert(script)
            default: markCount = 0
            }
            offset += UTF8.width(scalar)
        }
        guard LetterScript.canMix(scripts) else { return .mixedScripts }
        if startsLikeKey { return .looksLikeKey }
        return looksLikeName ? .looksLikeName : nil
    }

    /// True if the first eight characters can begin a key: the legacy form of a public key has a
    /// digit from 4 to 8 after its prefix, a WIF starts with 5H, 5J or 5K.
    private var startsLikeKey: Bool {
        let isPublic = ["EOS", "FIO"].contains(where: text.hasPrefix)
        let start = text.utf8.prefix(8).dropFirst(isPublic ? 3 : 0)
        let first = isPublic ? ["4", "5", "6", "7", "8"] : ["5H", "5J", "5K"]
        return text.utf8.count >= 8 && first.contains { start.starts(with: $0.utf8) }
            && (try? Base58.decode(start)) != nil
    }

    /// True if the label looks like the name of an entry, `KIND:NAME`, or of a system account.
    private var looksLikeName: Bool {
        EntryName(text)?.isKindAndName == true
            || spellings.contains {
                ["eosio", "core.vaulta", "fio.token"].contains($0) || $0.hasPrefix("eosio.")
            }
    }

    /// Texts of which one is equal for two labels that differ only in case, composition, spaces or
    /// look-alike characters.
    var spellings: Set<String> {
        let words = text.split(separator: " ").joined(separator: " ")
        // Lowercase letters of the uppercase ones: `ß` is `ss`, and the final sigma is a sigma.
        return [
            Confusables.prototype(of: words).uppercased().lowercased(),
            Confusables.prototype(of: words.uppercased().lowercased()),
        ]
    }
}

/// The spellings of a vault's labels.
struct LabelSpellings {
    /// How many labels have a spelling.
    private var counts: [String: Int] = [:]

    /// - Parameter labels: The labels in the file. Reading them does not verify them: this shows
    ///   look-alikes to an honest user, and protects nothing.
    init(in connection: SQLiteConnection) throws(VaultError) {
        var spellings = self
        try connection.query("SELECT label FROM labels") { row throws(VaultError) in
            guard let label = row.text(0).flatMap({ try? Label(stored: $0) }) else { return }
            spellings.add(label)
        }
        self = spellings
    }

    mutating func add(_ label: Label) {
        for spelling in label.spellings { counts[spelling, default: 0] += 1 }
    }

    mutating func remove(_ label: Label) {
        for spelling in label.spellings { counts[spelling, default: 0] -= 1 }
    }

    /// True if a label in the vault has one of the spellings of `label`.
    func contains(_ label: Label) -> Bool { label.spellings.contains { counts[$0, default: 0] > 0 } }
}

/// A label of an existing vault that a new entry could not get.
package struct LabelFlag: Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        case refused(LabelProblem)
        /// The label differs only in spelling from the label of this entry.
        case alike(EntryName)
    }

    package let name: EntryName
    package let reason: Reason

    /// The flags of all labels, in the order of the labels.
    package static func flags(of labels: some Sequence<(name: EntryName, label: Label)>) -> [LabelFlag] {
        var first: [String: EntryName] = [:]
        return labels.compactMap { name, label in
            let other = label.spellings.compactMap { first[$0] }.first
            for spelling in label.spellings where first[spelling] == nil { first[spelling] = name }
            if let problem = label.problem { return LabelFlag(name: name, reason: .refused(problem)) }
            return other.map { LabelFlag(name: name, reason: .alike($0)) }
        }
    }
}

extension [EntryDescription] {
    /// The flags of the entries' labels.
    package var labelFlags: [LabelFlag] {
        LabelFlag.flags(of: compactMap { entry in entry.label.map { (name: entry.name, label: $0) } })
    }
}
