/// The terminal's modes while a secret that was typed is used: echo is off, and what is typed is
/// dropped at the end.
///
/// Signals are held back, as at a question. A step that takes long delivers them itself, at points
/// where it may end.
package final class HiddenInput {
    /// nil at the end, and if the modes could not be set again.
    private var prompt: TerminalPrompt?

    init(on descriptor: Int32) throws(Terminal.Failure) {
        prompt = try TerminalPrompt(on: descriptor, echo: .off)
    }

    func end() {
        if let ended = prompt.take() { _ = ended.end() }
    }

    /// Delivers a signal that is held back, with the terminal's own modes. If the program continues
    /// after it, input is hidden again.
    package func deliverSignals() {
        guard prompt?.hasSignal == true, let hidden = prompt.take() else { return }
        prompt = try? hidden.deliveringSignals()
    }
}
