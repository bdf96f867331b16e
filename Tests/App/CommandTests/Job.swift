import CChild
import Glibc
import TestSupport

/// A program at a terminal, under a shell with job control. It reports what happened to the
/// program, its text, and the terminal's modes.
final class Job {
    enum Failure: Error {
        case system(String, Int32)
        case textNotShown(String, seen: String)
        case nothingHappened(seen: String)
    }

    enum Event: Equatable {
        case exited(Int32)
        case killed(Int32)
        case stopped(Int32)
        case continued

        init(_ status: Int32) {
            if status == 0xffff {
                self = .continued
            } else if status & 0xff == 0x7f {
                self = .stopped(status >> 8)
            } else if status & 0x7f == 0 {
                self = .exited(status >> 8)
            } else {
                self = .killed(status & 0x7f)
            }
        }
    }

    /// An event of the program, and whether the terminal then echoes and edits input.
    struct Report: Equatable {
        var event: Event
        var echo: Bool
        var lines: Bool
    }

    private var job = CChild.job()
    private var output = ShownOutput()
    private var seen: [UInt8] { output.bytes }
    private var searched = 0

    /// - Parameter shell: a shell command that starts the program, which is `"$@"`, with `exec`.
    init(
        _ arguments: [String], environment: [String: String], directory: String, flags: Int = 0,
        shell: String? = nil
    ) throws {
        let program = try BuiltProgram.path
        let path = shell == nil ? program : "/bin/sh"
        let words = [path] + (shell.map { ["-c", $0, "sh", program] } ?? []) + arguments
        let started = withCStrings(words) { words in
            withCStrings(environment.map { "\($0.key)=\($0.value)" }) {
                job_start(path, words, $0, directory, Int32(flags), &job)
            }
        }
        guard started == 0 else { throw Failure.system("start", errno) }
    }

    deinit {
        // Without a program the number is 0, which means the tests' own process group.
        if job.process > 0 {
            kill(job.process, SIGKILL)
            kill(job.process, SIGCONT)
        }
        close(job.master)
        close(job.events)
        var status: Int32 = 0
        waitpid(job.shell, &status, 0)
    }

    /// All text on the terminal.
    var screen: String { String(decoding: seen, as: UTF8.self) }

    /// Whether the terminal marks pasted text.
    var marksPastes: Bool { output.marksPastes }

    func send(_ signal: Int32) { kill(job.process, signal) }

    /// Makes the shell bring the program to the foreground and continue it.
    func foreground() { kill(job.shell, SIGUSR1) }

    /// Makes the shell continue the program in the background.
    func background() { kill(job.shell, SIGUSR2) }

    func type(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard write(job.master, bytes, bytes.count) == bytes.count else {
            throw Failure.system("write", errno)
        }
    }

    /// Waits until the program shows `text`, after the text of the previous wait.
    func expect(_ text: String) throws {
        let needle = Array(text.utf8)
        var isOpen = true
        while true {
            if let end = seen[searched...].firstEnd(of: needle) {
                searched = end
                return
            }
            // The last output is searched too.
            guard isOpen, try wait(for: job.master) else { throw Failure.textNotShown(text, seen: screen) }
            isOpen = drain()
        }
    }

    /// Types a flood until the program shows `text`.
    /// - Returns: the bytes of the flood that were not typed.
    func expect(_ text: String, typing flood: Flood) throws -> Int {
        let needle = Array(text.utf8)
        var left = flood.bytes[...]
        while true {
            let events = Int16(left.isEmpty ? POLLIN : POLLIN | POLLOUT)
            var waited = [
                pollfd(fd: job.master, events: events, revents: 0),
                pollfd(fd: job.events, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&waited, 2, SafetyLimit.milliseconds) > 0 else {
                throw Failure.nothingHappened(seen: screen)
            }
            _ = drain()
            if let end = seen[searched...].firstEnd(of: needle) {
                searched = end
                return left.count
            }
            guard waited[1].revents == 0 else { throw Failure.textNotShown(text, seen: screen) }
            guard waited[0].revents & Int16(POLLOUT) != 0 else { continue }
            let piece = left.prefix(flood.piece)
            let count = piece.withUnsafeBytes { write(job.master, $0.baseAddress, $0.count) }
            left = left.dropFirst(max(count, 0))
            if left.isEmpty, flood.isEndless { left = flood.bytes[...] }
            usleep(flood.pause)
        }
    }

    /// Waits until the terminal marks pasted text.
    func expectMarks() throws { try drain(until: { output.marksPastes }) }

    /// Types an answer, and waits until the program reads no more for its question.
    func decide(_ answer: String) throws {
        let count = output.endCount
        try type(answer)
        try drain(until: { output.endCount > count })
    }

    private func drain(until isDone: () -> Bool) throws {
        while !isDone() {
            if try wait(for: job.master), drain() { continue }
            // The program may have ended: its last output is still in the terminal.
            var left = pollfd(fd: job.master, events: Int16(POLLIN), revents: 0)
            while poll(&left, 1, 0) > 0, left.revents & Int16(POLLIN) != 0, drain() {}
            guard isDone() else { throw Failure.textNotShown("marks of pastes", seen: screen) }
        }
    }

    /// Waits for the next event of the program. Meanwhile its output is read: a program whose
    /// terminal is full waits.
    func next() throws -> Report {
        var isOpen = true
        while true {
            // A negative descriptor is not waited for.
            var waited = [
                pollfd(fd: job.events, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isOpen ? job.master : -1, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&waited, 2, SafetyLimit.milliseconds)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure.nothingHappened(seen: screen) }
            if waited[0].revents != 0 { break }
            isOpen = drain()
        }
        var event = job_event()
        guard read(job.events, &event, MemoryLayout<job_event>.size) == MemoryLayout<job_event>.size else {
            throw Failure.nothingHappened(seen: screen)
        }
        // The program's earlier output is already in the terminal.
        _ = drain()
        return Report(
            event: Event(event.status), echo: event.local_modes & UInt32(ECHO) != 0,
            lines: event.local_modes & UInt32(ICANON) != 0 && event.input_modes & UInt32(ICRNL) != 0)
    }

    /// Whether the terminal echoes input now.
    func echoes() throws -> Bool {
        var modes = termios()
        // The modes of the terminal, which is the other side of the master.
        guard tcgetattr(job.master, &modes) == 0 else { throw Failure.system("tcgetattr", errno) }
        return modes.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Gives the terminal another size. The kernel sends SIGWINCH.
    func resize(rows: UInt16, columns: UInt16) throws {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard ioctl(job.master, UInt(TIOCSWINSZ), &size) == 0 else {
            throw Failure.system("TIOCSWINSZ", errno)
        }
    }

    /// Opens the program's side of the terminal. It keeps input that nobody has read.
    func openInput() throws -> Int32 {
        let peer: UInt = 0x5441  // TIOCGPTPEER, which Swift does not import
        let input = ioctl(job.master, peer, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard input >= 0 else { throw Failure.system("TIOCGPTPEER", errno) }
        return input
    }

    /// Whether input is left that the shell would read, at a descriptor of `openInput`.
    func hasInput(_ input: Int32) throws -> Bool {
        var byte: UInt8 = 0
        let count = read(input, &byte, 1)
        guard count >= 0 || errno == EAGAIN else { throw Failure.system("read", errno) }
        return count > 0
    }

    /// The most memory that the program has had up to now, in KiB.
    var peakMemory: Int {
        get throws {
            let status = String(decoding: try Files.read("/proc/\(job.process)/status"), as: UTF8.self)
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            guard let peak = line.flatMap({ Int($0.filter(\.isNumber)) }) else {
                throw Failure.system("VmHWM", 0)
            }
            return peak
        }
    }

    /// Switches echo on, as another program does that restores the earlier modes.
    func putEchoBack() throws {
        var modes = termios()
        guard tcgetattr(job.master, &modes) == 0 else { throw Failure.system("tcgetattr", errno) }
        modes.c_lflag |= tcflag_t(ECHO)
        guard tcsetattr(job.master, TCSANOW, &modes) == 0 else { throw Failure.system("tcsetattr", errno) }
    }

    private func wait(for descriptor: Int32) throws -> Bool {
        var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let count = poll(&waited, 1, SafetyLimit.milliseconds)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure.system("poll", errno) }
            return count > 0
        }
    }

    /// - Returns: false at the end of the output.
    private func drain() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(job.master, &buffer, buffer.count)
            guard count > 0 else { return count < 0 && errno == EAGAIN }
            output.append(buffer[..<count])
        }
    }
}

extension ArraySlice<UInt8> {
    /// The index after the first `needle`.
    fileprivate func firstEnd(of needle: [UInt8]) -> Int? {
        guard count >= needle.count else { return nil }
        return (startIndex...(endIndex - needle.count)).first {
            self[$0..<($0 + needle.count)].elementsEqual(needle)
        }
        .map {
            $0 + needle.count
        }
    }
}
