import Shell
import TestSupport
import Testing

@testable import App

/// `list` on a terminal: a table, which fits the terminal's width.
struct ListTerminalTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try Files.write(Array("a passphrase of several words".utf8), to: folder.path + "/pin")
        try run(["init", "--kdf-passes", "1", "--kdf-memory", "8KiB", "--insecure-kdf", "--pin-file", "pin"])
    }

    @discardableResult
    private func run(_ arguments: [String], columns: Int = 80) throws -> String {
        let job = try Job(
            arguments, environment: ["HOME": folder.path, "LANG": "C.UTF-8", "TERM": "xterm"],
            directory: folder.path,
            shell: "stty cols \(columns) rows 24 </dev/tty; exec \"$@\" >/dev/tty 2>&1")
        try #require(job.next().event == .exited(0))
        return job.screen.replacing("\r\n", with: "\n")
    }

    @Test func emptyVaultNamesTheNextStep() throws {
        #expect(try run(["list"]) == "eosvault: note: no keys yet: `eosvault create`\n")
    }

    @Test(arguments: [80, 120])
    func tableHasAHeaderAndOneFootnote(columns: Int) throws {
        try run(["create", "--label", "treasury", "--pin-file", "pin"])
        try run(["backup", "copy.db", "--pin-file", "pin"])
        try run(["create", "--label", "cold", "--pin-file", "pin"])
        let rows = try run(["list"], columns: columns).split(
            separator: "\n", omittingEmptySubsequences: false)
        try #require(rows.count >= 5)
        #expect(rows[0] == "KEY" + String(repeating: " ", count: 52) + "BACKUP  LABEL")
        // Keys of the same second are in the order of their names.
        let keys = rows[1...2].map { $0.drop { $0 != " " } }.sorted()
        #expect(
            rows[1...2].allSatisfy { $0.hasPrefix("EOS") }
                && keys == ["  NO      cold", "  yes     treasury"])
        #expect(rows[3].isEmpty)
        let note = rows[4...].filter { !$0.isEmpty }.joined(separator: " ")
        #expect(
            note
                == "Not verified: read from the file without a PIN. `eosvault list --verify` verifies the list."
        )
        #expect(rows.allSatisfy { $0.count <= columns && !$0.contains("unverified") })
        let verified = try run(["list", "--verify", "--pin-file", "pin"], columns: columns)
        #expect(verified.contains("  NO      cold\n") && !verified.contains("erified:"))
    }

    /// The key is not split by the program; its label is in the next row.
    @Test func narrowTableKeepsEachKeyWhole() throws {
        try run(["create", "--label", "a label with more than 24 letters", "--pin-file", "pin"])
        for columns in [40, 80] {
            let rows = try run(["list"], columns: columns).split(separator: "\n")
            let key = try #require(rows.first { $0.hasPrefix("EOS") })
            #expect(key.count == 53)
            #expect(rows.contains("  BACKUP  LABEL"))
            let labelRows = rows.drop { !$0.hasPrefix("  NO") }.prefix { $0.hasPrefix("  ") }
            #expect(
                Array(labelRows)
                    == (columns == 80
                        ? ["  NO      a label with more than 24 letters"]
                        : ["  NO      a label with more than 24 lett", "  > ers"]))
        }
    }

    /// A character of two columns is in one row, and the rest of a label has a mark.
    @Test func wideLabelFitsTheTable() throws {
        let wide = { String(repeating: "\u{6f22}", count: $0) }
        try run(["create", "--label", wide(30) + " WARNING none", "--pin-file", "pin"])
        let expected = [
            60: ["  NO      \(wide(25))", "  > \(wide(5)) WARNING none"],
            61: ["  NO      \(wide(25))", "  > \(wide(5)) WARNING none"],
            80: ["  NO      \(wide(30)) WARNING n", "  > one"],
            120: ["  NO      \(wide(30)) WARNING none"],
        ]
        for (columns, labelRows) in expected {
            let rows = try run(["list"], columns: columns).split(separator: "\n").map(String.init)
            #expect(rows.allSatisfy { $0.columns <= columns })
            #expect(Array(rows.drop { !$0.hasPrefix("  NO") }.prefix { $0.hasPrefix("  ") }) == labelRows)
        }
        let whole = try run(["list"], columns: 136).split(separator: "\n")
        #expect(whole.contains { $0.hasSuffix("  NO      \(wide(30)) WARNING none") && $0.hasPrefix("EOS") })
    }
}
