/// The scripts whose letters a label may have: the recommended scripts of Unicode UAX #31, table 5,
/// by their blocks. Variants of letters, such as full-width and mathematical ones, are in none.
enum LetterScript {
    case latin, greek, cyrillic, armenian, hebrew, arabic, thaana, devanagari, bengali, gurmukhi, gujarati,
        oriya
    case tamil, telugu, kannada, malayalam, sinhala, thai, lao, tibetan, myanmar, georgian, ethiopic, khmer
    case hangul, hiragana, katakana, bopomofo, han

    /// The script of a letter, digit or mark; nil if a label can't have it.
    init?(_ scalar: Unicode.Scalar) {
        guard let row = Self.blocks.first(where: { $0.range.contains(scalar.value) }) else { return nil }
        self = row.script
    }

    private static let blocks: [(range: ClosedRange<UInt32>, script: LetterScript)] = [
        (0x41...0x2ff, .latin), (0x1e00...0x1eff, .latin), (0x370...0x3ff, .greek), (0x1f00...0x1fff, .greek),
        (0x400...0x52f, .cyrillic), (0x530...0x58f, .armenian), (0x590...0x5ff, .hebrew),
        (0x600...0x6ff, .arabic),
        (0x750...0x77f, .arabic), (0x780...0x7bf, .thaana), (0x8a0...0x8ff, .arabic),
        (0x900...0x97f, .devanagari),
        (0x980...0x9ff, .bengali), (0xa00...0xa7f, .gurmukhi), (0xa80...0xaff, .gujarati),
        (0xb00...0xb7f, .oriya),
        (0xb80...0xbff, .tamil), (0xc00...0xc7f, .telugu), (0xc80...0xcff, .kannada),
        (0xd00...0xd7f, .malayalam),
        (0xd80...0xdff, .sinhala), (0xe00...0xe7f, .thai), (0xe80...0xeff, .lao), (0xf00...0xfff, .tibetan),
        (0x1000...0x109f, .myanmar), (0x10a0...0x10ff, .georgian), (0x1c90...0x1cbf, .georgian),
        (0x1200...0x139f, .ethiopic), (0x1780...0x17ff, .khmer), (0x1100...0x11ff, .hangul),
        (0x3130...0x318f, .hangul), (0xac00...0xd7ff, .hangul), (0x3040...0x309f, .hiragana),
        (0x30a0...0x30ff, .katakana), (0x31f0...0x31ff, .katakana), (0x3100...0x312f, .bopomofo),
        (0x31a0...0x31bf, .bopomofo), (0x3005...0x3007, .han), (0x3400...0x4dbf, .han),
        (0x4e00...0x9fff, .han),
        (0x20000...0x323af, .han),
    ]

    /// True if one label may have letters of all these scripts: one script, or the scripts that
    /// Japanese, Chinese or Korean text mixes, also with Latin (Unicode TR39, "highly
    /// restrictive").
    static func canMix(_ scripts: Set<LetterScript>) -> Bool {
        let mixtures: [Set<LetterScript>] = [
            [.latin, .han, .hiragana, .katakana], [.latin, .han, .bopomofo], [.latin, .han, .hangul],
        ]
        return scripts.count <= 1 || mixtures.contains { scripts.isSubset(of: $0) }
    }
}
