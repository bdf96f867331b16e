import CChild
import Glibc
import TestSupport

/// One run of a program with captured standard streams, and optionally a new controlling terminal.
struct Child {
    struct Result {
        /// The exit status, or 128 + the signal that ended it.
        var status: Int32
        var output: [UInt8]
        var error: [UInt8]
        /// The text that a user would have seen on the terminal.
        var terminal: [UInt8]
        /// Whether the terminal still marks pasted text.
        var marksPastes: Bool
    }

    /// A step of the user at the terminal: wait for text, then type a line.
    struct TerminalStep {
        var expected: String
        var typed: String?
        /// Waits for `word N: ` instead, and types word N of the phrase that was shown.
        var typesWord = false

        fileprivate var isTypedBefore: Bool { expected.isEmpty && typed != nil && !typesWord }
    }

    enum Failure: Error {
        case system(String, Int32)
        case textNotShown(String, seen: String)
        case timeout
        case unanswered(seen: String)
    }

    var path: String
    var arguments: [String]
    var environment: [String: String]
    var directory: String
    var input: [UInt8] = []
    /// nil: no controlling terminal.
    var terminal: [TerminalStep]?
    /// What is typed after these steps, in any order.
    var answers = TerminalAnswers()
    /// What the file system lacks: bits of `child_lack`.
    var lacks: UInt32 = 0

    func run() throws -> Result {
        let files = try StandardStreams(input: input)
        defer { files.close() }
        var ends: [Int32] = [-1, -1]
        let process = try start(files, &ends)
        defer { ends.forEach { _ = close($0) } }
        let master = ends[0]
        var seen = ShownOutput()
        do {
            try play(on: master, process, seen: &seen)
            var answers = answers
            while try !Self.await(process, on: master, seen: &seen) {
                if let line = answers.next(seen.bytes) { Self.type(line, on: master) }
            }
        } catch {
            kill(process, SIGKILL)
            _ = Self.wait(for: process)
            guard case .timeout = error as? Failure else { throw error }
            throw Failure.unanswered(seen: String(decoding: seen.bytes, as: UTF8.self))
        }
        let status = Self.wait(for: process)
        return Result(
            status: status, output: Files.contents(of: files.output), error: Files.contents(of: files.error),
            terminal: seen.bytes,
            marksPastes: seen.marksPastes)
    }

    private func start(_ files: StandardStreams, _ ends: inout [Int32]) throws -> pid_t {
        let process = withCStrings([path] + arguments) { arguments in
            withCStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
                terminal == nil
                    ? child_start(
                        path, arguments, environment, directory, files.input, files.output, files.error, nil,
                        nil,
                        lacks)
                    : child_start(
                        path, arguments, environment, directory, files.input, files.output, files.error,
                        &ends,
                        typedBefore, lacks)
            }
        }
        guard process > 0 else { throw Failure.system("start \(path)", errno) }
        return process
    }

    private static func wait(for process: pid_t) -> Int32 {
        var status: Int32 = 0
        waitpid(process, &status, 0)
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }

    // MARK: - the terminal

    /// The lines that need no wait: they are in the terminal before the program asks.
    private var typedBefore: String {
        (terminal ?? []).prefix { $0.isTypedBefore }.map { ($0.typed ?? "") + "\n" }.joined()
    }

    /// Waits until the program shows more text or ends.
    /// - Returns: whether the program has ended. Then `seen` has all of its text.
    private static func await(_ process: pid_t, on master: Int32, seen: inout ShownOutput) throws -> Bool {
        let happened = child_await(process, master, SafetyLimit.milliseconds)
        guard happened >= 0 else { throw Failure.system("wait", errno) }
        guard happened > 0 else { throw Failure.timeout }
        if master >= 0 { drain(master, into: &seen) }
        return Int(happened) & CHILD_ENDED != 0
    }

    private static func drain(_ master: Int32, into seen: inout ShownOutput) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(master, &buffer, buffer.count)
            guard count > 0 else { return }
            seen.append(buffer[..<count])
        }
    }

    private func play(on master: Int32, _ process: pid_t, seen: inout ShownOutput) throws {
        var searched = 0
        for step in (terminal ?? []).drop(while: \.isTypedBefore) {
            var hasEnded = false
            var typed = step.typed
            while true {
                if step.typesWord {
                    if let (position, end) = ShownPhrase.question(in: seen.bytes, from: searched) {
                        searched = end
                        typed = ShownPhrase.words(in: seen.bytes)[position]
                        break
                    }
                } else if let end = Self.find(Array(step.expected.utf8), in: seen.bytes, from: searched) {
                    searched = end
                    break
                }
                guard !hasEnded else {
                    throw Failure.textNotShown(
                        step.expected, seen: String(decoding: seen.bytes, as: UTF8.self))
                }
                hasEnded = try Self.await(process, on: master, seen: &seen)
            }
            // The question is on the screen, so it can be answered at once.
            if let typed { Self.type(typed, on: master) }
        }
    }

    private static func type(_ line: String, on master: Int32) {
        let bytes = Array((line + "\n").utf8)
        _ = write(master, bytes, bytes.count)
    }

    private static func find(_ needle: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard bytes.count >= needle.count + start else { return nil }
        for offset in start...(bytes.count - needle.count)
        where Array(bytes[offset..<(offset + needle.count)]) == needle {
            return offset + needle.count
        }
        return nil
    }
}
