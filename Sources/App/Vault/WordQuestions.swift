import Files
import KeyVault
import SecureMemory
import Seeds
import Shell
import WordLists

/// The words that are asked for.
struct WordQuestionTexts {
    let list: WordList
    let count: Int
    /// `the 24 words of the recovery phrase`.
    let what: String

    static let recoveryPhrase = WordQuestionTexts(
        list: .bip39, count: RecoveryPhrase.wordCount, what: "the 24 words of the recovery phrase")
}

/// An error that may be of words that were typed wrong: they are asked for again.
protocol WordRefusal: Error {
    /// What is wrong, as a sentence; nil for another error.
    var wrongWords: String? { get }
}

/// Asks for words at the terminal, until they match their checksum.
///
/// Each line is one question, whatever the length of its word. A word that is not in the list is
/// asked for again. After a wrong checksum, any word can be typed again by its number. Nothing is
/// derived from the words meanwhile, so no failed unlock is counted.
struct WordQuestions: ~Copyable {
    private let terminal: Terminal
    private let showsWords: Bool
    private let purpose: TerminalPurpose
    private let texts: WordQuestionTexts

    init(
        _ texts: WordQuestionTexts, showingWords: Bool = false, for purpose: TerminalPurpose
    ) throws(Terminal.Failure) {
        terminal = try Terminal.open(for: purpose)
        showsWords = showingWords
        (self.purpose, self.texts) = (purpose, texts)
    }

    /// The recovery phrase of a vault.
    static func phrase(
        showingWords: Bool = false, for purpose: TerminalPurpose = .phrase
    ) throws -> RecoveryPhrase {
        try WordQuestions(.recoveryPhrase, showingWords: showingWords, for: purpose).ask { typed in
            try RecoveryPhrase(typed: typed)
        }
    }

    /// - Parameter read: makes the value of the words. They are asked for again after a
    ///   `WordRefusal`.
    func ask<Value: ~Copyable>(_ read: (borrowing TypedPhrase) throws -> Value) throws -> Value {
        do { return try readWords(read) } catch Terminal.Failure.closed {
            throw Terminal.Failure.closed(wanted: purpose)
        }
    }

    private func readWords<Value: ~Copyable>(
        _ read: (borrowing TypedPhrase) throws -> Value
    ) throws -> Value {
        try terminal.readLines(isShown: showsWords) { prompt in
            say(Words.askFor(texts.what, isShown: showsWords))
            var typed = try TypedPhrase(list: texts.list, count: texts.count)
            while true {
                guard try fill(&typed, at: prompt) else { return nil }
                do { return try read(typed) } catch {
                    guard let problem = (error as? any WordRefusal)?.wrongWords else { throw error }
                    if showsWords {
                        try typed.withWords { words in
                            terminal.write(try PhraseGrid.lay(words, count: texts.count))
                        }
                    }
                    say(problem)
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
            guard let line = try ask(Words.wordQuestion(position, of: texts.count), at: prompt) else {
                return false
            }
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
            guard let line = try ask(Words.positionQuestion(of: texts.count), at: prompt) else {
                return false
            }
            if line.count == 0 { continue }
            if try TypedPhrase.isAll(typed: line) {
                typed = try TypedPhrase(list: texts.list, count: texts.count)
                return true
            }
            if let position = TypedPhrase.position(typed: line, of: texts.count) {
                typed.drop(position)
                return true
            }
            say(Words.notAPosition(of: texts.count))
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
