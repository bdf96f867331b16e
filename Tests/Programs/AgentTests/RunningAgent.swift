import CChild
import Glibc
import JSON
import TestSupport
import Testing

/// A running agent with a vault, and raw connections to it.
final class RunningAgent {
    static let pin = "a long test PIN"
    /// The key of EOSIO's documentation, which is in the vault with the label `dev`.
    static let key = "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"
    private static let privateKey = "5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3"
    static let chain = "aca376f206b8fc25a6ed44dbdc66547c36c6c33e3a119ffbeaef943642f0e906"

    let folder: TemporaryFolder
    private(set) var process: pid_t = 0
    private let streams: StandardStreams
    /// The ends of its terminal: the user's, and its own.
    private var ends: [Int32] = [-1, -1]
    private var seen: [UInt8] = []

    /// Makes the vault, and starts the agent.
    /// - Parameters:
    ///   - policy: of the key; nil for none.
    ///   - hasTerminal: asks at a terminal. Otherwise, the policies decide.
    ///   - isBackground: a shell starts it in the background of its terminal.
    init(
        _ options: [String] = [], policy: String? = RunningAgent.transfersOfAlice, hasTerminal: Bool = false,
        isBackground: Bool = false
    ) throws {
        folder = try TemporaryFolder()
        streams = try StandardStreams()
        for name in ["data", "state"] { mkdir(folder.path + "/" + name, 0o700) }
        try Files.write(Array(Self.pin.utf8), to: path("pin"))
        try Files.write(Array("another long PIN".utf8), to: path("policy-pin"))
        try Files.write(Array(Self.privateKey.utf8), to: path("key"))
        try eosvault(
            "init", "--pin-file", "pin", "--kdf-passes", "1", "--kdf-memory", "8KiB", "--insecure-kdf")
        try eosvault("import", "key", "--label", "dev", "--force", "--pin-file", "pin")
        if let policy {
            try Files.write(Array(policy.utf8), to: path("policy.json"))
            try eosvault(
                "policy", "set", "dev", "policy.json", "--second", "pin", "--new-second-file", "policy-pin",
                "--pin-file", "pin", "--yes")
        }
        try start(options, hasTerminal: hasTerminal, isBackground: isBackground)
    }

    deinit {
        if process > 0 {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        streams.close()
        ends.forEach { _ = close($0) }
    }

    static let transfersOfAlice = policy(limits: "[]")

    /// Allows transfers of alice.
    static func policy(limits: String) -> String {
        """
        {"version": 1, "chains": ["eos"], "limits": \(limits),
         "rules": [{"contract": "eosio.token", "action": "transfer", "authorization": ["alice@active"]}]}
        """
    }

    func path(_ name: String) -> String { folder.path + "/" + name }
    var socket: String { path("agent.sock") }

    private var environment: [String] {
        ["XDG_DATA_HOME=\(path("data"))", "XDG_STATE_HOME=\(path("state"))", "NO_COLOR=1"]
    }

    /// Runs a command on the vault.
    /// - Parameter input: a file to write before.
    @discardableResult
    func eosvault(_ arguments: String..., input: (name: String, text: String)? = nil) throws -> String {
        if let input { try Files.write(Array(input.text.utf8), to: path(input.name)) }
        let run = try SystemProgram.run(
            ["env", "-i"] + environment + [BuiltProgram.path] + arguments, in: folder.path)
        try #require(run.status == 0, "\(arguments): \(run.text)")
        return run.text
    }

    /// Starts the agent, and waits until it answers.
    func start(
        _ options: [String] = [], hasTerminal: Bool = false, isBackground: Bool = false
    ) throws {
        let agent = try BuiltProgram.folder + "/eosvault-agent"
        let program = isBackground ? "/bin/sh" : agent
        let shell = isBackground ? ["sh", "-mc", "\"$0\" \"$@\" & wait"] : []
        let arguments =
            shell + [agent, "--socket", "agent.sock"] + (hasTerminal ? [] : ["--confirm", "policy"]) + options
        process = withCStrings(arguments) { arguments in
            withCStrings(environment + ["TERM=xterm"]) { environment in
                hasTerminal
                    ? child_start(
                        program, arguments, environment, folder.path, streams.input, streams.output,
                        streams.error, &ends, nil, 0)
                    : child_start(
                        program, arguments, environment, folder.path, streams.input, streams.output,
                        streams.error, nil, nil, 0)
            }
        }
        try #require(process > 0)
        // High enough for a review that is not shown page by page.
        var size = winsize(ws_row: 60, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
        if hasTerminal { try #require(ioctl(ends[0], UInt(TIOCSWINSZ), &size) == 0) }
        try wait {
            try #require(waitpid(process, nil, WNOHANG) == 0, "\(messages)")
            return (try? connect()) != nil
        }
    }

    // MARK: the terminal

    /// Waits for a text at the terminal, after the texts that were waited for before.
    func wait(forText text: String) throws {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            if let end = seen.firstRange(of: Array(text.utf8))?.upperBound {
                seen.removeFirst(end)
                return
            }
            var state = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
            try #require(poll(&state, 1, SafetyLimit.milliseconds) > 0)
            let count = read(ends[0], &buffer, buffer.count)
            try #require(count > 0, "\(String(decoding: seen, as: UTF8.self))")
            seen += buffer[..<count]
        }
    }

    /// Types a line at the terminal.
    func type(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(ends[0], bytes, bytes.count)
    }

    /// What the agent printed.
    var messages: String {
        String(
            decoding: Files.contents(of: streams.output) + Files.contents(of: streams.error), as: UTF8.self)
    }

    /// Waits until the agent ends.
    /// - Returns: its exit status, or 128 + a signal.
    func waitForEnd() -> Int32 {
        var status: Int32 = 0
        guard waitpid(process, &status, 0) == process else { return -1 }
        process = 0
        return status & 0x7f == 0 ? status >> 8 : 128 + status & 0x7f
    }

    // MARK: requests

    func connect() throws -> RawConnection { try RawConnection(to: socket) }

    /// Sends a request on a connection of its own.
    func call(_ path: String, _ body: String = "") throws -> RawAnswer {
        try connect().call(path, body)
    }

    func unlock() throws {
        try #expect(call("wallet/unlock", #"["default","\#(Self.pin)"]"#) == RawAnswer(200, "{}"))
    }

    var isUnlocked: Bool {
        get throws { try call("wallet/list_wallets").body == #"["default *"]"# }
    }

    /// The body of `sign_transaction` for a transfer of alice.
    static func transfer(_ number: Int) -> String { "[\(transaction(number)),[\"\(key)\"],\"\(chain)\"]" }

    /// A transfer of alice.
    static func transaction(_ number: Int) -> String {
        """
        {"expiration":"2106-01-01T00:00:00","ref_block_num":1000,"ref_block_prefix":\(number),\
        "max_net_usage_words":0,"max_cpu_usage_ms":0,"delay_sec":0,"context_free_actions":[],"actions":[\
        {"account":"eosio.token","name":"transfer","authorization":[{"actor":"alice","permission":"active"}],\
        "data":"0000000000855c340000000000000e3d102700000000000004454f53000000000568656c6c6f"}],\
        "transaction_extensions":[],"signatures":[],"context_free_data":[]}
        """
    }

    /// Waits for a state that a correct agent reaches.
    func wait(until isReached: () throws -> Bool) throws {
        for _ in 0..<SafetyLimit.milliseconds / 5 {
            if try isReached() { return }
            usleep(5_000)
        }
        throw SystemFailure("wait")
    }

    /// The records of signatures in the audit log, verified.
    func signatureRecords() throws -> [JSONValue] {
        try eosvault("log", "export", "--pin-file", "pin").split(separator: "\n")
            .map { try JSONValue.parse(Array($0.utf8)) }.filter { $0["event"]?.string == "signed" }
    }
}

/// An answer of the agent.
struct RawAnswer: Equatable {
    let status: Int
    let body: String

    init(_ status: Int, _ body: String) { (self.status, self.body) = (status, body) }

    /// The message of keosd's error.
    var message: String? {
        (try? JSONValue.parse(Array(body.utf8)))?["error"]?["details"]?.array?.first?["message"]?.string
    }
}

/// A connection that sends raw bytes.
final class RawConnection {
    let descriptor: Int32
    private var received: [UInt8] = []

    init(to path: String) throws {
        descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, size)
            }
        }
        guard status == 0 else { throw SystemFailure("connect") }
    }

    deinit { close(descriptor) }

    func send(_ text: String) throws {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw SystemFailure("send") }
            sent += count
        }
    }

    static func request(_ path: String, _ body: String) -> String {
        "POST /v1/\(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    func request(_ path: String, _ body: String = "") throws { try send(Self.request(path, body)) }

    func call(_ path: String, _ body: String = "") throws -> RawAnswer {
        try request(path, body)
        return try answer()
    }

    /// True if an answer arrives within a time.
    func hasAnswer(milliseconds: Int32) -> Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return !received.isEmpty || poll(&state, 1, milliseconds) > 0
    }

    /// Reads the next answer.
    func answer() throws -> RawAnswer {
        while true {
            if let end = received.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound {
                let head = String(decoding: received[..<end], as: UTF8.self)
                let length = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
                    .flatMap { Int($0.dropFirst(16)) }
                let count = try #require(length)
                if received.count >= end + count {
                    let body = String(decoding: received[end..<end + count], as: UTF8.self)
                    received.removeFirst(end + count)
                    return RawAnswer(Int(head.split(separator: " ")[1]) ?? 0, body)
                }
            }
            guard try receive() else { throw SystemFailure("end of the connection") }
        }
    }

    /// True if the agent closes the connection without a further byte.
    func isClosed() throws -> Bool { try received.isEmpty && !receive() }

    private func receive() throws -> Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        try #require(poll(&state, 1, SafetyLimit.milliseconds) > 0)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        received += buffer[..<count]
        return true
    }
}
