import Codecs
import JSON

/// Text from outside, made safe to show: what could move the cursor, hide or reorder text is
/// spelled out.
enum Printable {
    /// The text of a JSON value, for every place where the program prints one.
    static func json(_ value: JSONValue, _ style: JSONWriter.Style = .compact) -> String { json(value.text(style)) }

    /// JSON text with each character that is not plain as `\uXXXX`, beyond the BMP as two of them.
    /// The value is the same, and nothing in the text acts on a terminal. Outside of strings JSON
    /// text has plain characters and line feeds only.
    static func json(_ text: String) -> String {
        if isPlainASCII(text.utf8) { return text }
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

    /// The same for text in bytes, which are UTF-8.
    static func json(_ text: [UInt8]) -> [UInt8] {
        isPlainASCII(text) ? text : Array(json(String(decoding: text, as: UTF8.self)).utf8)
    }

    private static func isPlainASCII(_ text: some Sequence<UInt8>) -> Bool {
        text.allSatisfy { (0x20..<0x7f).contains($0) || $0 == UInt8(ascii: "\n") }
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
