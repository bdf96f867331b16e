import Codecs

/// Text from outside, made safe to show: what could move the cursor, hide or reorder text is spelled out.
enum Printable {
    /// JSON text with every other scalar as `\uXXXX`: still the same JSON, and nothing in it acts on a terminal.
    static func json(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar.isPlain || scalar == "\n" {
                result.unicodeScalars.append(scalar)
            } else {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
                }
            }
        }
        return result
    }

    /// A name from outside, which may be of any length, as much of it as tells it from others.
    static func excerpt(_ text: String) -> String {
        let limit = 80
        return line(String(text.prefix(limit))) + (text.count > limit ? "…" : "")
    }

    /// One line of text from outside, such as a file's name or an unknown field.
    static func line(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            if scalar.isPlain {
                result.unicodeScalars.append(scalar)
            } else {
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            }
        }
    }
}
