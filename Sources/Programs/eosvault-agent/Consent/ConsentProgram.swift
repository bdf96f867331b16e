import CAgent
import Files
import Glibc
import Hardening
import Shell
import Synchronization

/// A program that answers for a person. Several threads can ask it at once.
final class ConsentProgram: Sendable {
    /// The most programs that run at once. Further questions wait.
    static let maximumCount = 4
    /// In seconds. A transaction of cleos lives 30 seconds.
    static let defaultTimeout = 25.0
    static let timeouts = 1...600

    private let path: ConsentPath
    private let starter: FileDescriptor
    /// Held while a connection is requested.
    private let requests = Mutex(())
    private let running = Mutex(0)

    /// Checks the program, and forks the process that starts it. Call it while the process has one
    /// thread, and before the sandbox.
    init(_ path: String) throws(ConsentError) {
        self.path = try ConsentPath(path)
        starter = try ConsentStarter.start(self.path)
    }

    /// The file access that questions need after the sandbox began.
    var access: FileAccess { .descriptor(starter.number) }

    /// How long a thread sleeps before it checks whether a question was withdrawn, in milliseconds.
    private static let pause: Int32 = 20
    /// In seconds: how much later than the time limit the process that enforces it must answer.
    private static let grace = 5.0

    /// Starts the program, gives it the review, and waits for its answer.
    /// - Parameters:
    ///   - json: the review.
    ///   - limit: the most bytes of its answer.
    ///   - timeout: in seconds, from its start.
    ///   - isWithdrawn: true once nobody waits for the answer. The program is then ended.
    func ask(json: [UInt8], limit: Int, timeout: Double, isWithdrawn: @Sendable () -> Bool) -> ConsentAnswer {
        guard let question = ConsentQuestion(json, limit: limit, timeout: timeout) else {
            return ConsentAnswer(.unavailable)
        }
        while !begin() {
            guard !isWithdrawn() else { return ConsentAnswer(.withdrawn) }
            usleep(UInt32(Self.pause) * 1000)
        }
        defer { running.withLock { $0 -= 1 } }
        guard let connection = requestConnection() else { return ConsentAnswer(.unavailable) }
        // The other end kills the program when this one is closed.
        defer { close(connection.number) }
        let deadline = Clock.sinceBoot + timeout + Self.grace
        return Self.exchange(question, over: connection, until: deadline, isWithdrawn)
    }

    private func begin() -> Bool {
        running.withLock { count in
            guard count < Self.maximumCount else { return false }
            count += 1
            return true
        }
    }

    /// - Returns: a connection to a new process that runs the program; nil if there is none.
    private func requestConnection() -> FileDescriptor? {
        requests.withLock { _ in
            guard unsafe send(starter.number, [0] as [UInt8], 1, Int32(MSG_NOSIGNAL)) == 1 else { return nil }
            var file = pollfd(fd: starter.number, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&file, 1, Int32(Self.grace) * 1000) == 1 else { return nil }
            let number = agent_receive_descriptor(starter.number)
            guard number >= 0 else { return nil }
            return FileDescriptor(number)
        }
    }

    private static func exchange(
        _ question: ConsentQuestion, over connection: FileDescriptor, until deadline: Double,
        _ isWithdrawn: () -> Bool
    ) -> ConsentAnswer {
        var message = question.bytes[...]
        var received: [UInt8] = []
        let most = ConsentAnswer.headerSize + Int(question.limit)
        while !isWithdrawn() {
            guard Clock.sinceBoot < deadline else { return ConsentAnswer(.timedOut) }
            let events = POLLIN | (message.isEmpty ? 0 : POLLOUT)
            var file = pollfd(fd: connection.number, events: Int16(events), revents: 0)
            guard unsafe poll(&file, 1, pause) > 0 else { continue }
            if file.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
                guard let bytes = receive(most + 1 - received.count, from: connection) else {
                    return ConsentAnswer(.unavailable)
                }
                received += bytes
                if let answer = ConsentAnswer(received) { return answer }
                guard received.count <= most else { return ConsentAnswer(.unavailable) }
            } else {
                message = message.dropFirst(
                    unsafe message.withUnsafeBytes {
                        let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
                        return unsafe max(0, Glibc.send(connection.number, $0.baseAddress, $0.count, flags))
                    })
            }
        }
        return ConsentAnswer(.withdrawn)
    }

    /// - Returns: empty if nothing has arrived; nil if nothing will arrive.
    private static func receive(_ count: Int, from connection: FileDescriptor) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: count)
        let received = unsafe recv(connection.number, &buffer, count, Int32(MSG_DONTWAIT))
        if received < 0, [EAGAIN, EINTR].contains(errno) { return [] }
        return received > 0 ? Array(buffer[..<received]) : nil
    }
}
