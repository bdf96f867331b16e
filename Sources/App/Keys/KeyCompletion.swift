import ArgumentParser
import Files
import Hardening
import KeyVault
import Shell
import Transactions

extension CompletionKind {
    /// The built-in chain names.
    package static let chains = CompletionKind.list(Chain.all.flatMap { [$0.name] + $0.aliases })

    /// The labels and public keys of the vault.
    static let keys = CompletionKind.custom { words, _, _ in
        CompletedWord.escaped(KeyCompletion(words: words).offers)
    }

    /// The names of the vault's credentials.
    static let credentials = CompletionKind.custom { words, _, _ in
        let credentials = KeyCompletion(words: words).entries.filter { $0.kind == .credential }
        return CompletedWord.escaped(credentials.map { $0.label?.text ?? $0.name.text })
    }

    /// A file after `ACCOUNT=`.
    static let accountFile = CompletionKind.custom { words, index, _ in
        guard words.indices.contains(index) else { return [] }
        return CompletedWord.escaped(AccountFileCompletion(word: words[index])?.offers ?? [])
    }
}

/// The labels and public keys that the shell offers, from the vault of the unfinished command line.
/// They are read without a PIN and not verified.
///
/// The sandbox begins before the file is opened, and allows only to read it. If the vault is
/// missing, locked or in the middle of a change, nothing is offered.
struct KeyCompletion {
    /// The command line, as the shell passes it.
    let words: [String]

    var offers: [String] {
        let keys = entries.filter(\.isKey)
        return keys.compactMap(\.label?.text) + keys.map(\.name.text)
    }

    var entries: [EntryDescription] {
        guard let path = vaultPath, (try? FileStatus.ifPresent(path + "-journal")) == .some(nil),
            (try? Confinement.begin(.reading(path))) != nil,
            let entries = try? Vault.open(path, busyTimeout: 0).unverifiedEntries()
        else { return [] }
        return entries
    }

    /// The path of --vault, else the default path. Nil if it is unknown until the shell expands the
    /// word.
    var vaultPath: String? {
        guard let index = words.lastIndex(where: { $0 == "--vault" || $0.hasPrefix("--vault=") }) else {
            return try? VaultOptions(locked: nil).path()
        }
        guard words[index] == "--vault" else {
            return CompletedWord.text(of: words[index].dropFirst("--vault=".count))
        }
        // bash makes a word of its own of `=`.
        return words[(index + 1)...].first { $0 != "=" }.flatMap { CompletedWord.text(of: $0[...]) }
    }
}

/// The files that the shell offers for `ACCOUNT=FILE`.
struct AccountFileCompletion {
    /// `ACCOUNT=` and the folder that was typed.
    private let start: String
    private let folder: String
    /// The beginning of the name.
    private let name: String

    /// - Parameter word: the word at the cursor. Nil if it contains no `=`.
    init?(word: String) {
        guard let text = CompletedWord.text(of: word[...]), let equals = text.firstIndex(of: "=") else {
            return nil
        }
        let path = text[text.index(after: equals)...]
        let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        (start, name) = (String(text[..<end]), String(path[end...]))
        folder = end == path.startIndex ? "." : String(path[..<end])
    }

    var offers: [String] {
        guard (try? Confinement.begin(.readingBeneath(folder))) != nil,
            let names = try? Folder.names(in: folder)
        else { return [] }
        // A name that is not printable can't be typed.
        return names.filter {
            $0.hasPrefix(name) && ($0.first != "." || name.first == ".") && Printable.line($0) == $0
        }
        .sorted().map { found in
            let status = try? FileStatus(of: folder + "/" + found, followingLinks: true)
            return start + found + (status?.kind == .directory ? "/" : "")
        }
    }
}

/// Words of a command line that is not finished.
enum CompletedWord {
    /// The text that a typed word means to the shell, without its quotes. Nil if the shell would
    /// expand a part of it, or if a quote is open.
    static func text(of word: Substring) -> String? {
        var (text, quote, rest) = ("", Character?.none, word)
        if word.hasPrefix("~/") {
            guard let home = Environment["HOME"] else { return nil }
            (text, rest) = (home, word.dropFirst())
        } else if word.hasPrefix("~") {
            return nil
        }
        while let next = rest.popFirst() {
            switch (next, quote) {
            case ("\\", nil):
                guard let escaped = rest.popFirst() else { return nil }
                text.append(escaped)
            case ("\\", "\"") where rest.first.map("\"\\$`".contains) == true:
                if let escaped = rest.popFirst() { text.append(escaped) }
            case ("'", nil), ("\"", nil): quote = next
            case ("'", "'"), ("\"", "\""): quote = nil
            case ("$", nil), ("`", nil), ("$", "\""), ("`", "\""), ("*", nil), ("?", nil), ("[", nil):
                return nil
            default: text.append(next)
            }
        }
        return quote == nil ? text : nil
    }

    /// The words as the script of the shell that asks expects them.
    static func escaped(_ words: [String]) -> [String] {
        switch CompletionShell.requesting {
        // `compgen -W` expands its words, and would run `$(…)` in a label.
        case .bash?: words.map { "'" + $0.replacing("'", with: "'\\''") + "'" }
        // A description follows the first colon.
        case .zsh?: words.map { $0.replacing("\\", with: "\\\\").replacing(":", with: "\\:") }
        default: words
        }
    }
}
