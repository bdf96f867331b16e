/// Text as one word of a shell's command line. Characters that are not printable are octal bytes in
/// `$'…'` (POSIX.1-2024, 2.2.4), so that a pasted word has the same bytes.
package enum ShellWord {
    package static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "_./=:@%+-,".utf8.contains(byte)
            }
        }
        guard !isPlain || text.isEmpty else { return text }
        guard Printable.line(text) != text else { return "'" + text.replacing("'", with: "'\\''") + "'" }
        return "$'" + text.utf8.map(octal).joined() + "'"
    }

    private static func octal(_ byte: UInt8) -> String {
        let isPrinted =
            (0x20..<0x7f).contains(byte) && byte != UInt8(ascii: "'") && byte != UInt8(ascii: "\\")
        guard !isPrinted else { return String(Unicode.Scalar(byte)) }
        let digits = String(byte, radix: 8)
        return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }
}
