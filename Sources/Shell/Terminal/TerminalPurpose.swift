/// The input that a program asks for at the terminal.
package struct TerminalPurpose: Equatable, Sendable {
    /// The text for a message: `the PIN`.
    package let text: String
    /// The next step when there is no terminal.
    package let hint: String

    package init(_ text: String, hint: String) { (self.text, self.hint) = (text, hint) }
}
