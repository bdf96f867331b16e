import Files
import KeyVault
import SecureMemory
import Shell

/// Asks for the words of a recovery phrase at the terminal, until 24 words match their checksum.
///
/// Each line is one question, whatever the length of its word. A word that is not in the list is
/// asked for again. After a wrong checksum, any word can be typed again by its number. Nothing is
/// derived from the words meanwhile, so no failed unlock is counted.
struct PhraseQuestions: ~Copyable {
    private let terminal: Terminal
    private let showsWords: Bool
    private let purpose: TerminalPurpose

    init(showingWords: Bool = false, for purpose: TerminalPurpose = .phrase) throws(Terminal.Failure) {
        terminal = try Terminal.open(for: purpose)
        showsWords = showingWords
        self.purpose = purpose
    }

    func phrase() throws -> RecoveryPhrase {
        do { return try readPhrase() } catch Terminal.Failure.closed {
            throw Terminal.Failure.closed(wanted: purpose)
        }
    }

    private func readPhrase() throws -> RecoveryPhrase {
        try terminal.readLines(isShown: showsWords) { prompt in
            say(showsWords ? Words.askForPhrase : Words.askForHiddenPhrase)
            var typed = try TypedPhrase()
            while true {
                guard try fill(&typed, at: prompt) else { return nil }
                do throws(VaultError) { return try typed.phrase() } catch {
                    guard case .input(.recoveryPhrase(let problem)) = error else { throw error }
                    if showsWords {
                        try typed.withWords { words in terminal.write(try PhraseGrid.lay(words)) }
                    }
                    say(Words.phraseMismatch(problem))
                    _ = try terminal.dropInput(at: prompt)
                }
                guard try drop(from: &typed, at: prompt) else { return nil }
            }
        }
    }

    /// Asks for words until each position has one.
    /// - Returns: false when a signal arrived.
    private func fill(_ typed: inout TypedPhrase, at prompt: borrowing TerminalPrompt) throws -> Bool {
        while let position = typed.openPositions.first {
            guard let line = try ask(Words.wordQuestion(position), at: prompt) else { return false }
            let positions = typed.openPositions
            switch try typed.take(line) {
            case .taken(unknown: []): continue
            case .taken(let unknown): say(Words.unknownWords(unknown))
            case .tooMany(let count): say(Words.tooManyWords(count, for: positions))
            }
            // Further pasted lines would fill the wrong positions.
            _ = try terminal.dropInput(at: prompt)
        }
        return true
    }

    /// Asks for the number of the word to type again. The text `all` means all words: a Return that
    /// was typed by mistake must not drop them.
    /// - Returns: false when a signal arrived.
    private func drop(from typed: inout TypedPhrase, at prompt: borrowing TerminalPrompt) throws -> Bool {
        while true {
            guard let line = try ask(Words.positionQuestion, at: prompt) else { return false }
            if line.count == 0 { continue }
            if try TypedPhrase.isAll(typed: line) {
                typed = try TypedPhrase()
                return true
            }
            if let position = TypedPhrase.position(typed: line) {
                typed.drop(position)
                return true
            }
            say(Words.notAPosition)
        }
    }

    /// Asks until the line is not too long.
    /// - Returns: nil when a signal arrived.
    private func ask(_ question: String, at prompt: borrowing TerminalPrompt) throws(Terminal.Failure)
        -> SecureBytes?
    {
        while true {
            do { return try askOnce(question, at: prompt) } catch {
                guard case .tooLong(let limit) = error else { throw error }
                say(Words.tooLongLine(limit))
                _ = try terminal.dropInput(at: prompt)
            }
        }
    }

    private func askOnce(
        _ question: String, at prompt: borrowing TerminalPrompt
    ) throws(Terminal.Failure) -> SecureBytes? {
        terminal.write(wrapped(question) + " ")
        defer { if !showsWords { terminal.write("\n") } }
        guard let line = try terminal.readLine(limit: RecoveryPhrase.maximumTextCount, at: prompt) else {
            return nil
        }
        return line.take()
    }

    private func say(_ text: String) { terminal.write(wrapped(text) + "\n") }

    private func wrapped(_ text: String) -> String {
        WordWrap.text(text, on: FileDescriptor(terminal.descriptor))
    }
}
