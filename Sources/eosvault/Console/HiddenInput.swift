import Synchronization

/// The terminal's modes while a secret that was typed is used: echo is off, and what is typed is
/// dropped at the end. There is at most one such step at a time.
///
/// Signals are held back, as at a question. A step that takes long delivers them itself, at points
/// where it may end.
enum HiddenInput {
    private static let prompt = Mutex<TerminalPrompt?>(nil)

    static func begin(on descriptor: Int32) throws(Terminal.Failure) {
        try prompt.withLock { prompt throws(Terminal.Failure) in
            prompt = try TerminalPrompt(on: descriptor, echo: .off)
        }
    }

    static func end() {
        prompt.withLock { prompt in
            if let ended = prompt.take() { _ = ended.end() }
        }
    }

    /// Delivers a signal that is held back, with the terminal's own modes. If the program continues
    /// after it, input is hidden again.
    static func deliverSignals() {
        prompt.withLock { prompt in
            guard prompt?.hasSignal == true, let hidden = prompt.take() else { return }
            prompt = try? hidden.deliveringSignals()
        }
    }
}
