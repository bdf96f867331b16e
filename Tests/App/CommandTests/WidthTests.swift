import Shell
import TestSupport
import Testing

@testable import App

/// Text on terminals of several widths. It breaks between words; keys and hashes stay whole.
struct WidthTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try Files.write(Array("a passphrase of several words".utf8), to: folder.path + "/pin")
        try Files.write(Array("another passphrase".utf8), to: folder.path + "/wrong")
        try run(["init", "--kdf-passes", "1", "--kdf-memory", "8KiB", "--insecure-kdf", "--pin-file", "pin"])
        try run(["create", "--label", "treasury", "--pin-file", "pin"])
    }

    /// What a command shows on a terminal of this width; nil means a pipe.
    @discardableResult
    private func run(_ arguments: [String], columns: Int? = nil) throws -> String {
        let shell =
            columns.map { "stty cols \($0) rows 24 </dev/tty; exec \"$@\" >/dev/tty 2>&1" }
            ?? "\"$@\" 2>&1 </dev/tty | cat >/dev/tty"
        let job = try Job(
            arguments,
            environment: ["HOME": folder.path, "LANG": "C.UTF-8", "TERM": "dumb", "NO_COLOR": "1"],
            directory: folder.path, shell: shell)
        guard case .exited = try job.next().event else { return "" }
        return job.screen.replacing("\r\n", with: "\n")
    }

    private static let commands = [
        ["list", "--vault", "no such folder of this user/with a vault/vault.db"],
        ["sign", "missing.json", "--chain", "eos"],
        ["slot", "list"], ["show", "treasury"], ["check", "--pin-file", "pin"], ["log", "--pin-file", "pin"],
        ["backup", "/no such folder/copy.db", "--pin-file", "pin"], ["doctor"],
    ]

    @Test(arguments: commands, [40, 80, 120, 200])
    func textFitsTheTerminal(arguments: [String], columns: Int) throws {
        let shown = try run(arguments, columns: columns)
        for row in shown.split(separator: "\n") where row.count > columns {
            // A row that is too wide has one word after its margin.
            #expect(row.split(separator: " ").count == 1, "\(arguments) at \(columns): \(row)")
        }
        // The words are those of the piped text, so no key is split and nothing is lost.
        let piped = try run(arguments)
        #expect(Self.words(shown) == Self.words(piped), "\(arguments) at \(columns)")
        #expect(!Self.words(piped).isEmpty)
    }

    /// East Asian characters take two columns each.
    @Test(arguments: [20, 40, 60])
    func wideCharactersFit(columns: Int) {
        let text = "eosvault: error: \u{6f22}\u{5b57} \u{304b}\u{306a} \u{d55c}\u{ae00} is not a vault"
        let rows = WordWrap.rows(text, width: columns, indent: 2)
        // Each of the six characters takes one column more than in `count`.
        let wide = { (row: String) in row.count + row.unicodeScalars.count { $0.value > 0x3000 } }
        #expect(rows.allSatisfy { wide($0) <= columns })
        #expect(rows.map { $0.trimmingPrefix("  ") }.joined(separator: " ") == text)
        #expect(text.columns == text.count + 6)
    }

    /// A question wraps too, and the answer is typed after a space.
    @Test(arguments: [40, 80])
    func questionsFitTheTerminal(columns: Int) throws {
        let job = try Job(
            ["init", "--vault", "other.db", "--kdf-passes", "1", "--kdf-memory", "8KiB", "--insecure-kdf"],
            environment: ["HOME": folder.path, "LANG": "C.UTF-8", "TERM": "dumb"], directory: folder.path,
            shell: "stty cols \(columns) rows 24 </dev/tty; exec \"$@\"")
        try job.expect("[y/N] ")
        let rows = job.screen.replacing("\r\n", with: "\n").split(separator: "\n")
        #expect(rows.count == (columns == 40 ? 2 : 1) && rows.allSatisfy { $0.count <= columns })
        let question = rows.map { $0.trimmingPrefix("  ") }.joined(separator: " ")
        #expect(question == "Make a key file, which is then needed in addition to the PIN? [y/N] ")
    }

    /// Times differ from run to run.
    private static func words(_ text: String) -> [Substring] {
        text.split { $0 == " " || $0 == "\n" }.filter { !$0.contains(":") || !($0.first?.isNumber ?? false) }
    }

    @Test func pipedTextIsNotWrapped() throws {
        let error = try run(Self.commands[0]).split(separator: "\n")
        #expect(error.count == 2 && error.allSatisfy { $0.hasPrefix("eosvault: ") })
        #expect(error.contains { $0.count > 80 })
    }

    /// Messages as JSON are one line on a terminal too.
    @Test func jsonIsNotWrapped() throws {
        let rows = try run(Self.commands[0] + ["--json"], columns: 40).split(separator: "\n")
        #expect(rows.count == 1 && rows[0].hasPrefix("{\"error\":") && rows[0].hasSuffix("}"))
    }
}
