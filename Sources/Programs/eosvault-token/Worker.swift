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

    /// Passes a request on. A process that has ended gets none.
    func send(_ request: RawSpan) {
        guard last == nil else { return }
        var writer = ByteWriter()
        writer.write(integer: UInt32(request.byteCount))
        do {
            unsafe try requests.write(writer.bytes.span.bytes)
            try requests.write(request)
        } catch {}
    }

    /// Waits for the answer.
    func answer() -> [UInt8] {
        if let last { return last.bytes }
        let deadline = Self.now + Double(milliseconds) / 1000
        guard let header = receive(4, until: deadline) else { return finish(until: deadline).bytes }
        let count = Frame.count(header)
        guard (1...TokenRequest.maximumCount).contains(count), let bytes = receive(count, until: deadline)
        else {
            return finish(until: deadline).bytes
        }
        return bytes
    }

    private static var now: Double {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// - Returns: nil if the process ended, or the time is over.
    private func receive(_ count: Int, until deadline: Double) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let left = deadline - Self.now
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
        let isLate = Self.now >= deadline && token_has_ended(process) == 0
        let signal = end()
        let answer = isLate ? TokenAnswer.timedOut : .ended(signal: signal)
        last = answer
        return answer
    }

    /// Ends the process.
    /// - Returns: the signal that ended it; 0 if it exited.
    func end() -> UInt8 {
        close(requests.number)
        close(answers.number)
        return UInt8(truncatingIfNeeded: token_end(process))
    }
}
