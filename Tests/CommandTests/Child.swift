import CChild
import Glibc
import TestSupport

/// One run of a program, its standard streams caught, perhaps with a controlling terminal of its own.
struct Child {
    struct Result {
        /// The exit status, or 128 + the signal that ended it.
        var status: Int32
        var output: [UInt8]
        var error: [UInt8]
        /// What a person would have seen on the terminal.
        var terminal: [UInt8]
    }

    /// A step of the person at the terminal: wait for text, then type a line.
    struct TerminalStep {
        var expected: String
        var typed: String?
        /// Waits for `word N: ` instead, and types word N of the phrase that was shown.
        var typesWord = false
    }

    enum Failure: Error {
        case system(String, Int32)
        case terminalNeverSaid(String, seen: String)
        case timeout
    }

    var path: String
    var arguments: [String]
    var environment: [String: String]
    var directory: String
    var input: [UInt8] = []
    /// nil: no controlling terminal at all.
    var terminal: [TerminalStep]?

    static let timeLimit = 120.0

    func run() throws -> Result {
        let files = try Files(input: input)
        defer { files.close() }
        var master: Int32 = -1
        let process = try start(files, master: &master)
        defer { if master >= 0 { close(master) } }
        var seen: [UInt8] = []
        if let steps = terminal {
            do { try Self.play(steps, on: master, seen: &seen) } catch {
                kill(process, SIGKILL)
                var status: Int32 = 0
                waitpid(process, &status, 0)
                throw error
            }
        }
        let status = try Self.wait(for: process) { if master >= 0 { Self.drain(master, into: &seen) } }
        return Result(status: status, output: files.read(files.output), error: files.read(files.error), terminal: seen)
    }

    private func start(_ files: Files, master: inout Int32) throws -> pid_t {
        let arguments = ([path] + arguments).map { strdup($0) } + [nil]
        let environment = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (arguments + environment).forEach { free($0) } }
        let process =
            terminal == nil
            ? child_start(path, arguments, environment, directory, files.input, files.output, files.error, nil)
            : child_start(path, arguments, environment, directory, files.input, files.output, files.error, &master)
        guard process > 0 else { throw Failure.system("start \(path)", errno) }
        return process
    }

    private static func wait(for process: pid_t, _ meanwhile: () -> Void) throws -> Int32 {
        var waited = 0.0
        var status: Int32 = 0
        while true {
            meanwhile()
            let done = waitpid(process, &status, WNOHANG)
            if done == process { break }
            guard waited < timeLimit else {
                kill(process, SIGKILL)
                waitpid(process, &status, 0)
                throw Failure.timeout
            }
            usleep(2000)
            waited += 0.002
        }
        meanwhile()
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }

    // MARK: - the terminal

    private static func drain(_ master: Int32, into seen: inout [UInt8]) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(master, &buffer, buffer.count)
            guard count > 0 else { return }
            seen += buffer[..<count]
        }
    }

    private static func play(_ steps: [TerminalStep], on master: Int32, seen: inout [UInt8]) throws {
        var searched = 0
        for step in steps {
            var waited = 0.0
            var typed = step.typed
            while true {
                drain(master, into: &seen)
                if step.typesWord {
                    if let (position, end) = ShownPhrase.question(in: seen, from: searched) {
                        searched = end
                        typed = ShownPhrase.words(in: seen)[position]
                        break
                    }
                } else if let end = find(Array(step.expected.utf8), in: seen, from: searched) {
                    searched = end
                    break
                }
                guard waited < 30 else {
                    throw Failure.terminalNeverSaid(step.expected, seen: String(decoding: seen, as: UTF8.self))
                }
                usleep(2000)
                waited += 0.002
            }
            if let typed {
                // The prompt turns echo off after it is drawn at the latest; a person is slower than this.
                if step.typesWord || !step.expected.isEmpty { usleep(20_000) }
                let line = Array((typed + "\n").utf8)
                _ = write(master, line, line.count)
            }
        }
    }

    private static func find(_ needle: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard bytes.count >= needle.count + start else { return nil }
        for offset in start...(bytes.count - needle.count) where Array(bytes[offset..<(offset + needle.count)]) == needle {
            return offset + needle.count
        }
        return nil
    }

    /// Unlinked temporary files for the three standard streams: nothing blocks, whatever the program writes.
    private struct Files {
        let input, output, error: Int32

        init(input bytes: [UInt8]) throws {
            input = try Self.temporary()
            output = try Self.temporary()
            error = try Self.temporary()
            guard bytes.isEmpty || write(input, bytes, bytes.count) == bytes.count else { throw Failure.system("write", errno) }
            lseek(input, 0, SEEK_SET)
        }

        private static func temporary() throws -> Int32 {
            let file = child_temporary_file()
            guard file >= 0 else { throw Failure.system("O_TMPFILE", errno) }
            return file
        }

        func read(_ file: Int32) -> [UInt8] {
            lseek(file, 0, SEEK_SET)
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65536)
            while true {
                let count = Glibc.read(file, &buffer, buffer.count)
                guard count > 0 else { return bytes }
                bytes += buffer[..<count]
            }
        }

        func close() { [input, output, error].forEach { _ = Glibc.close($0) } }
    }
}
