/// The characters of labels that look like others: a part of confusables.txt of Unicode TR39,
/// version 17.0.0 (SHA-256 ec88ecebcf89f63f813d460842b0cf8322744b40a0b2c06f88a2cea48c0351ea).
///
/// It has the alphabets whose letters look alike (Latin, Greek, Cyrillic, Armenian), combining
/// marks and general punctuation. A composed letter has the row of its decomposed form. Letters of
/// other scripts need no row, because a label has letters of one script.
enum Confusables {
    /// Maps each character to the text that it looks like.
    static let prototypes = rows { _ in true }

    /// The first rows, for labels without other characters: most commands need no others.
    private static let ofASCII = rows(while: \.isASCII)

    private static func rows(while isRead: (Unicode.Scalar) -> Bool) -> [Unicode.Scalar: String] {
        var rows: [Unicode.Scalar: String] = [:]
        // By scalars: a mark after a letter belongs to the same Character.
        var rest = text.unicodeScalars[...]
        while let scalar = rest.first, isRead(scalar) {
            let end = rest.firstIndex { $0 == " " || $0 == "\n" } ?? rest.endIndex
            rows[scalar] = String(String.UnicodeScalarView(rest[..<end].dropFirst()))
            rest = rest[end...].drop { $0 == " " || $0 == "\n" }
        }
        return rows
    }

    /// The text with each character replaced by what it looks like. Texts that look alike have
    /// canonically equivalent results, which `==` of `String` treats as equal.
    static func prototype(of text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            if let prototype = scalar.isASCII ? ofASCII[scalar] : prototypes[scalar] {
                result += prototype
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }

    /// Rows of a character and what it looks like, separated by white space.
    private static let text = String(decoding: PackageResources.confusables_txt, as: UTF8.self)
}
