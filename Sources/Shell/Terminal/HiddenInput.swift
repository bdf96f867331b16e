/// The terminal's modes while a secret that was typed is used: echo is off, and what is typed is
/// dropped at the end. There is at most one such step at a time.
///
/// Signals are held back, as at a question. A step that takes long delivers them itself, at points
/// where it may end.
package enum HiddenInput {
    /// The program has one thread. A `Mutex` would need the system call futex.
    nonisolated(unsafe) private static var prompt: TerminalPrompt?

    package static func begin(on descriptor: Int32) throws(Terminal.Failure) {
        unsafe prompt = try TerminalPrompt(on: descriptor, echo: .off)
    }

    package static func end() {
        if let ended = unsafe prompt.take() { _ = ended.end() }
    }

    /// Delivers a signal that is held back, with the terminal's own modes. If the program continues
    /// after it, input is hidden again.
    package static func deliverSignals() {
        guard unsafe prompt?.hasSignal == true, let hidden = unsafe prompt.take() else { return }
        unsafe prompt = try? hidden.deliveringSignals()
    }
}
