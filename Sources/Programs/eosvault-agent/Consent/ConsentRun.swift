import CAgent
import CSystem
import Files
import Glibc
import Shell

/// A process that runs a program for one question, and ends.
struct ConsentRun {
    private let agent: FileDescriptor
    private let question: ConsentQuestion
    private let child: Int32
    /// Readable after the program has ended.
    private let ended: FileDescriptor
    /// The other ends of the program's standard input and output, while they are open.
    private var input: FileDescriptor?
    private var output: FileDescriptor?
    private var written = 0
    private var answer: [UInt8] = []

    /// Answers the question that the agent sends.
    static func serve(_ agent: FileDescriptor, _ path: ConsentPath) -> Never {
        signal(SIGCHLD, SIG_DFL)
        let question = ConsentQuestion { count in
            (try? agent.bytes(count)).flatMap { $0.count == count ? $0 : nil }
        }
        guard let question else { agent_exit(1) }
        let answer: ConsentAnswer
        if var run = ConsentRun(question, agent, path) {
            answer = run.finish()
        } else {
            answer = ConsentAnswer(.notStarted)
        }
        unsafe try? agent.write(answer.bytes.span.bytes)
        agent_exit(0)
    }

    /// Starts the program.
    private init?(_ question: ConsentQuestion, _ agent: FileDescriptor, _ path: ConsentPath) {
        var children = sigset_t()
        unsafe sigemptyset(&children)
        unsafe sigaddset(&children, SIGCHLD)
        unsafe sigprocmask(SIG_BLOCK, &children, nil)
        ended = FileDescriptor(unsafe signals_descriptor(&children))
        guard let program = try? path.open(), ended.number >= 0, let (reading, input) = Self.pipe(),
            let (output, writing) = Self.pipe()
        else { return nil }
        child = program.withDescriptor {
            unsafe agent_start($0.number, path.path, reading.number, writing.number)
        }
        guard child > 0 else { return nil }
        close(reading.number)
        close(writing.number)
        for end in [input, output] { _ = fcntl(end.number, F_SETFL, O_NONBLOCK) }
        (self.agent, self.question, self.input, self.output) = (agent, question, input, output)
    }

    private static func pipe() -> (FileDescriptor, FileDescriptor)? {
        var ends: [Int32] = [-1, -1]
        guard unsafe Glibc.pipe(&ends) == 0 else { return nil }
        return (FileDescriptor(ends[0]), FileDescriptor(ends[1]))
    }

    /// Waits for the answer, then ends the program and its process group.
    private mutating func finish() -> ConsentAnswer {
        let deadline = Clock.sinceBoot + Double(question.milliseconds) / 1000
        var end: ConsentAnswer.End?
        while end == nil, !isEnded { end = step(until: deadline) }
        // The program is a zombie or still runs, so its id and the id of its group are its own. It
        // may not have made the group yet.
        kill(-child, SIGKILL)
        kill(child, SIGKILL)
        let status = agent_reap(child)
        if let end { return ConsentAnswer(end) }
        let signal = UInt8(truncatingIfNeeded: status & 0x7f)
        guard status >= 0, signal == 0 else { return ConsentAnswer(.killed, number: signal) }
        return ConsentAnswer(.exited, number: UInt8(truncatingIfNeeded: status >> 8), output: answer)
    }

    /// True once the program has failed, or has succeeded and nothing can be added to its output. A
    /// process that it started may have its output open after it.
    private var isEnded: Bool {
        switch agent_state_of(child) {
        case AGENT_RUNS: false
        case AGENT_SUCCEEDED: output == nil
        default: true
        }
    }

    /// - Returns: the reason to end the program.
    private mutating func step(until deadline: Double) -> ConsentAnswer.End? {
        let left = deadline - Clock.sinceBoot
        guard left > 0 else { return .timedOut }
        // The kernel ignores the number -1.
        var files = [
            (agent.number, POLLIN), (ended.number, POLLIN), (output?.number ?? -1, POLLIN),
            (input?.number ?? -1, POLLOUT),
        ].map { pollfd(fd: $0.0, events: Int16($0.1), revents: 0) }
        // Not longer than a second: the clock of poll stops while the machine is suspended.
        unsafe poll(&files, nfds_t(files.count), Int32(min(left, 1) * 1000) + 1)
        // The agent has sent all that it sends: its end of the connection is closed.
        guard files[0].revents == 0 else { return .withdrawn }
        // The size of `signalfd_siginfo`.
        if files[1].revents != 0 { _ = try? ended.bytes(128) }
        if files[2].revents != 0, !receive() { return .tooLong }
        if files[3].revents != 0 { send() }
        return nil
    }

    /// - Returns: false if the answer is too long.
    private mutating func receive() -> Bool {
        guard let output else { return true }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe read(output.number, &buffer, buffer.count)
        if count < 0, [EAGAIN, EINTR].contains(errno) { return true }
        guard count > 0 else {
            close(output.number)
            self.output = nil
            return true
        }
        answer += buffer[..<count]
        return answer.count <= Int(question.limit)
    }

    /// Writes a part of the review. A program may decide before it has read all of it.
    private mutating func send() {
        guard let input else { return }
        let count = unsafe question.input.withUnsafeBytes { bytes in
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes.dropFirst(written))
            return unsafe write(input.number, rest.baseAddress, rest.count)
        }
        if count < 0, [EAGAIN, EINTR].contains(errno) { return }
        written += max(count, 0)
        guard count <= 0 || written == question.input.count else { return }
        close(input.number)
        self.input = nil
    }
}
