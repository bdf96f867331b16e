import CChild
import Files
import Glibc
import TestSupport
import Testing

@testable import eosvault_agent

/// The agent as its own process, for a new vault with a policy of all keys.
final class ReplayAgent {
    private let folder: TemporaryFolder
    private let process: pid_t

    /// - Parameters:
    ///   - pin: the PIN of the vault.
    ///   - keys: private keys in the vault.
    ///   - policy: what every key may sign.
    ///   - arguments: of `serve`.
    init(pin: String, keys: [String], policy: String, _ arguments: [String] = []) throws {
        folder = try TemporaryFolder()
        for (name, text) in [("pin", pin), ("second", "the PIN of policies"), ("policy", policy)] {
            try TestSupport.Files.write(Array((text + "\n").utf8), to: folder.path + "/" + name)
            chmod(folder.path + "/" + name, 0o600)
        }
        try Self.prepare(folder.path, keys)
        let streams = try StandardStreams(input: [])
        defer { streams.close() }
        process = try SystemProgram.start(
            ["XDG_STATE_HOME=\(folder.path)", BuiltProgram.path + "-agent", "serve", "--vault"]
                + [folder.path + "/vault", "--socket", folder.path + "/socket", "--confirm", "policy"]
                + arguments, streams.input, streams.output, streams.error, in: folder.path)
        for _ in 0..<6_000 where access(folder.path + "/socket", F_OK) != 0 { usleep(10_000) }
        try #require(access(folder.path + "/socket", F_OK) == 0)
    }

    deinit {
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }

    /// Makes the vault.
    private static func prepare(_ folder: String, _ keys: [String]) throws {
        let kdf = ["--kdf-passes", "1", "--kdf-memory", "8KiB", "--insecure-kdf"]
        try run(["init"] + kdf, folder)
        for key in keys {
            try TestSupport.Files.write(Array((key + "\n").utf8), to: folder + "/key")
            chmod(folder + "/key", 0o600)
            try run(["import", "key"], folder)
            unlink(folder + "/key")
        }
        let second = ["--second", "pin", "--new-second-file", "second", "--yes"]
        try run(["policy", "set", "--all", "policy"] + second, folder)
    }

    private static func run(_ arguments: [String], _ folder: String) throws {
        let (text, status) = try SystemProgram.run(
            ["XDG_STATE_HOME=\(folder)", BuiltProgram.path] + arguments
                + ["--vault", folder + "/vault", "--pin-file", folder + "/pin"], in: folder)
        try #require(status == 0, "\(arguments): \(text)")
    }

    /// Sends bytes on a new connection.
    /// - Parameters:
    ///   - count: how many answers will follow.
    ///   - isHalfClosed: true to send no more afterwards.
    ///   - isClosed: true if the agent will close the connection.
    func exchange(
        _ bytes: [UInt8], answers count: Int, isHalfClosed: Bool = false, closes: Bool = false
    ) throws -> (answers: [HTTPAnswer], isClosed: Bool) {
        let socket = try #require(UnixAddress(path: folder.path + "/socket")).connect()
        defer { close(socket.number) }
        #expect(send(socket.number, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
        if isHalfClosed { shutdown(socket.number, Int32(SHUT_WR)) }
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            // An end that nobody expects would follow the answer at once.
            let isWhole = !closes && (try? HTTPAnswer.all(in: output))?.count == count
            var waited = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
            guard poll(&waited, 1, isWhole ? 100 : SafetyLimit.milliseconds) > 0 else {
                return (try HTTPAnswer.all(in: output), false)
            }
            let read = recv(socket.number, &buffer, buffer.count, 0)
            guard read > 0 else { return (try HTTPAnswer.all(in: output), true) }
            output += buffer[..<read]
        }
    }

    /// A call that must succeed.
    func call(_ path: String, _ body: String) throws {
        let text = "POST /v1/wallet/\(path) HTTP/1.1\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        let found = try exchange(Array(text.utf8), answers: 1).answers
        try #require(found.first.map { [200, 201].contains($0.status) } == true, "\(path): \(found)")
    }

    func lock() throws { try call("lock", #""default""#) }
}
