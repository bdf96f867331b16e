/// A command script: the commands that a user could type, the expected results, and the files that
/// exist at the start.
///
/// ```
/// # a comment
/// eosvault create --pin-file pin        exit status 0
/// ! eosvault create --pin-file wrong    exit status 1
/// 64 eosvault sign                      exit status 64
/// stdout '^EOS'                         the last command's output matches
/// ! stdout .                            the last command's output is empty
/// cmp stdout expected.json              two files (or stdout, stderr) have the same bytes
/// stdin FILE                            standard input of the next command
/// terminal                              the next command has a terminal
/// expect 'PIN: '                          wait for this text on the terminal
/// type 'text'                             type this text
/// paste FILE                              type the text of a file
/// word                                    wait for `word N: `, type word N of the phrase
/// phrase FILE                           write the phrase from the last terminal to a file
/// shares FILE                           write its shares to FILE.1, FILE.2 and so on
/// agent --confirm policy                  start `eosvault-agent serve` and wait for its socket
/// agent-ends                              wait until it ends with exit status 0
/// eosvault-agent status                   a command of eosvault-agent
/// sh 'ulimit -f 1; exec eosvault …'     a command line of the shell
/// sql FILE 'UPDATE …'                   change a vault's tables, as an attacker without the PIN
/// devices                               the machine has a TPM and an authenticator from now on
/// lacking O_TMPFILE renameat2 linkat    the file system lacks these from now on
/// answer, before, fails, page           run a page of the documentation (ScriptRunner+Page.swift)
/// exists F, ! exists F, mode F 600, env K=V, unset K
/// -- name --                            starts a file, which ends at the next such line
/// ```
/// Words are split at spaces; single quotes keep them together. `eosvault` is the release program.
/// `$WORK` is the script's folder, and may contain spaces. A shell also has `$VECTORS`, a C
/// compiler in `$CC`, and the debug program in `$DEBUG_PROGRAM`.
struct Script {
    struct Line {
        var number: Int
        var words: [String]
    }

    var lines: [Line] = []
    var files: [(name: String, content: [UInt8])] = []

    enum Failure: Error {
        case openQuote(line: Int)
    }

    init(_ text: String) throws {
        var name: String?
        var content = ""
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("-- "), line.hasSuffix(" --") {
                if let name { files.append((name, Array(content.utf8))) }
                name = String(line.dropFirst(3).dropLast(3))
                content = ""
            } else if name != nil {
                content += line + "\n"
            } else {
                let words = try Self.words(line, number: index + 1)
                if !words.isEmpty { lines.append(Line(number: index + 1, words: words)) }
            }
        }
        if let name {
            // The last file ends at the end of the script.
            files.append((name, Array(content.utf8.dropLast())))
        }
    }

    private static func words(_ line: Substring, number: Int) throws -> [String] {
        var words: [String] = []
        var word: String?
        var quoted = false
        for character in line {
            switch character {
            case "'":
                quoted.toggle()
                word = word ?? ""
            case " " where !quoted:
                if let done = word { words.append(done) }
                word = nil
            case "#" where !quoted && word == nil:
                return words
            default:
                word = (word ?? "") + String(character)
            }
        }
        guard !quoted else { throw Failure.openQuote(line: number) }
        if let word { words.append(word) }
        return words
    }
}
