import AirGap
import Codecs
import Keys
import Shell
import TestSupport
import Testing
import Transactions

@testable import App

/// A vault with one key, and a terminal that shows codes. Their half-blocks are drawn as pictures,
/// which zbarimg reads.
struct QRFixture {
    static let opened = "\u{1b}[?1049h"
    /// The end of each screen of a sequence.
    static let question = "press any key to end\u{1b}[J"
    static let closed = "\u{1b}[?25h\u{1b}[?1049l"

    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try Files.write(Array("a passphrase of several words".utf8), to: folder.path + "/pin")
        for name in ["transfer.json", "throwaway-key.txt"] {
            try Files.write(repositoryFile("Vectors/examples/\(name)"), to: folder.path + "/" + name)
        }
        try run(["init", "--kdf-passes", "1", "--kdf-memory", "8KiB", "--insecure-kdf", "--pin-file", "pin"])
        try run(["import", "throwaway-key.txt", "--pin-file", "pin", "--label", "one"])
    }

    /// - Parameter more: variables of the environment.
    func start(
        _ arguments: [String], rows: Int, columns: Int = 80, terminal: String = "xterm",
        more: [String: String] = [:]
    ) throws -> Job {
        let environment = ["HOME": folder.path, "LANG": "C.UTF-8", "TERM": terminal]
        return try Job(
            arguments, environment: environment.merging(more) { $1 }, directory: folder.path,
            shell: "stty cols \(columns) rows \(rows) </dev/tty; exec \"$@\" >/dev/tty 2>&1")
    }

    @discardableResult
    func run(
        _ arguments: [String], rows: Int = 50, columns: Int = 80, terminal: String = "xterm",
        status: Int32 = 0, more: [String: String] = [:]
    ) throws -> String {
        let job = try start(arguments, rows: rows, columns: columns, terminal: terminal, more: more)
        try #require(job.next().event == .exited(status), "\(job.screen)")
        return job.screen.replacing("\r\n", with: "\n")
    }

    /// Shows a sequence until its fewest codes were shown, ends it and reads it.
    /// - Returns: the message, and the number of its codes.
    func readSequence(_ job: Job) throws -> (message: UniformResource, count: Int) {
        try job.expect(" are needed; press any key to end")
        let match = try #require(job.screen.firstMatch(of: /at least ([0-9]+) are needed/))
        let count = try #require(Int(match.1))
        try job.expect("code \(count + 1), ")
        try job.type("q")
        try #require(job.next().event == .exited(0))
        var collector = URCollector()
        for frame in job.screen.split(separator: "\u{1b}[H").dropFirst() {
            let rows = Self.rows(frame)
            guard !rows.isEmpty else { continue }
            if let message = try collector.add(try read(rows).utf8.dropLast()) { return (message, count) }
        }
        throw CodeSequenceError.resource(.emptyMessage)
    }

    /// The text that zbarimg reads in the rows of one code: each character is two modules.
    func read(_ rows: [Substring]) throws -> String {
        let modules = rows.flatMap { row -> [[Bool]] in
            [
                row.map { $0 == "\u{2588}" || $0 == "\u{2580}" },
                row.map { $0 == "\u{2588}" || $0 == "\u{2584}" },
            ]
        }
        // A PBM picture, four pixels per module.
        let lines = modules.flatMap { row in
            let line = row.map { $0 ? "1111" : "0000" }.joined()
            return [line, line, line, line]
        }
        let picture =
            "P1\n\((modules.first?.count ?? 0) * 4) \(lines.count)\n" + lines.joined(separator: "\n") + "\n"
        try Files.write(Array(picture.utf8), to: folder.path + "/code.pbm")
        let reader = Child(
            path: "/usr/bin/env",
            arguments: ["zbarimg", "-q", "--raw", "--nodbus", "-S*.disable", "-Sqrcode.enable", "code.pbm"],
            environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"], directory: folder.path)
        let result = try reader.run()
        try #require(result.status == 0, "\(String(decoding: result.error, as: UTF8.self))")
        return String(decoding: result.output, as: UTF8.self)
    }

    /// The rows of a code, which are black on white.
    static func rows(_ screen: some StringProtocol) -> [Substring] {
        screen.split(separator: "\u{1b}[0;30;47;107m").dropFirst().map {
            Substring(String($0.prefix { $0 != "\u{1b}" }))
        }
    }

    /// The message is the transaction that cleos signed and packed.
    func expectSigned(_ resource: UniformResource) throws {
        guard case .transaction(let message) = try AirGapMessage(resource) else {
            Issue.record("another type: \(resource.type.name)")
            return
        }
        let packed = String(
            decoding: try repositoryFile("Vectors/examples/transfer.packed.json"), as: UTF8.self)
        #expect(packed.contains("\"\(Hex.encode(message.transaction.packed))\""))
        #expect(message.transaction.signatures.count == 1)
        for signature in message.transaction.signatures { #expect(packed.contains("\"\(signature.text)\"")) }
    }
}
