import CChild
import CSQLite
import Glibc
import TestSupport
import Testing

/// Runs one script in a temporary folder.
final class ScriptRunner {
    private let name: String
    private let script: Script
    private let folder: TemporaryFolder
    let work: String
    private let program: String
    /// What a line with `eosvault` runs.
    private var eosvault: String
    var environment: [String: String]
    private var input: [UInt8] = []
    private var terminal: [Child.TerminalStep]?
    private var lacks: UInt32 = 0
    private(set) var last: Child.Result?
    var settings = PageSettings()
    private var agent: BackgroundAgent?

    /// The scripts that wait after failed unlocks.
    private static let waiting = ["policy-keys.txt", "recovery.txt", "waiting.txt", "wrong-pin.txt"]

    /// The C compiler of the Swift toolchain, which can be outside of the folders in the scripts'
    /// PATH.
    private static let compiler: String = {
        let folders = getenv("PATH").map { String(cString: $0) } ?? ""
        return folders.split(separator: ":").map { $0 + "/clang" }.first { access($0, X_OK) == 0 } ?? "cc"
    }()

    init(name: String, text: String) throws {
        self.name = name
        script = try Script(text)
        folder = try TemporaryFolder()
        work = folder.path
        program = try BuiltProgram.path
        eosvault = program
        environment = [
            "HOME": work, "XDG_DATA_HOME": work + "/data", "XDG_STATE_HOME": work + "/state", "WORK": work,
            "XDG_RUNTIME_DIR": work + "/run",
            "VECTORS": ScriptTests.vectors,
            "PATH": try ScriptTests.folder + "/tools:" + BuiltProgram.folder + ":" + BuiltProgram.debugFolder
                + ":/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "CC": Self.compiler,
            "DEBUG_PROGRAM": BuiltProgram.debugFolder + "/eosvault",
        ]
    }

    func run() throws {
        for file in script.files { try write(file.content, to: file.name) }
        for line in script.lines { try run(line) }
    }

    private func run(_ line: Script.Line) throws {
        var words = line.words
        var negated = false
        var status: Int32 = 0
        if words[0] == "!" {
            negated = true
            status = 1
            words.removeFirst()
        } else if let number = Int32(words[0]) {
            status = number
            words.removeFirst()
        }
        let place = "\(name):\(line.number)"
        // A shell gets the folder from its environment. In a pattern, the folder's characters are
        // escaped.
        let folder = ["stdout", "stderr", "screen"].contains(words[0]) ? Self.escaped(work) : work
        let arguments = words.dropFirst().map { words[0] == "sh" ? $0 : $0.replacing("$WORK", with: folder) }
        switch words[0] {
        case "eosvault": try execute(eosvault, arguments, expecting: status, place)
        // This one lends devices in software to the program.
        case "devices":
            let folder = ScriptTests.folder + "/devices"
            eosvault = folder + "/eosvault"
            environment["PATH"] = folder + ":" + (environment["PATH"] ?? "")
        case "eosvault-agent": try execute(program + "-agent", arguments, expecting: status, place)
        case "agent": agent = try BackgroundAgent(program + "-agent", arguments, environment, in: work)
        case "agent-ends":
            let ended = try agent?.end()
            #expect(ended == status, "\(place): \(text(agent?.output() ?? []))")
            agent = nil
        case "sh": try execute("/bin/sh", ["-c"] + arguments, expecting: status, place)
        case "stdin": input = try read(arguments[0])
        case "terminal": terminal = []
        case "expect": terminal?.append(.init(expected: arguments[0], typed: nil))
        case "type": type(arguments.first ?? "")
        case "paste": type(text(try read(arguments[0])))
        case "word": terminal?.append(.init(expected: "", typed: nil, typesWord: true))
        case "phrase":
            settings.answers.phrase = ShownPhrase.words(in: last?.terminal ?? [])
            try write(Array(ShownPhrase.text(in: last?.terminal ?? []).utf8), to: arguments[0])
        case "shares":
            for (number, words) in zip(1..., ShownPhrase.shares(in: last?.terminal ?? [])) {
                try write(Array(ShownPhrase.text(of: words).utf8), to: "\(arguments[0]).\(number)")
            }
        case "stdout": try match(last?.output ?? [], arguments[0], negated, "stdout", place)
        case "stderr": try match(last?.error ?? [], arguments[0], negated, "stderr", place)
        case "screen": try match(last?.terminal ?? [], arguments[0], negated, "the terminal", place)
        case "cmp": try compare(arguments[0], arguments[1], place)
        case "sql": try change(arguments[0], by: arguments[1])
        case "exists":
            let exists = access(path(arguments[0]), F_OK) == 0
            #expect(exists != negated, "\(place): \(arguments[0]) \(exists ? "exists" : "is missing")")
        case "mode": try mode(arguments[0], arguments[1], place)
        case "env":
            let parts = arguments[0].split(separator: "=", maxSplits: 1)
            environment[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
        case "unset": environment[arguments[0]] = nil
        case "answer": settings.answers.lines[arguments[0]] = arguments[1]
        case "before": settings.before[arguments[0]] = arguments[1]
        case "fails": settings.statuses[arguments[1]] = Int32(arguments[0])
        case "page-tools": usePageTools()
        case "page": try runPage(arguments[0], place)
        case "lacking": lacks = try arguments.reduce(0) { try $0 | Self.lack(of: $1) }
        default: Issue.record("\(place): no such step: \(words[0])")
        }
    }

    private static func lack(of call: String) throws -> UInt32 {
        switch call {
        case "O_TMPFILE": UInt32(CHILD_LACKS_UNNAMED)
        case "renameat2": UInt32(CHILD_LACKS_RENAME)
        case "linkat": UInt32(CHILD_LACKS_LINK)
        default: throw Child.Failure.system("lacking \(call)", EINVAL)
        }
    }

    /// Runs a command line of the shell, with a terminal if there are answers.
    func runShell(
        _ line: String, expecting status: Int32, _ place: String, answers: TerminalAnswers? = nil
    ) throws {
        if answers != nil { terminal = [] }
        try execute("/bin/sh", ["-c", line], expecting: status, place, answers: answers ?? TerminalAnswers())
    }

    private func execute(
        _ program: String, _ arguments: [String], expecting status: Int32, _ place: String,
        answers: TerminalAnswers = TerminalAnswers()
    ) throws {
        var child = Child(
            path: program, arguments: arguments, environment: environment, directory: work, input: input,
            terminal: terminal, lacks: lacks)
        child.answers = answers
        (input, terminal) = ([], nil)
        let result = try child.run()
        last = result
        if program == self.program {
            JSONOutputCheck.check(arguments, output: text(result.output), error: text(result.error), place)
        }
        #expect(
            result.status == status,
            """
            \(place): exit status \(result.status) instead of \(status)
            \(text(result.output))\(text(result.error))\(text(result.terminal))
            """
        )
        #expect(!result.marksPastes, "\(place): the terminal still marks pasted text")
        // Only these scripts wait after failed attempts. Other scripts remove the attempts: `sql …
        // 'DELETE FROM failed_unlocks'`.
        #expect(
            Self.waiting.contains(name) || !text(result.error).contains("because of failed unlocks"),
            "\(place): waited"
        )
        // A refused command writes nothing to standard output. `verify`, `check`, `rescue`,
        // `signatures`, `msig status` and imports of many keys report their results there.
        if status == 1 || status == 64, program == self.program, !arguments.contains("--lines"),
            !arguments.contains("--from"),
            !arguments.contains("verify"), !arguments.contains("check"),
            arguments.first != "rescue", !arguments.starts(with: ["msig", "status"]),
            arguments.first != "signatures" || !arguments.contains("--authority")
        {
            #expect(
                result.output.isEmpty, "\(place): a refusal wrote to standard output: \(text(result.output))")
        }
    }

    private func type(_ text: String) {
        var steps = terminal ?? []
        // A line without a wait before it is typed at once.
        let isAwaited = steps.last.map { $0.typed == nil && !$0.typesWord } ?? false
        let expected = isAwaited ? steps.removeLast().expected : ""
        steps.append(.init(expected: expected, typed: text))
        terminal = steps
    }

    private func match(
        _ bytes: [UInt8], _ pattern: String, _ negated: Bool, _ stream: String, _ place: String
    ) throws {
        let regex = try Regex(pattern).anchorsMatchLineEndings()
        let text = text(bytes)
        let found = try regex.firstMatch(in: text) != nil
        #expect(found != negated, "\(place): \(stream) is:\n\(text)")
    }

    private func compare(_ first: String, _ second: String, _ place: String) throws {
        let (a, b) = try (read(first), read(second))
        #expect(a == b, "\(place): \(first) and \(second) differ:\n\(text(a))\n---\n\(text(b))")
    }

    private func mode(_ file: String, _ wanted: String, _ place: String) throws {
        var status = stat()
        guard lstat(path(file), &status) == 0 else { throw Child.Failure.system("lstat \(file)", errno) }
        #expect(String(status.st_mode & 0o7777, radix: 8) == wanted, "\(place): mode of \(file)")
    }

    private func change(_ file: String, by sql: String) throws {
        var database: OpaquePointer?
        var result = sqlite3_open_v2(path(file), &database, SQLITE_OPEN_READWRITE, nil)
        defer { sqlite3_close_v2(database) }
        if result == SQLITE_OK { result = sqlite3_exec(database, sql, nil, nil, nil) }
        guard result == SQLITE_OK else { throw Child.Failure.system("sql \(file)", result) }
    }

    // MARK: - files

    private func path(_ name: String) -> String { name.hasPrefix("/") ? name : work + "/" + name }

    private func read(_ name: String) throws -> [UInt8] {
        switch name {
        case "stdout": last?.output ?? []
        case "stderr": last?.error ?? []
        default: try Self.contents(of: path(name))
        }
    }

    static func contents(of path: String) throws -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Child.Failure.system("open \(path)", errno) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            guard count >= 0 else { throw Child.Failure.system("read \(path)", errno) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    private func write(_ bytes: [UInt8], to name: String) throws {
        let file = open(path(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Child.Failure.system("open \(name)", errno) }
        defer { close(file) }
        guard bytes.isEmpty || Glibc.write(file, bytes, bytes.count) == bytes.count else {
            throw Child.Failure.system("write \(name)", errno)
        }
    }

    private static func escaped(_ text: String) -> String {
        text.map { $0.isLetter || $0.isNumber || $0 == "/" ? String($0) : "\\\($0)" }.joined()
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
