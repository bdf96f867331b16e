import ArgumentParser
import CSQLite
import JSON
import Shell
import TestSupport
import Testing

@testable import App

/// What the shells offer. `Scripts/completion.txt` runs the shells.
struct CompletionTests {
    /// An argument or option as the completion scripts see it.
    struct Value: CustomTestStringConvertible {
        let command: String
        let name: String
        /// The name of the value in the help.
        let value: String
        /// `file`, `list` or `custom`; nil if nothing is offered.
        let completion: String?

        var testDescription: String { "\(command) \(name)" }
    }

    static let values: [Value] = {
        guard let help = try? JSONValue.parse(Array(Eosvault._dumpHelp().utf8)), let root = help["command"]
        else {
            return []
        }
        return values(of: root, after: "")
    }()

    private static func values(of command: JSONValue, after words: String) -> [Value] {
        let path = words + (command["commandName"]?.string ?? "") + " "
        let own = (command["arguments"]?.array ?? []).filter { $0["kind"]?.string != "flag" }.map {
            argument in
            let value = argument["valueName"]?.string ?? ""
            return Value(
                command: path, name: argument["preferredName"]?["name"]?.string ?? value, value: value,
                completion: argument["completionKind"]?.object?.first?.key)
        }
        return own + (command["subcommands"]?.array ?? []).flatMap { values(of: $0, after: path) }
    }

    @Test func valuesAreFound() {
        #expect(Self.values.count > 300)
    }

    @Test(arguments: values)
    func offersFilesChainsAndKeys(_ value: Value) {
        switch value.value {
        case "file", "path", "archive", "device": #expect(value.completion == "file")
        case "account=file", "key": #expect(value.completion == "custom")
        case "name or id": #expect(value.completion == "list")
        default: #expect(value.completion != "file")
        }
    }

    @Test(arguments: [
        ("vault.db", "vault.db"), ("'my vault.db'", "my vault.db"), ("\"a \\\"b\\\" \\c\"", "a \"b\" \\c"),
        ("a\\ b", "a b"), ("a'b'\"c\"", "abc"), ("'$x`'", "$x`"), ("\\$x", "$x"), ("", ""), ("a~", "a~"),
    ])
    func quotesAreRemoved(typed: String, text: String) {
        #expect(CompletedWord.text(of: typed[...]) == text)
    }

    /// The shell would expand these, or the word is not finished.
    @Test(arguments: ["$x", "\"$x\"", "`x`", "\"`x`\"", "a*", "a?", "[a]", "~user/x", "'a", "\"a", "a\\"])
    func unknownWordsAreRefused(typed: String) {
        #expect(CompletedWord.text(of: typed[...]) == nil)
    }

    @Test(
        arguments: [
            (["eosvault", "show", "--vault", "a.db", ""], "a.db"),
            (["eosvault", "show", "--vault=a.db", ""], "a.db"),
            (["eosvault", "show", "--vault", "=", "a.db", ""], "a.db"),
            (["eosvault", "show", "--vault", "a.db", "--vault", "b.db", ""], "b.db"),
            (["eosvault", "show", "--vault", "$x", ""], nil), (["eosvault", "show", "--vault"], nil),
        ] as [([String], String?)])
    func vaultOfTheLineIsUsed(words: [String], path: String?) {
        #expect(KeyCompletion(words: words).vaultPath == path)
    }

    /// Another process changes the vault: the shell must not wait for it.
    @Test func lockedVaultOffersNothing() throws {
        let folder = try TemporaryFolder()
        try Files.write(Array("a passphrase of several words".utf8), to: folder.path + "/pin")
        func run(_ arguments: [String]) throws -> Child.Result {
            try Child(
                path: BuiltProgram.path, arguments: arguments, environment: ["HOME": folder.path],
                directory: folder.path
            ).run()
        }
        let cost = ["--kdf-passes", "1", "--kdf-memory", "8KiB", "--insecure-kdf"]
        try #require(try run(["init", "--vault", "v.db", "--pin-file", "pin"] + cost).status == 0)
        try #require(
            try run(["create", "--vault", "v.db", "--pin-file", "pin", "--label", "treasury"]).status == 0)
        let request = [
            "---completion", "show", "--", "positional@0", "4", "0", "eosvault", "show", "--vault", "v.db",
        ]
        let free = try run(request + [""])
        #expect(String(decoding: free.output, as: UTF8.self).hasPrefix("treasury\nEOS"))

        var database: OpaquePointer?
        try #require(
            sqlite3_open_v2(folder.path + "/v.db", &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
        defer { sqlite3_close_v2(database) }
        try #require(sqlite3_exec(database, "BEGIN EXCLUSIVE", nil, nil, nil) == SQLITE_OK)
        let start = ContinuousClock.now
        let locked = try run(request + [""])
        // A command waits five seconds for another process.
        #expect(ContinuousClock.now - start < .seconds(4))
        #expect(locked.status == 0 && locked.output == Array("\n".utf8) && locked.error.isEmpty)
    }

    @Test func fileNeedsAnAccount() {
        #expect(AccountFileCompletion(word: "mytoken") == nil)
        #expect(AccountFileCompletion(word: "mytoken=$x") == nil)
        #expect(AccountFileCompletion(word: "mytoken=") != nil)
    }
}
