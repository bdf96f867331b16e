import Files
import Glibc
import JSON
import SecureMemory
import Shell
import WalletAPI

/// A connection to the agent, for one request after the other.
struct AgentConnection {
    let socket: FileDescriptor
    private var reader = AnswerReader()
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)

    init(_ socket: FileDescriptor) { self.socket = socket }

    /// Sends a request and waits for its answer, without a limit of time: a person may decide.
    mutating func call(_ call: WalletCall, _ body: [UInt8] = []) throws(ClientError) -> JSONValue {
        try send(call, body)
        return try Self.value(wait())
    }

    /// As `call`, with a body in guarded memory.
    /// - Parameter waiting: called again and again while the agent works.
    mutating func call(
        _ call: WalletCall, secret body: borrowing SecureBytes, waiting: () -> Void
    ) throws(ClientError) -> JSONValue {
        try write(call.header(bodyCount: body.count))
        try body.withBytes { body throws(ClientError) in try write(body) }
        var waited = [pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)]
        repeat { waiting() } while unsafe poll(&waited, 1, 100) <= 0
        return try Self.value(wait())
    }

    func close() { Glibc.close(socket.number) }

    func send(_ call: WalletCall, _ body: [UInt8]) throws(ClientError) {
        try write(call.header(bodyCount: body.count) + body)
    }

    private func write(_ bytes: [UInt8]) throws(ClientError) { try unsafe write(bytes.span.bytes) }

    private func write(_ bytes: RawSpan) throws(ClientError) {
        do { try socket.write(bytes) } catch {
            throw error.number == EPIPE || error.number == ECONNRESET ? .closed : .io(errno: error.number)
        }
    }

    private mutating func wait() throws(ClientError) -> ReceivedAnswer {
        while true { if let answer = try receive() { return answer } }
    }

    /// Reads once.
    /// - Returns: nil if the answer is not complete.
    mutating func receive() throws(ClientError) -> ReceivedAnswer? {
        let count: Int
        do {
            count = try buffer.withMutableRawSpan { [socket] span throws(FileError) in
                try socket.read(into: &span, in: 0..<span.byteCount)
            }
        } catch { throw error.number == ECONNRESET ? .closed : .io(errno: error.number) }
        guard count > 0 else { throw .closed }
        do { return try reader.add(buffer[..<count]) } catch { throw .malformed(error) }
    }

    /// The JSON of an answer, or its error.
    static func value(_ answer: ReceivedAnswer) throws(ClientError) -> JSONValue {
        guard answer.isSuccess else { throw ClientError(answer) }
        guard let value = try? JSONValue.parse(answer.body) else { throw .wrongAnswer }
        return value
    }
}
