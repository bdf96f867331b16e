import JSON

/// Makes text from outside safe to print: characters that could move the cursor, or hide or reorder
/// text, are escaped.
package enum Printable {
    /// The text of a JSON value. Every JSON output of the program uses it.
    package static func json(_ value: JSONValue, _ style: JSONWriter.Style = .compact) -> String {
        json(value.text(style))
    }

    /// JSON text in which each character that is not plain is written as `\uXXXX`, or as two such
    /// escapes beyond the BMP. The value is the same, and no character controls a terminal. Outside
    /// of strings, JSON text has only plain characters and line feeds.
    package static func json(_ text: String) -> String {
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

    /// JSON text in UTF-8, with the same escapes as `json(_: String)`.
    package static func json(_ text: [UInt8]) -> [UInt8] {
        isPlainASCII(text) ? text : Array(json(String(decoding: text, as: UTF8.self)).utf8)
    }

    private static func isPlainASCII(_ text: some Sequence<UInt8>) -> Bool {
        text.allSatisfy { (0x20..<0x7f).contains($0) || $0 == UInt8(ascii: "\n") }
    }

    /// The start of a name from outside, which can have any length.
    package static func excerpt(_ text: String) -> String {
        let limit = 80
        return line(String(text.prefix(limit))) + (text.count > limit ? "…" : "")
    }

    /// Escapes one line of text from outside, such as a file name or an unknown field.
    package static func line(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            if scalar.isPlain {
                result.unicodeScalars.append(scalar)
            } else {
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            }
        }
    }
}
