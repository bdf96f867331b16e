/// Text from outside in quotes. Only printable ASCII is shown as it is, so that no character can
/// move the cursor, be invisible, or look like another one.
package enum QuotedText {
    /// A backslash starts an escape: `\n`, `\t`, `\"`, `\\`, `\u{e9}`, and `\{40 spaces}` for a run
    /// of spaces that could push text to another row.
    package static func quoted(_ text: String) -> String {
        var result = "\""
        var spaces = 0
        func end(_ spaces: Int) -> String {
            spaces < longRun ? String(repeating: " ", count: spaces) : "\\{\(spaces) spaces}"
        }
        for scalar in text.unicodeScalars {
            if scalar == " " {
                spaces += 1
                continue
            }
            result += end(spaces) + escaped(scalar)
            spaces = 0
        }
        return result + end(spaces) + "\""
    }

    /// A field or type name of an ABI: as it is if it is a plain identifier, otherwise quoted.
    package static func name(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
        return isPlain && !text.isEmpty ? text : quoted(text)
    }

    /// This many spaces in a row are shown as a number.
    private static let longRun = 3

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case "!"..."~": String(scalar)
        default: "\\u{" + String(scalar.value, radix: 16) + "}"
        }
    }
}
