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
        let job = try start(arguments, columns: columns)
        guard case .exited = try job.next().event else { return "" }
        return job.screen.replacing("\r\n", with: "\n")
    }

    private func start(_ arguments: [String], columns: Int?) throws -> Job {
        let shell =
            columns.map { "stty cols \($0) rows 24 </dev/tty; exec \"$@\" >/dev/tty 2>&1" }
            ?? "\"$@\" 2>&1 </dev/tty | cat >/dev/tty"
        return try Job(
            arguments,
            environment: ["HOME": folder.path, "LANG": "C.UTF-8", "TERM": "dumb", "NO_COLOR": "1"],
            directory: folder.path, shell: shell)
    }

    private static let commands = [
        ["list", "--vault", "no such folder of this user/with a vault/vault.db"],
        ["sign", "missing.json", "--chain", "eos"],
        ["slot", "list"], ["show", "treasury"], ["check", "--pin-file", "pin"], ["log", "--pin-file", "pin"],
        ["backup", "/no such folder/copy.db", "--pin-file", "pin"], ["doctor"],
        ["chains"], ["abi", "list"], ["abi", "show", "eosio.token"],
    ]

    @Test(arguments: commands, [40, 80, 120, 200])
    func textFitsTheTerminal(arguments: [String], columns: Int) throws {
        let shown = try run(arguments, columns: columns)
        Self.expect(shown, fits: columns)
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

    /// What a command shows before its question.
    private static let questions = [
        (["policy", "set", "treasury", "policy.json", "--second", "pin"], "Set this policy?"),
        (["policy", "remove", "limited"], "Remove this policy?"),
        (["abi", "pin", "eosio.token", "abi.json", "--chain", "eos"], "Pin this ABI?"),
    ]

    @Test(arguments: questions, [40, 80])
    func changesFitTheTerminal(question: (arguments: [String], text: String), columns: Int) throws {
        try makePolicy()
        let abi = #"{"version":"eosio::abi/1.2","structs":[],"actions":[],"types":[],"tables":[]}"#
        try Files.write(Array(abi.utf8), to: folder.path + "/abi.json")
        let job = try start(question.arguments, columns: columns)
        try job.expect("[y/N] ")
        try job.type("n\n")
        _ = try job.next()
        let shown = job.screen.replacing("\r\n", with: "\n")
        try #require(shown.contains(question.text))
        Self.expect(shown, fits: columns)
    }

    /// The policy with the numbers of its lines, and the headers of a signed request.
    @Test(arguments: [40, 80])
    func resultsFitTheTerminal(columns: Int) throws {
        try makePolicy()
        try Files.write(Array("secret".utf8), to: folder.path + "/secret")
        try run([
            "credential", "add", "exchange", "--profile", "bitbank", "--key-id", "public", "--secret-file",
            "secret", "--pin-file", "pin",
        ])
        let sign = ["credential", "sign", "exchange", "--method", "GET", "--pin-file", "pin", "--url"]
        for arguments in [["policy", "show", "limited"], sign + ["https://api.bitbank.cc/v1/user/assets"]] {
            let shown = try run(arguments, columns: columns)
            Self.expect(shown, fits: columns)
            #expect(shown.contains(/[0-9a-f]{64}\n/) && !shown.contains("error"), "\(shown)")
        }
    }

    @Test(arguments: [40, 80])
    func codesFitTheTerminal(columns: Int) throws {
        let job = try start(["codes"], columns: columns)
        // The program waits until its text is read.
        try job.expect("abi-unusable-type")
        _ = try job.next()
        Self.expect(job.screen.replacing("\r\n", with: "\n"), fits: columns)
    }

    private func makePolicy() throws {
        let policy = """
            {"version": 1, "chains": ["eos"], "rules": [{"name": "the rewards",
            "contract": "eosio", "action": "claimrewards", "authorization": ["bob@claim"]}]}
            """
        try Files.write(Array(policy.utf8), to: folder.path + "/policy.json")
        try run(["create", "--label", "limited", "--pin-file", "pin"])
        try run([
            "policy", "set", "limited", "policy.json", "--second", "pin", "--new-second-file", "wrong",
            "--pin-file", "pin", "--yes",
        ])
    }

    /// A row that is too wide has one word after its margin.
    private static func expect(_ shown: String, fits columns: Int) {
        for row in shown.split(separator: "\n") where row.count > columns {
            #expect(row.split(separator: " ").count == 1, "at \(columns): \(row)")
        }
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
