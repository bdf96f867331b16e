import Glibc
import SecureMemory
import Signing
import WalletAPI

/// A connected client.
final class Client {
    let socket: Int32
    let number: UInt64
    /// The process at the other end, for records.
    let requester: Requester?
    var connection = WalletConnection()

    init(_ socket: Int32, number: UInt64, requester: Requester?) {
        (self.socket, self.number, self.requester) = (socket, number, requester)
    }

    deinit { close(socket) }

    /// What to wait for. A client that has gone is reported in any case.
    func events(isReading: Bool) -> Int16 {
        Int16((connection.output.isEmpty ? 0 : POLLOUT) | (isReading && connection.isReading ? POLLIN : 0))
    }

    /// Looks at what the client sent, and takes only what belongs to one request. The rest stays in
    /// the socket until the request is answered.
    /// - Parameter buffer: guarded memory.
    func receive(in buffer: inout MutableRawSpan, at now: Double) -> WalletConnection.Event {
        let count = read(into: &buffer, count: buffer.byteCount, flags: Int32(MSG_PEEK))
        guard count > 0 else {
            if count == 0 { connection.end(at: now) }
            if count < 0, errno != EAGAIN, errno != EINTR { connection.close() }
            return .none
        }
        var used = 0
        let event = connection.receive(buffer.bytes.extracting(0..<count), used: &used, at: now)
        // The same bytes again: only this process reads the socket.
        if used > 0 { _ = read(into: &buffer, count: used, flags: 0) }
        return event
    }

    private func read(into buffer: inout MutableRawSpan, count: Int, flags: Int32) -> Int {
        unsafe buffer.withUnsafeMutableBytes { unsafe recv(socket, $0.baseAddress, count, flags) }
    }

    /// A client that is not read has an event: it takes the rest of the answer, or it has gone.
    func notice() {
        guard connection.output.isEmpty else { return }
        var state = pollfd(fd: socket, events: 0, revents: 0)
        if unsafe poll(&state, 1, 0) > 0 { connection.close() }
    }

    /// Sends what the socket takes.
    func send(at now: Double) {
        guard !connection.output.isEmpty else { return }
        while !connection.output.isEmpty {
            let count = unsafe connection.output.withUnsafeBytes {
                unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else {
                if errno != EAGAIN, errno != EINTR { connection.close() }
                return
            }
            connection.sent(count, at: now)
        }
        // The client sees the end of the answers, and can still send: see `WalletConnection`.
        if connection.isEnding { shutdown(socket, Int32(SHUT_WR)) }
    }

    /// Refuses a connection without reading it.
    func refuse(_ answer: WalletAnswer) {
        let bytes = answer.bytes(to: nil, closes: true)
        _ = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
    }
}
