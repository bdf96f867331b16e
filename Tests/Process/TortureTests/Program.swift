import CFaults
import Glibc
import TestSupport

/// Runs the program under test.
struct Program: Sendable {
    static var path: String { get throws { try BuiltProgram.path } }

    /// When a run is killed.
    enum Death {
        case never
        /// Never, but its system calls are recorded, and which of them makes the file at a path.
        case recorded(naming: String? = nil)
        /// Before a system call.
        case before(Place)
        /// Before a system call, by a signal that the program can block.
        case bySignal(Int32, before: Place)
        /// After this many microseconds.
        case after(Int)
    }

    /// A system call, identified by its kind and the number of earlier calls of this kind:
    /// additional calls of other kinds by the loader or the allocator do not change it.
    struct Place: CustomStringConvertible {
        let kind: Int32
        let before: Int

        var description: String { "system call \(kind), after \(before) of this kind" }
    }

    struct Run {
        /// nil when a signal ended it.
        var status: Int32?
        var output: String
        var error: String
        /// The numbers of its system calls, if they were recorded.
        var calls: [Int32]
        /// The index of the call that made the file whose naming was recorded.
        var named: Int?
        /// Whether the system call at which it is killed was reached: another run may have fewer
        /// calls of a kind.
        var isReached: Bool
        /// Seconds of processor time.
        var processorTime: Double

        func place(ofCall index: Int) -> Place {
            Place(kind: calls[index], before: calls[..<index].count { $0 == calls[index] })
        }
    }

    struct Failure: Error {
        let errno: Int32
    }

    /// The working directory of the program; relative paths start here.
    let folder: String
    /// What its file system lacks.
    var lack: Lack = []

    func run(_ arguments: [String], input: String = "", death: Death = .never) throws -> Run {
        try run(path: Self.path, arguments, input: .bytes(Array(input.utf8)), death: death)
    }

    enum Input {
        case bytes([UInt8])
        case file(String)
    }

    func run(path: String, _ arguments: [String], input: Input = .bytes([]), death: Death = .never) throws
        -> Run
    {
        let streams =
            switch input {
            case .bytes(let bytes): try StandardStreams(input: bytes)
            case .file(let path): try StandardStreams(inputFrom: path)
            }
        defer { streams.close() }
        let variables = [
            "HOME=\(folder)", "XDG_STATE_HOME=\(folder)/state", "PATH=/usr/bin:/bin:/usr/sbin:/sbin",
            "LANG=C.UTF-8",
        ]
        var calls = [Int32](repeating: 0, count: 65_536)
        var (place, time, sent) = (faults_place(kind: -1, before: FAULTS_NEVER), FAULTS_NEVER, SIGKILL)
        var watched: String?
        switch death {
        case .never: break
        case .recorded(let path): (place.before, watched) = (0, path)
        case .before(let call): place = faults_place(kind: call.kind, before: Int64(call.before))
        case .bySignal(let signal, let call):
            (sent, place) = (signal, faults_place(kind: call.kind, before: Int64(call.before)))
        case .after(let microseconds): time = Int64(microseconds)
        }
        let end = withCStrings([path] + arguments) { words in
            withCStrings(variables) { environment in
                faults_run(
                    path, words, environment, folder, streams.input, streams.output, streams.error,
                    lack.rawValue,
                    watched, place, sent, time, &calls, calls.count)
            }
        }
        guard end.error == 0 else { throw Failure(errno: end.error) }
        let signal = end.status & 0x7f
        // A signal that no test sent is a failure.
        guard signal == 0 || signal == sent else { throw Failure(errno: -signal) }
        let status: Int32? = signal == 0 ? (end.status >> 8) & 0xff : nil
        return Run(
            status: status, output: Self.text(streams.output), error: Self.text(streams.error),
            calls: Array(calls.prefix(Int(end.calls))), named: end.named < 0 ? nil : Int(end.named),
            isReached: end.reached,
            processorTime: Self.seconds(end.usage.ru_utime) + Self.seconds(end.usage.ru_stime))
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }

    private static func text(_ file: Int32) -> String {
        String(decoding: Files.contents(of: file), as: UTF8.self)
    }
}
