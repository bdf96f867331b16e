import CToken
import Codecs
import Files
import Glibc
import Tokens

/// A process with one module.
final class Worker {
    private let process: Int32
    private let requests: FileDescriptor
    private let answers: FileDescriptor
    private let milliseconds: UInt32
    /// The answer to all further requests, after it ended.
    private var last: TokenAnswer?

    /// - Parameter milliseconds: the time for each answer.
    /// - Returns: nil if no process can be started. In the new process, it does not return.
    init?(_ milliseconds: UInt32) {
        var (requests, answers): (Int32, Int32) = (-1, -1)
        process = unsafe token_fork(&requests, &answers)
        guard process >= 0 else { return nil }
        (self.requests, self.answers) = (FileDescriptor(requests), FileDescriptor(answers))
        self.milliseconds = min(max(milliseconds, 1), 600_000)
        if process == 0 { ModuleServer.run(self.requests, self.answers) }
    }

    /// Passes a request on, and waits for the answer.
    /// - Parameter message: the request, if it can be parsed.
    func answer(to request: RawSpan, _ message: TokenRequest?) -> [UInt8] {
        if let last { return last.bytes }
        send(request)
        return answer(within: message?.milliseconds(usual: milliseconds) ?? milliseconds)
    }

    private func send(_ request: RawSpan) {
        var writer = ByteWriter()
        writer.write(integer: UInt32(request.byteCount))
        do {
            unsafe try requests.write(writer.bytes.span.bytes)
            try requests.write(request)
        } catch {}
    }

    private func answer(within milliseconds: UInt32) -> [UInt8] {
        let deadline = Uptime.seconds + Double(milliseconds) / 1000
        guard let header = receive(4, until: deadline) else { return finish(until: deadline).bytes }
        let count = Frame.count(header)
        guard (1...TokenRequest.maximumCount).contains(count), let bytes = receive(count, until: deadline)
        else {
            return finish(until: deadline).bytes
        }
        return bytes
    }

    /// - Returns: nil if the process ended, or the time is over.
    private func receive(_ count: Int, until deadline: Double) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let left = deadline - Uptime.seconds
            guard left > 0 else { return nil }
            var file = pollfd(fd: answers.number, events: Int16(POLLIN), revents: 0)
            // A process that the module started can keep the pipe open after the end of its parent.
            let ready = unsafe poll(&file, 1, Int32(min(left, 0.1) * 1000) + 1)
            guard ready > 0 else {
                if token_has_ended(process) != 0 { return nil }
                continue
            }
            var buffer = [UInt8](repeating: 0, count: count - bytes.count)
            let received = unsafe read(answers.number, &buffer, buffer.count)
            if received < 0, errno == EINTR { continue }
            guard received > 0 else { return nil }
            bytes += buffer[..<received]
        }
        return bytes
    }

    private func finish(until deadline: Double) -> TokenAnswer {
        let isLate = Uptime.seconds >= deadline && token_has_ended(process) == 0
        let signal = end()
        let answer = isLate ? TokenAnswer.timedOut : .ended(signal: signal)
        last = answer
        return answer
    }

    /// The process logs out and ends; after a second, it is killed.
    func finish() {
        guard last == nil else { return }
        close(requests.number)
        let deadline = Uptime.seconds + 1
        while token_has_ended(process) == 0, Uptime.seconds < deadline { usleep(2_000) }
        close(answers.number)
        last = .ended(signal: UInt8(truncatingIfNeeded: token_end(process)))
    }

    /// Kills the process.
    /// - Returns: the signal that ended it; 0 if it exited.
    private func end() -> UInt8 {
        close(requests.number)
        close(answers.number)
        return UInt8(truncatingIfNeeded: token_end(process))
    }
}
