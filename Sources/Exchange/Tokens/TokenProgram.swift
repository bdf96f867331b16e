import Codecs
import Files
import Glibc
import SecureMemory

/// The connection to `eosvault-token`, which loads the modules of vendors: two pipes. It starts at
/// the first request, and ends when its standard input is closed.
package final class TokenProgram {
    /// How much longer than a module this program waits for an answer, in milliseconds.
    private static let grace: UInt32 = 5_000

    private let request: FileDescriptor
    private let answer: FileDescriptor
    /// How long each call of a module may take, in milliseconds.
    package let milliseconds: UInt32
    private var isStarted = false
    private var hasFailed = false
    private var lastChannel: UInt32 = 0
    /// Requests whose answers were not received yet. They are answered in order.
    private var waiting: [Ticket] = []
    private let startsWithByte: Bool

    /// - Parameters:
    ///   - request, answer: pipes to and from `eosvault-token`. They are closed when this value
    ///     ends.
    ///   - isOffered: true if the process becomes `eosvault-token` after one byte.
    package init(
        request: FileDescriptor, answer: FileDescriptor, milliseconds: UInt32, isOffered: Bool
    ) {
        (self.request, self.answer, self.milliseconds) = (request, answer, milliseconds)
        startsWithByte = isOffered
    }

    /// Waits until the tokens are logged out, at most two seconds.
    deinit {
        close(request.number)
        if isStarted, !hasFailed { _ = isReadable(within: 2_000) }
        close(answer.number)
    }

    /// A new channel. Its number is not used again.
    func newChannel() -> UInt32 {
        lastChannel &+= 1
        return lastChannel
    }

    /// Logs out, and ends the process of a channel.
    func end(_ channel: UInt32) { _ = try? perform(.close, on: channel) }

    /// Sends a request and waits for its answer.
    /// - Returns: the bytes of the answer.
    func perform(_ message: TokenRequest, on channel: UInt32) throws(TokenError) -> [UInt8] {
        try answer(to: send(message, on: channel))
    }

    /// A request that was sent.
    final class Ticket {
        fileprivate let milliseconds: UInt32
        fileprivate var answer: TokenAnswer?

        fileprivate init(_ milliseconds: UInt32) { self.milliseconds = milliseconds }
    }

    /// The most requests that wait for answers. More could fill both pipes.
    private static let maximumWaiting = 8

    /// Sends a request. Its answer can be read later, after that of other requests.
    func send(_ message: TokenRequest, on channel: UInt32) throws(TokenError) -> Ticket {
        try send(message, on: channel) { () throws(FileError) in }
    }

    /// Waits for the answer to a request.
    /// - Returns: the bytes of the answer.
    func answer(to ticket: Ticket) throws(TokenError) -> [UInt8] {
        while true {
            if let answer = ticket.answer { return try answer.result }
            try receive()
        }
    }

    /// Receives the answer to the oldest request.
    private func receive() throws(TokenError) {
        guard !hasFailed, let ticket = waiting.first else { throw .programFailed }
        let bytes = try receive(within: ticket.milliseconds)
        guard let answer = try? TokenAnswer(bytes) else {
            hasFailed = true
            throw .programFailed
        }
        isAnswered = true
        ticket.answer = answer
        waiting.removeFirst()
    }

    /// Logs in. The PIN is written from its guarded memory.
    func logIn(_ pin: borrowing SecureBytes, on channel: UInt32) throws(TokenError) {
        try pin.withBytes { span throws(TokenError) in
            let login = TokenRequest.login(pinCount: UInt16(span.byteCount))
            _ = try answer(to: send(login, on: channel) { () throws(FileError) in try request.write(span) })
        }
    }

    private func send(
        _ message: TokenRequest, on channel: UInt32, thenWriting rest: () throws(FileError) -> Void
    ) throws(TokenError) -> Ticket {
        guard !hasFailed else { throw .programFailed }
        while waiting.count >= Self.maximumWaiting { try receive() }
        let body = message.bytes
        var count = body.count + 4
        if case .login(let pinCount) = message { count += Int(pinCount) }
        var writer = ByteWriter()
        if !isStarted, startsWithByte { writer.write(byte: 0) }
        writer.write(integer: UInt32(count))
        writer.write(integer: channel)
        writer.write(bytes: body)
        isStarted = true
        do {
            try HeldSignals.withoutPipeSignal { () throws(FileError) in
                try unsafe request.write(writer.bytes.span.bytes)
                try rest()
            }
        } catch {
            hasFailed = true
            throw isAnswered ? .programFailed : .noProgram(errno: nil)
        }
        let ticket = Ticket(message.milliseconds(usual: milliseconds) + Self.grace)
        waiting.append(ticket)
        return ticket
    }

    private var isAnswered = false

    /// - Parameter limit: in milliseconds.
    private func receive(within limit: UInt32) throws(TokenError) -> [UInt8] {
        let header = try receive(4, within: limit)
        let count = header.reversed().reduce(0) { $0 << 8 | Int($1) }
        guard (1...TokenRequest.maximumCount).contains(count) else {
            hasFailed = true
            throw .programFailed
        }
        return try receive(count, within: limit)
    }

    /// Waits for bytes, or for the end of the program.
    private func isReadable(within limit: UInt32) -> Bool {
        while true {
            var file = pollfd(fd: answer.number, events: Int16(POLLIN), revents: 0)
            let ready = unsafe poll(&file, 1, Int32(clamping: limit))
            if ready >= 0 || errno != EINTR { return ready > 0 }
        }
    }

    private func receive(_ count: Int, within limit: UInt32) throws(TokenError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            guard isReadable(within: limit) else {
                hasFailed = true
                throw .timedOut
            }
            var buffer = [UInt8](repeating: 0, count: count - bytes.count)
            let received = unsafe read(answer.number, &buffer, buffer.count)
            if received < 0, errno == EINTR { continue }
            guard received > 0 else {
                hasFailed = true
                throw isAnswered ? .programFailed : .noProgram(errno: nil)
            }
            bytes += buffer[..<received]
        }
        return bytes
    }
}

extension TokenAnswer {
    var result: [UInt8] {
        get throws(TokenError) {
            switch self {
            case .done(let bytes): return bytes
            case .timedOut: throw .timedOut
            case .ended(let signal): throw .crashed(signal: signal)
            case .failed(let call, let code, let detail):
                switch code {
                case ReturnValue.notLoaded: throw .module(.notLoaded(TokenText.line(detail)))
                case ReturnValue.notAModule: throw .module(.notPKCS11)
                case TokenProblemCode.relative: throw .module(.notAbsolute)
                case TokenProblemCode.missing: throw .module(.missing(errno: Int32(detail) ?? 0))
                case TokenProblemCode.writable: throw .module(.writable(TokenText.line(detail)))
                case TokenProblemCode.notNamed: throw .module(.notNamed(TokenText.line(detail)))
                case ReturnValue.tooMany: throw .tooMany(TokenText.line(call))
                case ReturnValue.invalidAnswer, ReturnValue.tooLarge:
                    throw .invalidAnswer(TokenText.line(call))
                case ReturnValue.pinLocked: throw .pinLocked
                case ReturnValue.pinLength, ReturnValue.pinInvalid: throw .pinLength
                case ReturnValue.pinIncorrect: throw .wrongPIN(.all)
                default: throw .call(TokenText.line(call), code: code)
                }
            }
        }
    }
}

/// Text of `eosvault-token` that an error repeats.
enum TokenText {
    /// A line of at most 200 printable ASCII characters.
    static func line(_ text: String) -> String {
        String(decoding: text.utf8.prefix(200).map { (0x20..<0x7f).contains($0) ? $0 : 0x3f }, as: UTF8.self)
    }
}
