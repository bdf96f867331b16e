import Shell
import Testing

@testable import App

/// Words that are pasted into a shell. `Scripts/expect.txt` runs them.
struct ShellWordTests {
    @Test(arguments: [
        ("transfer.json", "transfer.json"), ("a=b/c:d@e%f+g-h,i_j", "a=b/c:d@e%f+g-h,i_j"), ("", "''"),
        ("my file", "'my file'"), ("alice's", #"'alice'\''s'"#), ("$HOME `id` \\n", "'$HOME `id` \\n'"),
        ("Grüße", "'Grüße'"),
        // Not printable: bytes in octal.
        ("a\nb", #"$'a\012b'"#), ("\u{1b}[2J", #"$'\033[2J'"#), ("it's\\\u{7}7", #"$'it\047s\134\0077'"#),
        ("\u{202e}", #"$'\342\200\256'"#),
    ])
    func quotes(text: String, word: String) {
        #expect(ShellWord.quoted(text) == word)
    }
}
